import { ManualClock } from '@tollgate/kit/clock'
import { afterEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT, waitFor } from './send.ts'
import {
  answerWith,
  ChatStream,
  failWith,
  openScriptedUpstream,
  sendJson,
  type ReceivedRequest,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

/**
 * What a call costs whose caller leaves before the vendor answers. gpt-4o costs 1.25 units an input token and 5 an
 * output token, claude-haiku-4-5 costs 0.5 and 2.5, a call of gpt-image-fixed 100,000.
 */

const STREAM = { ...CHAT, stream: true }
const LONG = 'word '.repeat(4_000)
const PICTURE = { model: 'gpt-image-fixed', prompt: 'a gate' }
const LEFT_AFTER_MS = 700

let harness: RelayHarness
let upstream: ScriptedUpstream
let clock: ManualClock
/** Requests of the vendor that wait for `answerAll`. */
let pending: (() => void)[] = []
let leavers = 0
let cut = 0

async function open(respond: Responder = answerWith(), type = 1): Promise<void> {
  clock = new ManualClock()
  pending = []
  leavers = 0
  cut = 0
  harness = await openRelayHarness({ clock, limits: { orderPauseMs: 5 } })
  await harness.setOption('ModelPrice', JSON.stringify({ 'gpt-image-fixed': 0.2, 'wanx-v1': 0.2 }))
  await harness.setOption('ModelRatio', JSON.stringify({ 'gpt-4o': 1.25, 'claude-haiku-4-5': 0.5 }))
  upstream = await openScriptedUpstream((response, request) => {
    response.on('close', () => void (response.writableEnded || cut++))
    pending.push(() => void respond(response, request))
  })
  await harness.addChannel(upstream.url, { type, models: 'gpt-4o,gpt-image-fixed,claude-haiku-4-5,wanx-v1' })
}

afterEach(async () => {
  await harness.quiet()
  const { findings } = await harness.ledger.audit()
  const holds = await harness.openHolds()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  await harness.close()
  await upstream.close()
  expect({ findings, holds, bugs }).toEqual({ findings: [], holds: 0, bugs: [] })
})

interface Leaving {
  readonly bearer: string
  readonly body: unknown
  readonly path?: string
}

/** Sends a call and hangs up 0.7 s after the vendor has read it. */
async function leave({ bearer, body, path = '/v1/chat/completions' }: Leaving): Promise<void> {
  const seen = upstream.received.length
  const read = waitFor(() => upstream.received.length > seen)
  const leaveOnce = read.then(() => clock.advance(LEFT_AFTER_MS))
  await harness.send({ bearer, path, body, leaveOnce })
  await harness.noticed(++leavers)
}

function pass(ms: number): void {
  clock.advance(ms)
  harness.relay.tick()
}

function answerAll(): void {
  for (const answer of pending.splice(0)) answer()
}

interface Settlement {
  readonly units: bigint
  readonly flags: string
  readonly other: Record<string, unknown>
}

async function settlements(): Promise<Settlement[]> {
  const entries = await harness.entries()
  const logs = await harness.logs()
  return logs.map((log) => {
    const entry = entries.find(({ request_id: id }) => id === log.request_id)
    const other: Record<string, unknown> = JSON.parse(log.other)
    return { units: entry?.amount ?? 0n, flags: entry?.flags ?? '', other }
  })
}

async function onlySettlement(): Promise<Settlement> {
  await harness.quiet()
  const [first, ...more] = await settlements()
  expect(more).toEqual([])
  return first ?? { units: -1n, flags: 'none', other: {} }
}

const usage = { prompt_tokens: 4_000, completion_tokens: 100 }
const messageStart = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-haiku-4-5',
    content: [],
    usage: { input_tokens: 4_000, output_tokens: 1 },
  },
}

const whole = answerWith({ usage })
const streamed: Responder = (response) => new ChatStream(response).say('hi').finish().usage(usage).done()
const pictured: Responder = (response) =>
  sendJson(response, 200, { created: 1, data: [{ b64_json: 'AAAA' }] })

test.each([
  ['a whole answer', '/v1/chat/completions', CHAT, whole, 5_500n],
  ['a stream that had not begun', '/v1/chat/completions', STREAM, streamed, 5_500n],
  ['a picture at a price per call', '/v1/images/generations', PICTURE, pictured, 100_000n],
])(
  'a call that is left goes on until its vendor answers after 75 s, and costs what that reports: %s',
  async (_name, path, body, respond, units) => {
    await open(respond)
    const { bearer } = await harness.addCaller()
    await leave({ bearer, path, body })
    for (let seconds = 0; seconds < 75; seconds += 5) pass(5_000)
    expect([harness.relay.inFlight, cut]).toEqual([1, 0])
    answerAll()
    const settlement = await onlySettlement()
    expect(settlement).toMatchObject({ units, flags: 'client_gone', other: { left_ms: LEFT_AFTER_MS } })
    const [log] = await harness.logs()
    expect(Number(log?.duration_ms)).toBe(75_000 + LEFT_AFTER_MS)
  },
)

test('a Claude stream that told its input before the caller left is charged as it ends', async () => {
  await open((response) => {
    const events = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 100 } },
      { type: 'message_stop' },
    ]
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  }, 14)
  const told = upstream.respond
  upstream.respond = (response, request) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(`event: message_start\ndata: ${JSON.stringify(messageStart)}\n\n`)
    return told(response, request)
  }
  const { bearer } = await harness.addCaller()
  const messages = [{ role: 'user', content: LONG }]
  const body = { model: 'claude-haiku-4-5', max_tokens: 200, stream: true, messages }
  await leave({ bearer, path: '/v1/messages', body })
  pass(75_000)
  answerAll()
  expect(await onlySettlement()).toMatchObject({ units: 2_250n, flags: 'client_gone' })
})

