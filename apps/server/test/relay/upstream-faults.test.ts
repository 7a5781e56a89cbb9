import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { framesOf, listenFor } from './send.ts'
import { openSocketUpstream, type SocketUpstream } from './socket-upstream.ts'
import {
  answerWith,
  openScriptedUpstream,
  sendJson,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

/**
 * Upstreams of every dialect with every kind of fault: whether another channel is tried, which error is
 * recorded, and what is charged. Each model has a faulty channel and, after it, one that works.
 */

const RESTED_MS = 11 * 60_000
const ANSWER_MS = 30 * 60_000

const vendors = [
  { type: 1, model: 'by-openai', key: 'sk-1' },
  { type: 14, model: 'by-anthropic', key: 'sk-ant-1' },
  { type: 24, model: 'by-gemini', key: 'AIza-1' },
  { type: 4, model: 'by-ollama', key: 'any' },
  { type: 34, model: 'by-cohere', key: 'co-1' },
  { type: 18, model: 'by-spark', key: 'app|secret|key' },
  // A key as an older console stored it.
  { type: 40, model: 'by-newline', key: 'sk-1\r' },
] as const

type Model = (typeof vendors)[number]['model']

let harness: RelayHarness
let faulty: ScriptedUpstream
let sockets: SocketUpstream
let sound: ScriptedUpstream
let bearer: string
let entriesBefore: number
const clock = new ManualClock()
let lines: readonly string[] = []

beforeAll(async () => {
  harness = await openRelayHarness({
    clock,
    limits: { answerMs: ANSWER_MS, idleMs: 60_000, firstByteMs: 120_000 },
  })
  faulty = await openScriptedUpstream()
  sound = await openScriptedUpstream(answerWith())
  sockets = await openSocketUpstream(() => lines)
  for (const { type, model, key } of vendors) {
    const { url } = type === 18 ? sockets : faulty
    await harness.addChannel(url, { type, models: model, key, priority: 10 })
  }
  await harness.addChannel(sound.url, { models: vendors.map(({ model }) => model).join(',') })
  await harness.setOption(
    'ModelRatio',
    JSON.stringify(Object.fromEntries(vendors.map(({ model }) => [model, 1]))),
  )
  await harness.setOption('RetryTimes', '1')
})
afterAll(async () => {
  await harness.close()
  await Promise.all([faulty.close(), sound.close(), sockets.close()])
})

beforeEach(async () => {
  // The cool-down of keys that failed in the previous test is over.
  clock.advance(RESTED_MS)
  ;({ bearer } = await harness.addCaller())
  entriesBefore = (await harness.entries()).length
})
afterEach(async () => {
  await harness.quiet()
  const bugs = harness.said.filter(({ level }) => level === 'error')
  expect({
    holds: await harness.openHolds(),
    findings: (await harness.ledger.audit()).findings,
    bugs,
  }).toEqual({
    holds: 0,
    findings: [],
    bugs: [],
  })
})

function ask(model: Model, isStream: boolean) {
  return { bearer, body: { model, stream: isStream, messages: [{ role: 'user', content: 'hi' }] } }
}

/** The last call in ledger and log: its entries, and each attempt as `code status`. */
async function booked() {
  await harness.quiet()
  const entries = (await harness.entries()).slice(entriesBefore)
  const { other } = (await harness.logs()).at(-1) ?? { other: '' }
  const { admin_info: info }: { admin_info: { attempts: { outcome: string; status: number }[] } } =
    JSON.parse(other)
  return {
    amounts: entries.map(({ amount }) => amount),
    flags: entries.map(({ flags }) => flags).join(),
    attempts: info.attempts.map(({ outcome, status }) => `${outcome} ${status}`),
  }
}

function raw(body: string, type: string): Responder {
  return (response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }
}

const SSE = 'text/event-stream'
const NDJSON = 'application/x-ndjson'

interface Fault {
  readonly model: Model
  readonly does: string
  readonly respond: Responder
  /** The first attempt, as the operator sees it. */
  readonly attempt: string
  readonly isStream?: boolean
}

const spoken: Readonly<Record<string, Responder>> = {
  'by-openai': raw(
    '{"error":{"message":"busy","type":"server_error","code":"overheated"}}',
    'application/json',
  ),
  'by-anthropic': raw('{"type":"error","error":{"type":"api_error","message":"busy"}}', 'application/json'),
  'by-gemini': raw('{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}', 'application/json'),
  'by-ollama': raw('{"error":"busy"}', 'application/json'),
  'by-cohere': raw('{"message":"busy"}', 'application/json'),
}

const faults: readonly Fault[] = [
  ...(['by-openai', 'by-anthropic', 'by-gemini', 'by-ollama', 'by-cohere'] as const).flatMap((model) => [
    { model, does: 'an empty 200', respond: raw('', 'application/json'), attempt: 'empty_response 502' },
    { model, does: 'an empty stream', respond: raw('', SSE), attempt: 'empty_response 502', isStream: true },
    {
      model,
      does: 'a 200 with an error inside',
      respond: spoken[model] ?? raw('', ''),
      attempt: {
        'by-openai': 'overheated 502',
        'by-anthropic': 'bad_response_status_code 502',
        'by-gemini': 'unavailable 503',
        'by-ollama': 'stream_response_error 502',
        'by-cohere': 'stream_response_error 502',
      }[model],
    },
    {
      model,
      does: 'a page instead of an answer',
      respond: raw('<html></html>', 'text/html'),
      attempt: 'bad_response_body 502',
      isStream: true,
    },
  ]),
  {
    model: 'by-anthropic',
    does: 'an error as its first event',
    respond: raw(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
      SSE,
    ),
    attempt: 'bad_response_status_code 503',
    isStream: true,
  },
  {
    model: 'by-ollama',
    does: 'an error as its first line',
    respond: raw('{"error":"busy"}\n', NDJSON),
    attempt: 'stream_response_error 502',
    isStream: true,
  },
  {
    model: 'by-cohere',
    does: 'its last event first, and nothing else',
    respond: raw('data: {"type":"message-end","delta":{"finish_reason":"ERROR"}}\n\n', SSE),
    attempt: 'stream_response_error 502',
    isStream: true,
  },
]

describe.each(faults)('$model responds with $does', ({ model, respond, attempt, isStream = false }) => {
  test('another channel serves the call, and only its response is charged', async () => {
    faulty.respond = respond
    const before = faulty.received.length
    const answer = await harness.send(ask(model, isStream))
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('hello there')])
    expect(faulty.received).toHaveLength(before + 1)
    expect(await booked()).toEqual({ amounts: [15n], flags: '', attempts: [attempt, 'ok 200'] })
  })
})

