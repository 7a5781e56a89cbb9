import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '@tollgate/contract/routes'
import { type TestServer, startTestServer } from '../harness.ts'

const LIMIT = 60

let gateway: TestServer
let key: string
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  const made = await gateway.root.call(routes.token.create, { body: { name: 'own', unlimited_quota: true } })
  key = `sk-${made.key.replace(/^sk-/, '')}`
})
afterAll(() => gateway.close())

interface Ask {
  readonly from: string
  readonly key: string
  readonly path?: string
  readonly header?: string
}

function ask({ from, key: shown, path = '/v1/models', header = 'authorization' }: Ask): Promise<Response> {
  const isPost = /messages|completions|generateContent|submit/.test(path)
  return fetch(gateway.address + path, {
    method: isPost ? 'POST' : 'GET',
    headers: { 'x-forwarded-for': from, [header]: shown, 'content-type': 'application/json' },
    ...(isPost && { body: '{}' }),
  })
}

async function guessKeys(from: string, count: number): Promise<number[]> {
  const guesses = Array.from({ length: count }, (_, index) => ask({ from, key: `sk-wrong${index}` }))
  return (await Promise.all(guesses)).map(({ status }) => status)
}

test('an address gets 429 with Retry-After after a few wrong keys a minute', async () => {
  const statuses = await guessKeys('192.0.2.1', LIMIT + 40)
  expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  const refused = await ask({ from: '192.0.2.1', key: 'sk-wrong' })
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect((await ask({ from: '192.0.2.2', key: 'sk-wrong' })).status).toBe(401)
})

test('a valid key passes from an address that has sent too many wrong ones', async () => {
  await guessKeys('192.0.2.3', LIMIT + 5)
  for (let call = 0; call < 10; call++) expect((await ask({ from: '192.0.2.3', key })).status).toBe(200)
  expect((await ask({ from: '192.0.2.3', key: 'sk-wrong' })).status).toBe(429)
})

test('an IPv6 /64 counts as one address', async () => {
  const guesses = Array.from({ length: LIMIT + 10 }, (_, host) =>
    ask({ from: `2001:db8:1:2::${host.toString(16)}`, key: 'sk-wrong' }),
  )
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
})

test.each([
  ['OpenAI', { path: '/v1/chat/completions' }, /"error":\{.*"too_many_requests"/],
  ['Anthropic', { path: '/v1/messages', header: 'x-api-key' }, /"type":"error".*"rate_limit_error"/],
  [
    'Gemini',
    { path: '/v1beta/models/gemini-2.0-flash:generateContent', header: 'x-goog-api-key' },
    /"code":\s*429.*"RESOURCE_EXHAUSTED"/,
  ],
  ['Midjourney', { path: '/mj/submit/imagine', header: 'mj-api-secret' }, /./],
])('the refusal is in the dialect of its caller: %s', async (_name, where, words) => {
  await guessKeys('192.0.2.4', LIMIT + 5)
  const refused = await ask({ from: '192.0.2.4', key: 'sk-wrong', ...where })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await refused.text()).replaceAll('\n', '')).toMatch(words)
})

test.each([
  ['a wrong key', { path: '/v1/chat/completions', key: 'sk-wrong' }],
  ['no key', { path: '/v1/messages', key: '' }],
  ['an unknown path', { path: '/v1/nothing-here', key: 'sk-wrong' }],
  ['an unknown model', { path: '/v1/models/nobody-has-this', key: 'valid' }],
  ['a body without sense', { path: '/v1/chat/completions', key: 'valid' }],
  ['a task nobody has', { path: '/mj/task/unknown/fetch', key: 'valid', header: 'mj-api-secret' }],
  ['a song that cannot be made', { path: '/suno/submit/music', key: 'valid' }],
])('errors of the relay are neither cached nor sniffed: %s', async (_name, wish) => {
  const refused = await ask({ from: '192.0.2.5', ...wish, key: wish.key === 'valid' ? key : wish.key })
  expect(refused.ok).toBe(false)
  expect(refused.headers.get('x-content-type-options')).toBe('nosniff')
  expect(refused.headers.get('cache-control')).toBe('no-store')
})
