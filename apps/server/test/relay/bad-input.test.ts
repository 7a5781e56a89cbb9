import { on } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { messageWith } from './messages-upstream.ts'
import { CHAT, framesOf, listenFor } from './send.ts'
import { answerWith, ChatStream, openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/** Each of these requests gets a documented error, exactly one settlement or release, and no crash. */

const STREAM = { ...CHAT, stream: true }

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

beforeAll(async () => {
  harness = await openRelayHarness({ limits: { bodyBytesMax: 100_000 } })
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url)
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

let contacts = 0
beforeEach(async () => {
  upstream.respond = answerWith()
  ;({ bearer } = await harness.addCaller())
  contacts = upstream.received.length
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

const longText = 'a'.repeat(100_001)

test.each<[string, unknown, number, string]>([
  ['an unknown model', { ...CHAT, model: 'no-such-model' }, 503, 'no_channel'],
  ['no model', { messages: CHAT.messages }, 400, 'model_required'],
  ['malformed JSON', '{"model":"gpt-4o","messages":[', 400, 'unmarshal_request_failed'],
  ['a JSON list', [1, 2], 400, 'unmarshal_request_failed'],
  ['an empty body', '', 400, 'unmarshal_request_failed'],
  ['no messages', { model: 'gpt-4o' }, 400, 'member_missing'],
  ['messages that are none', { model: 'gpt-4o', messages: [7] }, 400, 'member_invalid'],
  ['a negative n', { ...CHAT, n: -1 }, 400, 'member_out_of_range'],
  ['a huge n', { ...CHAT, n: 1e9 }, 400, 'member_out_of_range'],
  ['n as a text', { ...CHAT, n: '2' }, 400, 'member_invalid'],
  ['a negative max_tokens', { ...CHAT, max_tokens: -5 }, 400, 'member_out_of_range'],
  ['a huge max_tokens', { ...CHAT, max_tokens: 1e18 }, 400, 'member_out_of_range'],
  ['a fraction of max_tokens', { ...CHAT, max_completion_tokens: 1.5 }, 400, 'member_out_of_range'],
  [
    'a body over the cap',
    { ...CHAT, messages: [{ role: 'user', content: longText }] },
    413,
    'body_too_large',
  ],
])('a call with %s is refused', async (_name, body, status, code) => {
  const answer = await harness.send({ bearer, body })
  expect(answer.status).toBe(status)
  expect(answer.error).toMatchObject({ code, type: 'tollgate_error' })
  expect(answer.error['message']).toContain(`(request id: ${String(answer.headers['x-request-id'])})`)
  expect(upstream.received).toHaveLength(contacts)
})

test.each([
  ['too large', 413, () => bearer],
  ['of a stranger', 401, () => 'sk-stranger'],
])(
  'a client still sending a body %s can read the error before the connection is closed',
  async (_name, status, key) => {
    const socket = connect(harness.port, '127.0.0.1')
    const answers = answersOn(socket)
    socket.write(headOf(key(), 5_000_000))
    expect(await answers.next()).toContain(`HTTP/1.1 ${status}`)
    for (let sent = 0; sent < 5_000_000; sent += 50_000) {
      await new Promise((resolve) => socket.write('a'.repeat(50_000), resolve))
    }
    const body = JSON.stringify(CHAT)
    socket.write(headOf(bearer, body.length) + body)
    expect(await answers.next()).toContain('HTTP/1.1 200')
    socket.destroy()
  },
)

function headOf(key: string, bytes: number): string {
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n`
  return `${head}content-length: ${bytes}\r\n\r\n`
}

/** Yields the chunks of a connection; each response here is small enough to arrive as one chunk. */
function answersOn(socket: Socket) {
  const pieces = on(socket, 'data')
  return { next: async () => String((await pieces.next()).value) }
}

test('a compressed body that exceeds the limit uncompressed is refused with 413', async () => {
  const body = gzipSync(JSON.stringify({ ...CHAT, messages: [{ role: 'user', content: longText }] }))
  const answer = await harness.send({ bearer, body, headers: { 'content-encoding': 'gzip' } })
  expect(answer.status).toBe(413)
})

test('a compressed body within the limit is read and forwarded uncompressed', async () => {
  const body = gzipSync(JSON.stringify(CHAT))
  const answer = await harness.send({ bearer, body, headers: { 'content-encoding': 'gzip' } })
  expect(answer.status).toBe(200)
  expect(upstream.received.at(-1)?.body).toEqual(CHAT)
})

const LOST_RESULT = {
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'tool', tool_call_id: 'lost', content: '21' },
  ],
}
const imageOf = (url: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
})
const NO_IMAGE = imageOf(`data:image/png;base64,${Buffer.from('<!doctype html><p>hi').toString('base64')}`)
const NOT_BASE64 = imageOf('data:image/jpeg;base64,%%%')
const DOCUMENT = imageOf(`data:image/png;base64,${Buffer.from('%PDF-1.7').toString('base64')}`)
const GEMINI = { type: 24, models: 'gemini-2.5-flash' }
const CLAUDE = { type: 14, models: 'claude-haiku-4-5-20251001' }
const NOVA = { type: 33, models: 'amazon.nova-pro-v1:0', key: 'AKIDEXAMPLE|secret|us-east-1' }

describe('requests that the upstream would refuse: a client error, no upstream call and no charge', () => {
  beforeAll(() => {
    const models = [GEMINI, CLAUDE, NOVA].map((channel) => [channel.models, 1] as const)
    return harness.setOption('ModelRatio', JSON.stringify({ 'gpt-4o': 1.25, ...Object.fromEntries(models) }))
  })

  test.each([
    ['a tool result without its call', 'Gemini', GEMINI, LOST_RESULT, "'lost' has no call"],
    ['a tool result without its call', 'Anthropic', CLAUDE, LOST_RESULT, "'lost' has no call"],
    ['a tool result without its call', 'Bedrock', NOVA, LOST_RESULT, "'lost' has no call"],
    ['an image that is none', 'Gemini', GEMINI, NO_IMAGE, 'image/png is not an image'],
    ['an image that is none', 'Anthropic', CLAUDE, NO_IMAGE, 'image/png is not an image'],
    ['an image that is not even base64', 'Anthropic', CLAUDE, NOT_BASE64, 'image/jpeg is not an image'],
    ['a document as an image', 'Gemini', GEMINI, DOCUMENT, 'image/png is not an image'],
  ])('%s is refused for %s', async (_what, _vendor, channel, ask, text) => {
    const model = channel.models
    for (let each = 0; each < 2; each++) await harness.addChannel(upstream.url, channel)
    await harness.setOption('RetryTimes', '3')
    const before = await harness.entries()
    const { status, error } = await harness.send({ bearer, body: { ...ask, model } })
    await harness.setOption('RetryTimes', '0')
    expect([status, error]).toMatchObject([400, { message: expect.stringContaining(text) }])
    expect(upstream.received).toHaveLength(contacts)
    expect(await harness.entries()).toEqual(before)
    expect(harness.disabled).toEqual([])
  })
})

test('an image is sent with the media type of its bytes, whatever the caller declared', async () => {
  upstream.respond = messageWith()
  await harness.addChannel(upstream.url, CLAUDE)
  const data = Buffer.from('\xff\xd8\xff\xe0 a photograph', 'latin1').toString('base64')
  const body = { ...imageOf(`data:image/png;base64,${data}`), model: CLAUDE.models }
  expect((await harness.send({ bearer, body })).status).toBe(200)
  expect(upstream.received.at(-1)?.body['messages']).toMatchObject([
    { content: [{ source: { type: 'base64', media_type: 'image/jpeg', data } }] },
  ])
})

test('names such as __proto__ are treated as ordinary names', async () => {
  const text = '{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}],"__proto__":{"stream":true}}'
  expect((await harness.send({ bearer, body: text })).status).toBe(200)
  expect((await harness.send({ bearer, body: { ...CHAT, model: '__proto__' } })).status).toBe(503)
})

test('an unreachable upstream gives an error without its address', async () => {
  await harness.addChannel('http://127.0.0.1:1', { models: 'dead' })
  await harness.setOption('ModelRatio', '{"gpt-4o":1.25,"dead":1}')
  const answer = await harness.send({ bearer, body: { ...CHAT, model: 'dead' } })
  expect([answer.status, answer.error]).toMatchObject([500, { code: 'do_request_failed' }])
  expect(answer.text).not.toContain('127.0.0.1')
})

test('an upstream at a forbidden address gives an error without the address', async () => {
  await harness.addChannel('http://169.254.169.254', { models: 'dead' })
  const answer = await harness.send({ bearer, body: { ...CHAT, model: 'dead' } })
  expect(answer.status).toBe(500)
  expect(answer.text).not.toContain('169.254')
})

type Body = string | Buffer

function answerRaw(body: Body, type = 'application/json') {
  upstream.respond = (response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }
}

test.each<[string, Body, string, string]>([
  ['garbage', Buffer.from([0, 255, 1, 254]), 'application/octet-stream', 'bad_response_body'],
  ['HTML', '<html><body>It works!</body></html>', 'text/html', 'bad_response_body'],
  ['HTML that says it is JSON', '<html></html>', 'application/json', 'bad_response_body'],
  ['an empty body', '', 'application/json', 'empty_response'],
  ['half an answer', '{"choices":[{"message":{"content":"hel', 'application/json', 'bad_response_body'],
  ['an answer of another kind', '{"ok":true}', 'application/json', 'bad_response_body'],
])('an upstream that answers %s, whole and streamed', async (_name, body, type, code) => {
  answerRaw(body, type)
  const before = await harness.entries()
  for (const ask of [CHAT, STREAM]) {
    const answer = await harness.send({ bearer, body: ask })
    expect([answer.status, answer.error]).toMatchObject([502, { code }])
  }
  expect(await harness.entries()).toEqual(before)
})

test.each<[string, string]>([
  ['an empty body', ''],
  ['comments only', ': ping\n\n: ping\n\n'],
  ['half a frame', 'data: {"choices":[{"delta":{"content":"hel'],
  ['frames that are no JSON', 'data: hello\n\ndata: {not json}\n\n'],
])('a broken stream: %s', async (_name, body) => {
  answerRaw(body, 'text/event-stream')
  const answer = await harness.send({ bearer, body: STREAM })
  expect(answer.status).toBe(502)
  expect(answer.error).toHaveProperty('code')
})

test('a stream that ends within an event after output ends with an error, and the partial event is not forwarded', async () => {
  upstream.respond = (response) => {
    new ChatStream(response).say('hello').raw('data: {"choices":[{"delta":{"content":"hal')
    response.end()
  }
  const { text } = await harness.send({ bearer, body: STREAM })
  const frames = framesOf(text)
  expect(frames.map((frame) => typeof JSON.parse(frame))).toEqual(['object', 'object'])
  expect(frames[1]).toContain('stream_broken')
})

test('an error event in a 200 response before any output becomes an error with its status', async () => {
  upstream.respond = (response) => {
    new ChatStream(response).frame({ error: { message: 'slow down', type: 'rate_limit_error' } }).done()
  }
  expect((await harness.send({ bearer, body: STREAM })).status).toBe(429)
})

test('an error event after output ends the stream with an error, without a retry', async () => {
  await harness.setOption('RetryTimes', '3')
  upstream.respond = async (response) => {
    const error = { message: 'overheated at 10.1.2.3', type: 'server_error' }
    const stream = new ChatStream(response).say('hello')
    await seen
    stream.frame({ error }).done()
  }
  const { seen, onText } = listenFor('hello')
  const { text } = await harness.send({ bearer, body: STREAM, onText })
  expect(framesOf(text).at(-1)).toContain('overheated')
  expect(text).not.toContain('10.1.2.3')
  expect(text.match(/hello/g)).toHaveLength(1)
  expect(upstream.received).toHaveLength(contacts + 1)
  await harness.setOption('RetryTimes', '0')
})

test('a complete JSON response to a stream request becomes a stream', async () => {
  const { text, headers } = await harness.send({ bearer, body: STREAM })
  expect(headers['content-type']).toContain('text/event-stream')
  expect(framesOf(text).at(-1)).toBe('[DONE]')
  expect(text).toContain('hello there')
})

test('a client that disconnects at any moment leaves no open hold', async () => {
  upstream.respond = async (response) => {
    const stream = new ChatStream(response)
    for (const word of ['a', 'b', 'c', 'd']) {
      stream.say(word)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    stream.finish().usage().done()
  }
  const leaving = Array.from({ length: 40 }, (_value, i) =>
    harness.send({ bearer, body: STREAM, leaveAfterMs: Math.floor(i / 2) }),
  )
  await Promise.all(leaving)
  await harness.quiet()
  expect(await harness.openHolds()).toBe(0)
})
