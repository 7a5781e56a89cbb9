import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT } from './send.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** The session and the client of a call are columns of its log row. */

let harness: RelayHarness
let upstream: ScriptedUpstream

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url)
})
beforeEach(() => {
  upstream.respond = (answer) =>
    sendJson(answer, 200, {
      id: 'c',
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 2000,
        completion_tokens: 5,
        total_tokens: 2005,
        prompt_tokens_details: { cached_tokens: 1536 },
      },
    })
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

async function rowOf(bearer: string, more: { headers?: Record<string, string>; body?: object }) {
  const body = { ...CHAT, ...more.body }
  await harness.send({ bearer, body, headers: more.headers })
  await harness.quiet()
  return (await harness.logs()).at(-1)
}

test('a row has the session as a keyed hash that depends on its owner, and the client with its version', async () => {
  const [first, second] = [await harness.addCaller(), await harness.addCaller()]
  const headers = { 'x-session-id': 'my-secret-project', 'user-agent': 'codex_exec/0.169.0 (Linux; x86_64)' }
  const row = await rowOf(first.bearer, { headers })
  expect(row).toMatchObject({ client: 'codex', client_version: '0.169.0', cached_tokens: 1536 })
  expect(row?.session).toMatch(/^[\w-]{24}$/)
  const body = { prompt_cache_key: 'my-secret-project' }
  expect((await rowOf(first.bearer, { body }))?.session).toBe(row?.session)
  expect((await rowOf(second.bearer, { body }))?.session).not.toBe(row?.session)
  expect(
    JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
  ).not.toContain('my-secret')
})

test('a row says what the upstream’s cache saved, and its charge is not changed by that', async () => {
  const { bearer } = await harness.addCaller()
  const row = await rowOf(bearer, {})
  // The model ratio is 1.25, and a cached token costs half.
  expect(row?.cache_saved).toBe(960n)
  expect(row?.quota).toBe(1565n)
  expect(row?.session).toBeNull()
  upstream.respond = (answer) => sendJson(answer, 500, { error: { message: 'down' } })
  expect(await rowOf(bearer, { body: { user: 'u' } })).toMatchObject({
    cached_tokens: null,
    cache_saved: null,
    type: 8,
  })
})

test('a refused call has its session too', async () => {
  const { bearer } = await harness.addCaller({ quota: 0n })
  const row = await rowOf(bearer, { headers: { session_id: 'abc' } })
  await harness.settled()
  const refused = (await harness.logs()).at(-1)
  expect(row?.request_id === refused?.request_id).toBe(false)
  expect(refused).toMatchObject({ type: 8, session: expect.stringMatching(/^[\w-]{24}$/), client: 'other' })
})