test.each([
  ['that fails', () => answerAll(), failWith(503)],
  ['that breaks off', () => answerAll(), breakOff],
  ['that never answers', () => pass(600_000), answerWith()],
])('a call that is left costs nothing at a vendor %s', async (_name, end, respond) => {
  await open(respond)
  const { bearer, userId } = await harness.addCaller()
  await leave({ bearer, body: CHAT })
  pass(75_000)
  end()
  expect(await onlySettlement()).toMatchObject({ units: 0n, flags: '', other: { left_ms: LEFT_AFTER_MS } })
  expect(await harness.balance(userId)).toMatchObject({ used: 0n, reserved: 0n })
})

function breakOff(response: Parameters<Responder>[0]): void {
  response.writeHead(200, { 'content-length': '500', 'content-type': 'application/json' })
  response.write('{"choices":[')
  setTimeout(() => response.destroy(), 5)
}

test('a caller who tries again three times during an outage pays nothing', async () => {
  await open(failWith(503))
  const { bearer, userId } = await harness.addCaller()
  for (const body of [CHAT, STREAM, CHAT, STREAM]) {
    await leave({ bearer, body })
    pass(30_000)
  }
  expect(harness.relay.inFlight).toBe(4)
  pass(200_000)
  answerAll()
  await harness.quiet()
  expect((await settlements()).map(({ units }) => units)).toEqual([0n, 0n, 0n, 0n])
  expect(await harness.balance(userId)).toMatchObject({ used: 0n, reserved: 0n, remaining: 1_000_000n })
})

test.each([
  ['who has paid', false, 8],
  ['who has never paid', true, 2],
])('of a user %s at most a few calls go on; the oldest is ended and charged', async (_name, isGift, most) => {
  await open(answerWith())
  const { bearer } = await harness.addCaller({ isGift })
  const body = { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: LONG }] }
  for (let count = 0; count < most; count++) await leave({ bearer, body })
  expect(harness.relay.inFlight).toBe(most)
  await leave({ bearer, body: CHAT })
  await waitFor(() => harness.relay.inFlight === most)
  const [first, ...more] = await settlements()
  expect(more).toEqual([])
  expect(first?.flags.split(',').toSorted()).toEqual(['client_gone', 'partial'])
  expect(first?.other).toMatchObject({ left_ms: LEFT_AFTER_MS, left_end: 'displaced' })
  // 4,000 tokens of input at 1.25 units.
  expect(Number(first?.units)).toBeGreaterThan(4_900)
  expect(Number(first?.units)).toBeLessThan(5_200)
  await waitFor(() => cut === 1)
  answerAll()
})

test.each([
  ['that was accepted costs its price', true, 100_000n],
  ['that was not accepted costs nothing', false, 0n],
])('a displaced call at a price per call %s', async (_name, isAccepted, units) => {
  await open((response) => void (response.writableEnded || response.end('{"data":[{"b64_json":"AAAA"}]}')))
  if (isAccepted) {
    const later = upstream.respond
    upstream.respond = (response, request) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.flushHeaders()
      return later(response, request)
    }
  }
  const { bearer } = await harness.addCaller({ quota: 5_000_000n })
  for (let count = 0; count < 8; count++)
    await leave({ bearer, path: '/v1/images/generations', body: PICTURE })
  await leave({ bearer, body: CHAT })
  await waitFor(() => harness.relay.inFlight === 8)
  expect((await settlements()).map((settlement) => settlement.units)).toEqual([units])
  answerAll()
})

test('a call that is left before its request was sent whole ends at once and costs nothing', async () => {
  await open()
  let isReading = false
  const { bearer, userId } = await harness.addCaller({ quota: 1_000_000_000n })
  upstream.server.removeAllListeners('request')
  upstream.server.on('request', (request) => {
    isReading = true
    request.pause()
  })
  const body = {
    model: 'gpt-4o',
    max_tokens: 1,
    messages: [{ role: 'user', content: 'a'.repeat(24_000_000) }],
  }
  await harness.send({ bearer, body, leaveOnce: waitFor(() => isReading) })
  await harness.noticed()
  expect(await onlySettlement()).toMatchObject({ units: 0n, flags: '', other: { flags: ['client_gone'] } })
  expect(await harness.balance(userId)).toMatchObject({ used: 0n, reserved: 0n })
})

test('a picture is charged to who left, also if it could not be downloaded in the form that was asked for', async () => {
  const there = 'http://192.0.2.1/picture.png'
  await open((response) => sendJson(response, 200, { created: 1, data: [{ url: there }] }))
  const { bearer } = await harness.addCaller()
  const body = { ...PICTURE, response_format: 'b64_json' }
  await leave({ bearer, path: '/v1/images/generations', body })
  pass(75_000)
  answerAll()
  expect(await onlySettlement()).toMatchObject({ units: 100_000n, flags: 'client_gone' })
})

const order: Responder = (response, { path }: ReceivedRequest) => {
  const begun = { task_id: 't1', task_status: 'PENDING' }
  if (!path.includes('/tasks/')) return sendJson(response, 200, { output: begun })
  const results = [{ url: 'http://192.0.2.1/picture.png' }]
  return sendJson(response, 200, { output: { task_id: 't1', task_status: 'SUCCEEDED', results } })
}

test('an order that is polled goes on after its caller left', async () => {
  await open(order, 17)
  const { bearer } = await harness.addCaller()
  await leave({ bearer, path: '/v1/images/generations', body: { ...PICTURE, model: 'wanx-v1' } })
  answerAll()
  pass(75_000)
  await waitFor(() => pending.length > 0)
  answerAll()
  expect(await onlySettlement()).toMatchObject({ units: 100_000n, flags: 'client_gone' })
})
