import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT } from './send.ts'
import {
  answerWith,
  failWith,
  openScriptedUpstream,
  type Responder,
  type ScriptedUpstream,
  streamWith,
} from './upstream.ts'

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
let channelId: number

beforeEach(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream(answerWith())
  channelId = await harness.addChannel(upstream.url)
  ;({ bearer } = await harness.addCaller())
})
afterEach(async () => {
  await harness.close()
  await upstream.close()
})

function withHeaders(headers: Readonly<Record<string, string>>, respond: Responder): Responder {
  return (response, request) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return respond(response, request)
  }
}

async function lastRow(body: Record<string, unknown> = CHAT) {
  await harness.send({ bearer, body })
  await harness.settled()
  const row = (await harness.logs()).at(-1)
  return { ...row, other: JSON.parse(row?.other ?? '{}') }
}

test.each([
  ['a whole answer', {}, answerWith(), 2],
  ['a stream', { stream: true }, streamWith(), 2],
  ['an error', {}, failWith(400), 8],
  ['an answer that says no status', {}, failWith(200, { message: 'broken', type: 'x' }), 8],
] as const)('the row of %s has the vendor’s id', async (_name, more, respond, type) => {
  upstream.respond = withHeaders({ 'x-request-id': 'req_77' }, respond)
  const row = await lastRow({ ...CHAT, ...more })
  expect(row).toMatchObject({ type, upstream_request_id: 'req_77' })
  expect(row.other.admin_info.attempts).toMatchObject([{ upstream_id: 'req_77' }])
})

test('a vendor without an id leaves the column empty', async () => {
  expect(await lastRow()).toMatchObject({ type: 2, upstream_request_id: null })
})

test('each attempt keeps its own id, and the row that of the last', async () => {
  await harness.setOption('RetryTimes', '1')
  let calls = 0
  upstream.respond = (response, request) => {
    calls++
    const respond = calls === 1 ? failWith(500) : answerWith()
    return withHeaders({ 'request-id': `req_${calls}` }, respond)(response, request)
  }
  await harness.addChannel(upstream.url)
  const row = await lastRow()
  expect(row.upstream_request_id).toBe('req_2')
  expect(row.other.admin_info.attempts).toMatchObject([{ upstream_id: 'req_1' }, { upstream_id: 'req_2' }])
})

test('an attempt that nobody answered has no id of the attempt before it', async () => {
  await harness.setOption('RetryTimes', '1')
  const other = await openScriptedUpstream((response) => void response.destroy())
  upstream.respond = withHeaders({ 'request-id': 'req_1' }, failWith(500))
  await harness.addChannel(other.url, { priority: -1 })
  const row = await lastRow()
  expect(row.other.admin_info.attempts).toMatchObject([
    { upstream_id: 'req_1' },
    { outcome: 'do_request_failed' },
  ])
  expect(row.upstream_request_id).toBeNull()
  await other.close()
})

test('a failed attempt and a refused call are lines of the process log', async () => {
  upstream.respond = withHeaders(
    { 'x-request-id': 'req_9' },
    failWith(429, { message: 'x', code: 'slow_down' }),
  )
  await lastRow()
  const { request_id: requestId } = (await harness.logs()).at(-1) ?? {}
  expect(harness.said).toContainEqual(
    expect.objectContaining({
      message: 'an attempt at an upstream failed',
      requestId,
      upstreamRequestId: 'req_9',
      channelId,
      status: 429,
      cause: 'slow_down',
    }),
  )
  expect(harness.said).toContainEqual(
    expect.objectContaining({ message: 'a call failed', requestId, cause: 'slow_down', attempts: 1 }),
  )
})

test.each([
  ['an unknown model', { model: 'gpt-none' }],
  ['a body without messages', { messages: undefined }],
])('a call refused for %s is a line', async (_name, more) => {
  const { status, headers } = await harness.send({ bearer, body: { ...CHAT, ...more } })
  expect(status).toBeGreaterThanOrEqual(400)
  expect(harness.said).toContainEqual(
    expect.objectContaining({
      message: 'a call was refused',
      requestId: headers['x-oneapi-request-id'],
      status,
      attempts: 0,
    }),
  )
})

test('a connection that is refused is named by its error', async () => {
  await upstream.close()
  await lastRow()
  expect(harness.said).toContainEqual(
    expect.objectContaining({ message: 'an attempt at an upstream failed', detail: 'ECONNREFUSED' }),
  )
  upstream = await openScriptedUpstream()
})

test('no line has a key, an address or a text of the request', async () => {
  upstream.respond = failWith(400, { message: 'your text secret-prompt with sk-abcdefghijkl is bad' })
  await lastRow({ ...CHAT, messages: [{ role: 'user', content: 'secret-prompt' }] })
  const lines = JSON.stringify(harness.said)
  expect(lines).toContain('an attempt at an upstream failed')
  for (const secret of ['secret-prompt', 'sk-abcdefghijkl', 'upstream-key-1', bearer, '127.0.0.1'])
    expect(lines).not.toContain(secret)
})