test.each<[string, readonly string[], string]>([
  ['says that it is busy', ['{"header":{"code":10007,"message":"busy","status":2}}'], '10007 429'],
  ['hangs up without a word', [], 'empty_response 502'],
  ['says what is no JSON', ['hello'], 'bad_response_body 502'],
])('a WebSocket that %s: another channel answers', async (_name, said, attempt) => {
  lines = said
  for (const isStream of [true, false]) {
    clock.advance(RESTED_MS)
    const answer = await harness.send(ask('by-spark', isStream))
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('hello there')])
  }
  const { amounts, attempts } = await booked()
  expect(amounts).toEqual([15n, 15n])
  expect(attempts).toEqual([attempt, 'ok 200'])
})

test('a key with a line break is an error of the channel, and nothing is sent with it', async () => {
  const before = faulty.received.length
  const answer = await harness.send(ask('by-newline', false))
  expect(answer.status).toBe(200)
  expect(faulty.received).toHaveLength(before)
  expect((await booked()).attempts).toEqual(['channel_key_invalid 500', 'ok 200'])
})

test('an upstream that never begins times out, and another channel serves the call', async () => {
  const asked = new Promise<void>((resolve) => {
    faulty.respond = () => resolve()
  })
  const sent = harness.send(ask('by-gemini', true))
  await asked
  clock.advance(120_000)
  harness.relay.tick()
  expect((await sent).text).toContain('hello there')
  expect(await booked()).toEqual({
    amounts: [15n],
    flags: '',
    attempts: ['first_byte_timeout 504', 'ok 200'],
  })
})

const TOLD =
  'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"and so on "}]}}]}\n\n'

test('a stream that never ends is ended with an error and charged so far, without a retry', async () => {
  const left = new Promise<void>((resolve) => {
    faulty.respond = (response) => {
      response.once('close', resolve)
      response.writeHead(200, { 'content-type': SSE })
      response.write(TOLD)
    }
  })
  const before = sound.received.length
  const { seen, onText } = listenFor('and so on')
  const sent = harness.send({ ...ask('by-gemini', true), onText })
  await seen
  clock.advance(ANSWER_MS)
  harness.relay.tick()
  expect(framesOf((await sent).text).at(-1)).toContain('"stream_idle"')
  await left
  expect(sound.received).toHaveLength(before)
  const { amounts, flags } = await booked()
  expect([flags, amounts.length, (amounts[0] ?? 0n) > 0n]).toEqual(['partial', 1, true])
})

test.each<[Model, string, string, string]>([
  ['by-gemini', SSE, TOLD, 'data: {"error":{"code":500,"message":"lost","status":"INTERNAL"}}\n\n'],
  ['by-ollama', NDJSON, '{"message":{"content":"and so on "},"done":false}\n', '{"error":"lost"}\n'],
])(
  '%s fails after it began: the caller gets the failure, the part that came is charged, and no other channel is tried',
  async (model, type, begun, failure) => {
    const { seen, onText } = listenFor('and so on')
    faulty.respond = async (response) => {
      response.writeHead(200, { 'content-type': type })
      response.write(begun)
      await seen
      response.end(failure)
    }
    const before = sound.received.length
    const { text } = await harness.send({ ...ask(model, true), onText })
    expect(framesOf(text).at(-1)).toContain('lost')
    expect(sound.received).toHaveLength(before)
    const { amounts, flags } = await booked()
    expect([flags, amounts.length, (amounts[0] ?? 0n) > 0n]).toEqual(['partial', 1, true])
  },
)

test('events after the last one are ignored', async () => {
  const done =
    '{"model":"m","message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":5}'
  const more = '{"model":"m","message":{"role":"assistant","content":"and more"},"done":false}'
  faulty.respond = raw(
    `{"model":"m","message":{"content":"all"},"done":false}\n${done}\n${more}\n${done}\n`,
    NDJSON,
  )
  const { text } = await harness.send(ask('by-ollama', true))
  expect(text).toContain('all')
  expect(text).not.toContain('and more')
  expect(await booked()).toEqual({ amounts: [15n], flags: '', attempts: ['ok 200'] })
})

test('when every channel fails, the caller gets the last error and pays nothing', async () => {
  faulty.respond = spoken['by-gemini'] ?? raw('', '')
  sound.respond = (response) => sendJson(response, 500, { error: { message: 'also busy' } })
  const answer = await harness.send(ask('by-gemini', false))
  sound.respond = answerWith()
  expect([answer.status, answer.error['message']]).toEqual([500, expect.stringContaining('also busy')])
  const { amounts, attempts } = await booked()
  expect(amounts).toEqual([])
  expect(attempts[0]).toBe('unavailable 503')
})
