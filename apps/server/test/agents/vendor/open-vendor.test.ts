import { afterEach, expect, test } from 'vitest'
import { openVendor, type Vendor, type VendorKind } from './open-vendor.ts'

let vendor: Vendor | undefined
afterEach(async () => vendor?.close())

async function refusal(
  kind: VendorKind,
  path: string,
  body: unknown,
): Promise<{ status: number; text: string }> {
  vendor = await openVendor(kind, { folder: '/work' })
  const response = await fetch(`${vendor.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

const CHAT = '/v1/chat/completions'
const user = { role: 'user', content: 'hello' }
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }

test.each([
  [
    'strings',
    CHAT,
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] },
    'expected a string',
  ],
  ['template', CHAT, { messages: [user, { role: 'system', content: 'a' }] }, 'must be at the beginning'],
  ['openai', CHAT, { messages: [user], max_tokens: 5 }, 'max_tokens'],
  ['openai', CHAT, { messages: [user], top_k: 5 }, 'top_k'],
  ['openai', CHAT, { messages: [user, { role: 'assistant', tool_calls: [call] }, user] }, 'must be followed'],
  [
    'openai',
    '/v1/responses',
    { input: [{ type: 'reasoning', encrypted_content: 'foreign' }] },
    'encrypted content',
  ],
  ['anthropic', '/v1/messages', { messages: [user] }, 'max_tokens: Field required'],
  [
    'gemini',
    '/v1beta/models/g:generateContent',
    { contents: [{ parts: [{ functionCall: { name: 'f' } }] }] },
    'thought_signature',
  ],
] as const)(
  'the %s vendor refuses requests at %s that its model does not accept, %#',
  async (kind, path, body, words) => {
    const { status, text } = await refusal(kind, path, body)
    expect(status).toBe(400)
    expect(text).toContain(words)
    expect(vendor?.book[0]?.usage).toBeUndefined()
  },
)

test('a server that supports only chat completions knows no other path', async () => {
  expect(await refusal('template', '/v1/responses', { input: 'hello' })).toMatchObject({ status: 404 })
})

test('a prompt with the same prefix as the one before is read from the cache', async () => {
  vendor = await openVendor('openai', { folder: '/work' })
  const first = { role: 'system', content: 'word '.repeat(2000) }
  for (const messages of [
    [first, user],
    [first, user, { role: 'assistant', content: 'hi' }, user],
  ])
    await fetch(vendor.url + CHAT, { method: 'POST', body: JSON.stringify({ messages }) })
  expect(vendor.book[0]?.usage?.cacheRead).toBe(0)
  expect(vendor.book[1]?.usage?.cacheRead).toBeGreaterThan(2000)
})
