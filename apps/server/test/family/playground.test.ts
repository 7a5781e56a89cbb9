import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'
import { messageWith } from '../relay/messages-upstream.ts'
import { answerWith, openScriptedUpstream, type ScriptedUpstream, streamWith } from '../relay/upstream.ts'
import { type OldConsole, newOldConsole } from './old-console.ts'

let gateway: TestServer
let upstream: ScriptedUpstream
let claude: ScriptedUpstream
let person: OldConsole
let key: string

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  upstream = await openScriptedUpstream()
  claude = await openScriptedUpstream(messageWith())
  const setting = { body: { key: 'QuotaForNewUser', value: 50_000_000 } }
  await gateway.root.call(routes.option.update, setting)
  const common = { name: 'up', key: 'sk-0123456789', group: 'default' }
  await gateway.root.call(routes.channel.create, {
    body: { ...common, type: 1, models: 'gpt-4o-mini', base_url: upstream.url },
  })
  await gateway.root.call(routes.channel.create, {
    body: { ...common, type: 14, models: 'claude-3-5-haiku-20241022', base_url: claude.url },
  })
  person = await newOldConsole(gateway)
  // Members that nobody knows are taken out of the calls of who never paid.
  await gateway.root.call(routes.adminUser.changeQuota, { params: { id: person.id }, body: { delta: 1_000 } })
  ;({ key } = await person.call(routes.token.create, { body: { name: 'own', unlimited_quota: true } }))
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  await claude.close()
})

function say(body: object): Promise<Response> {
  return person.fetch('/pg/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

function api(path: string, body: object): Promise<Response> {
  return fetch(gateway.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify(body),
  })
}

/** Messages as the playground of the fork's console sends them. */
const messages = [
  { role: 'user', id: '2', createAt: 1_715_676_751_919, content: '你好' },
  { role: 'system', id: '1', createAt: 1_715_676_751_919, content: 'You are helpful' },
  {
    role: 'assistant',
    id: '3',
    status: 'complete',
    content: null,
    reasoning_content: 'thinking',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  },
  {
    role: 'tool',
    createAt: 1,
    tool_call_id: 'call_1',
    name: 'look',
    content: [{ type: 'text', text: 'x', id: 1 }],
  },
]
const plain = [
  { role: 'user', content: '你好' },
  { role: 'system', content: 'You are helpful' },
  {
    role: 'assistant',
    content: null,
    reasoning_content: 'thinking',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', name: 'look', content: [{ type: 'text', text: 'x', id: 1 }] },
]

test('the playground accepts its default request with max_tokens 0, and upstreams get plain messages', async () => {
  upstream.respond = streamWith()
  const body = { stream: true, model: 'gpt-4o-mini', group: 'default', max_tokens: 0, temperature: 0 }
  const response = await say({ messages, ...body })
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('data: [DONE]')
  const received = upstream.received.at(-1)?.body
  expect(received).toMatchObject({ messages: plain, temperature: 0, stream: true })
  expect(received).toHaveProperty('messages', plain)
  expect(received).not.toHaveProperty('max_tokens')
  expect(received).not.toHaveProperty('group')
})

test('a playground request with only known members is forwarded byte for byte', async () => {
  upstream.respond = answerWith()
  const text = `{ "model":"gpt-4o-mini", "messages" : [ {"content" : "1.0\\u0041", "role":"user"} ], "seed": 1.0 }`
  const response = await person.fetch('/pg/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: text,
  })
  expect(response.status).toBe(200)
  expect(upstream.received.at(-1)?.text).toBe(text)
})

test('a call with an API key keeps unknown members of messages', async () => {
  upstream.respond = answerWith()
  const response = await api('/v1/chat/completions', { model: 'gpt-4o-mini', messages })
  expect(response.status).toBe(200)
  expect(upstream.received.at(-1)?.body).toHaveProperty('messages', messages)
})

describe('zero for an output limit or a number of choices', () => {
  const said = [{ role: 'user', content: 'hi' }]
  test.each([
    ['/v1/chat/completions', { model: 'gpt-4o-mini', messages: said, max_tokens: 0, n: 0 }],
    ['/v1/chat/completions', { model: 'gpt-4o-mini', messages: said, max_completion_tokens: 0 }],
    ['/v1/completions', { model: 'gpt-4o-mini', prompt: 'hi', max_tokens: 0, n: 0 }],
  ])('%s forwards no member with zero', async (path, body) => {
    upstream.respond = answerWith()
    expect((await api(path, body)).status).toBe(200)
    const { body: received } = upstream.received.at(-1) ?? {}
    for (const name of ['max_tokens', 'max_completion_tokens', 'n']) expect(received).not.toHaveProperty(name)
  })

  test('Claude gets the default limit of the site instead of zero', async () => {
    const body = { model: 'claude-3-5-haiku-20241022', messages: said, max_tokens: 0 }
    for (const path of ['/v1/messages', '/v1/chat/completions']) {
      const response = await api(path, body)
      expect(response.status).toBe(200)
      expect(Number(claude.received.at(-1)?.body['max_tokens'])).toBeGreaterThan(0)
    }
  })

  test.each([-1, 0.5, 2 ** 31])(
    "%d is refused with an error of the caller's dialect, and costs nothing",
    async (value) => {
      const before = upstream.received.length + claude.received.length
      const openai = await api('/v1/chat/completions', {
        model: 'gpt-4o-mini',
        messages: said,
        max_tokens: value,
      })
      expect(openai.status).toBe(400)
      expect(await openai.json()).toMatchObject({
        error: { code: 'member_out_of_range', param: 'max_tokens' },
      })
      const body = { model: 'claude-3-5-haiku-20241022', messages: said, max_tokens: value }
      const anthropic = await api('/v1/messages', body)
      expect(anthropic.status).toBe(400)
      expect(await anthropic.json()).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error' },
      })
      expect(upstream.received.length + claude.received.length).toBe(before)
    },
  )
})
