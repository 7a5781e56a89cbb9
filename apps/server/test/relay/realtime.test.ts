import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { ManualClock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import type { CallLedger } from '../../src/relay/call-ledger.ts'
import { methodsOf } from './ledger-methods.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openConnectProxy } from './connect-proxy.ts'
import { waitFor } from './send.ts'

/**
 * Realtime sessions over a WebSocket: frames in both directions, one charge for all turns, and every way a
 * session can end.
 */

const MODEL = 'gpt-4o-realtime-preview'
const BETA = 'openai-beta.realtime-v1'
const PATH = `/v1/realtime?model=${MODEL}`

let harness: RelayHarness
let vendor: Vendor
let userId: number
let bearer: string
const sockets: WebSocket[] = []
const checkpoint = vi.fn<CallLedger['checkpoint']>()

beforeAll(async () => {
  harness = await openRelayHarness({
    callLedger: (ledger) => ({
      ...methodsOf(ledger),
      checkpoint: checkpoint.mockImplementation((input) => ledger.checkpoint(input)),
    }),
  })
  vendor = await openVendor()
  await harness.addChannel(vendor.url, { models: MODEL })
  ;({ bearer, userId } = await harness.addCaller({ quota: 10_000_000n }))
})
afterEach(() => {
  vendor.refusal = undefined
  for (const socket of sockets.splice(0)) socket.terminate()
})
afterAll(async () => {
  await vendor.close()
  await harness.close()
})

function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : ''
}

/** A scripted vendor: sends what a test requests and records what it receives. */
type Vendor = Awaited<ReturnType<typeof openVendor>>

async function openVendor() {
  const sessions: VendorSession[] = []
  const state: { refusal: number | undefined } = { refusal: undefined }
  const server = createServer()
  const door = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (state.refusal === undefined)
      return door.handleUpgrade(request, socket, head, (end) =>
        sessions.push(new VendorSession(end, request)),
      )
    const body = '{"error":{"message":"no more seats","type":"server_error"}}'
    socket.end(
      `HTTP/1.1 ${state.refusal} No\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the vendor listens on a port')
  return Object.assign(state, {
    url: `http://127.0.0.1:${address.port}`,
    sessions,
    next: async (): Promise<VendorSession> => {
      const count = sessions.length
      await waitFor(() => sessions.length > count)
      const session = sessions.at(-1)
      invariant(session, 'a session has begun')
      return session
    },
    close: async () => {
      for (const { end } of sessions) end.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

class VendorSession {
  readonly end: WebSocket
  readonly request: IncomingMessage
  readonly received: string[] = []

  constructor(end: WebSocket, request: IncomingMessage) {
    this.end = end
    this.request = request
    end.on('message', (data) => this.received.push(textOf(data)))
    this.say('session.created', { session: { output_audio_format: 'pcm16', tools: [] } })
  }

  say(type: string, more: object = {}): void {
    this.end.send(JSON.stringify({ type, event_id: 'event_1', ...more }))
  }

  /** Sends a complete response; `null` leaves its usage out. */
  answer(usage: object | null = USAGE): void {
    this.say('response.created', { response: { id: 'resp_1' } })
    this.say('response.output_audio_transcript.delta', { delta: 'Welcome to the gate.' })
    this.say('response.done', { response: { id: 'resp_1', status: 'completed', ...(usage && { usage }) } })
  }
}

const USAGE = {
  total_tokens: 200,
  input_tokens: 120,
  output_tokens: 80,
  input_token_details: {
    text_tokens: 20,
    audio_tokens: 100,
    cached_tokens: 40,
    cached_tokens_details: { text_tokens: 0, audio_tokens: 40 },
  },
  output_token_details: { text_tokens: 10, audio_tokens: 70 },
}
/** Interval at which the gateway pings a caller. */
const PING_MS = 30_000
/**
 * Ratio 2.5; 20 text + 40 cached x 0.5 + 60 audio x 8 for input, then 10 text x 4 + 70 audio x 8 x 2 for
 * output.
 */
const TURN = BigInt((20 + 40 * 0.5 + 60 * 8 + 10 * 4 + 70 * 8 * 2) * 2.5)

interface CallerEnd {
  readonly socket: WebSocket
  readonly received: Record<string, unknown>[]
  readonly closed: Promise<number>
}

function enter(options: { path?: string; key?: string; protocols?: string[] } = {}): CallerEnd {
  const { path = PATH, key = bearer, protocols = [] } = options
  const headers = protocols.length > 0 ? {} : { authorization: `Bearer ${key}` }
  const socket = new WebSocket(`ws://127.0.0.1:${harness.port}${path}`, protocols, { headers })
  sockets.push(socket)
  const received: Record<string, unknown>[] = []
  socket.on('message', (data) => received.push(JSON.parse(textOf(data))))
  socket.on('error', () => undefined)
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  socket.once('close', resolve)
  return { socket, received, closed }
}

const types = ({ received }: CallerEnd) => received.map(({ type }) => type)
const errorOf = ({ received }: CallerEnd) => received.at(-1)?.['error']

async function lastCharge() {
  await harness.quiet()
  const entry = (await harness.entries()).at(-1)
  const row = (await harness.logs()).at(-1)
  const other: Record<string, unknown> = JSON.parse(row?.other ?? '{}')
  return { amount: entry?.amount, flags: entry?.flags, row, other }
}

const entryCount = async () => (await harness.entries()).length

test('the official client works, and a session of two turns is charged once', async () => {
  const before = await harness.balance(userId)
  const count = await entryCount()
  const begun = vendor.next()
  const client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1` })
  // The client insists on TLS, which would end at a proxy in front of the gateway.
  const options = { createConnection: () => connect(harness.port, '127.0.0.1') }
  const realtime = new OpenAIRealtimeWS({ model: MODEL, options }, client)
  const done = Promise.withResolvers<void>()
  let responses = 0
  const texts: string[] = []
  realtime.on('response.output_audio_transcript.delta', ({ delta }) => texts.push(delta))
  realtime.on('response.done', () => {
    if (++responses === 2) done.resolve()
  })
  realtime.on('error', done.reject)
  realtime.socket.once('open', () => realtime.send({ type: 'response.create' }))
  const session = await begun
  await waitFor(() => session.received.length === 1)
  expect(JSON.parse(session.received[0] ?? '')).toEqual({ type: 'response.create' })
  expect(session.request).toMatchObject({
    url: PATH,
    headers: { authorization: 'Bearer upstream-key-1', 'openai-beta': 'realtime=v1' },
  })
  session.answer()
  session.answer()
  await done.promise
  expect(texts).toEqual(['Welcome to the gate.', 'Welcome to the gate.'])
  realtime.close({ code: 1000, reason: 'done' })
  const { amount, flags, row, other } = await lastCharge()
  expect({ amount, flags }).toEqual({ amount: 2n * TURN, flags: '' })
  expect(row).toMatchObject({ model_name: MODEL, is_stream: 1, quota: 2n * TURN, prompt_tokens: 240 })
  expect(other).toMatchObject({
    ws: true,
    audio_input: 120,
    audio_output: 140,
    text_input: 40,
    cache_tokens: 80,
  })
  // Unlike new-api: the reservation is released, and the sum is not charged a second time.
  expect(await entryCount()).toBe(count + 1)
  expect(await harness.balance(userId)).toMatchObject({
    remaining: (before?.remaining ?? 0n) - 2n * TURN,
    reserved: 0n,
  })
})

test('what a turn costs is written before the caller gets the end of the turn', async () => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  await waitFor(() => types(caller).length === 1)
  checkpoint.mockClear()
  const send = vi.spyOn(WebSocket.prototype, 'send')
  session.answer()
  await waitFor(() => types(caller).includes('response.done'))
  const places = send.mock.invocationCallOrder.filter((_place, index) => {
    const data = send.mock.calls[index]?.[0]
    const text = Buffer.isBuffer(data) ? data.toString() : data
    return typeof text === 'string' && text.includes('response.done')
  })
  send.mockRestore()
  // The vendor sends the end of the turn first, and then the gateway does.
  expect(places).toHaveLength(2)
  const [fromVendor = 0, toCaller = 0] = places
  const [written = 0] = checkpoint.mock.invocationCallOrder
  expect([written > fromVendor, written < toCaller]).toEqual([true, true])
  caller.socket.close(1000)
  expect(await lastCharge()).toMatchObject({ amount: TURN, flags: '' })
})

test('a browser sends its key as a subprotocol, and the key is neither forwarded nor returned', async () => {
  const begun = vendor.next()
  const key = bearer.replace('sk-', '')
  const caller = enter({
    protocols: ['realtime', `openai-insecure-api-key.${key}`, 'openai-beta.realtime-v1'],
  })
  const session = await begun
  expect(caller.socket.protocol).toBe('realtime')
  expect(JSON.stringify(session.request.headers)).not.toContain(key)
  caller.socket.close()
  await lastCharge()
})

test.each([
  { form: 'general', headers: {}, protocols: [], beta: undefined },
  { form: 'beta', headers: { 'openai-beta': 'realtime=v1' }, protocols: [], beta: 'realtime=v1' },
  { form: 'beta in a browser', headers: {}, protocols: ['realtime', BETA], beta: 'realtime=v1' },
])('a caller of the $form form reaches the vendor in that form', async ({ headers, protocols, beta }) => {
  const model = 'gpt-4o-mini-realtime-preview'
  // Preview models ask for the beta form by themselves.
  await harness.addChannel(vendor.url, { models: model, model_mapping: `{"${model}":"gpt-realtime-2"}` })
  const begun = vendor.next()
  const keys = protocols.length > 0 ? [`openai-insecure-api-key.${bearer.replace('sk-', '')}`] : []
  const path = `ws://127.0.0.1:${harness.port}/v1/realtime?model=${model}`
  const socket = new WebSocket(path, [...protocols, ...keys], {
    headers: { ...headers, ...(keys.length === 0 && { authorization: `Bearer ${bearer}` }) },
  })
  sockets.push(socket)
  const session = await begun
  expect(session.request.headers['openai-beta']).toBe(beta)
  expect(JSON.stringify(session.request.headers)).not.toContain('insecure')
  socket.close()
  await lastCharge()
})

test('a key sent as a subprotocol is not accepted on other routes', async () => {
  const headers = { 'sec-websocket-protocol': `openai-insecure-api-key.${bearer.replace('sk-', '')}` }
  const answer = await harness.send({ method: 'GET', path: '/v1/models', headers })
  expect(answer).toMatchObject({ status: 401, error: { code: 'token_missing' } })
})

test('a refused session gets an error event', async () => {
  const stranger = enter({ key: 'sk-unknown' })
  await stranger.closed
  expect(stranger.received).toMatchObject([{ type: 'error', event_id: expect.stringMatching(/^evt_\d{17}/) }])
  expect(errorOf(stranger)).toMatchObject({ code: 'token_invalid' })
  const nameless = enter({ path: '/v1/realtime' })
  await nameless.closed
  expect(errorOf(nameless)).toMatchObject({ code: 'model_required' })
  const other = enter({ path: '/v1/realtime?model=gpt-4o' })
  await other.closed
  expect(errorOf(other)).toMatchObject({ code: 'no_channel' })
  const poor = await harness.addCaller({ quota: 10n })
  const caller = enter({ key: poor.bearer })
  await caller.closed
  expect(errorOf(caller)).toMatchObject({ code: 'insufficient_user_quota' })
  const elsewhere = enter({ path: '/v1/chat/completions' })
  expect(await elsewhere.closed).toBe(1006)
})

test('frames that are not JSON are forwarded in both directions', async () => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  const echoes: unknown[] = []
  session.end.on('message', (data, isBinary) => session.end.send(data, { binary: isBinary }))
  caller.socket.removeAllListeners('message')
  caller.socket.on('message', (data, isBinary) => echoes.push(isBinary ? data : textOf(data)))
  await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
  caller.socket.send('not JSON')
  caller.socket.send(Buffer.from([1, 2, 3]))
  await waitFor(() => echoes.length >= 2)
  expect(echoes.slice(-2)).toEqual(['not JSON', Buffer.from([1, 2, 3])])
  caller.socket.close()
  await harness.quiet()
})

test('a caller who disconnects during a response is charged the usage that the upstream reports', async () => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  session.say('response.created')
  await waitFor(() => types(caller).includes('response.created'))
  const before = harness.socketsClosed()
  caller.socket.terminate()
  await waitFor(() => harness.socketsClosed() > before)
  session.say('response.done', { response: { usage: USAGE } })
  expect(await lastCharge()).toMatchObject({ amount: TURN, flags: 'client_gone' })
  await waitFor(() => session.end.readyState === WebSocket.CLOSED)
})

test('a response that the upstream breaks off is charged by the local count, and the caller gets an error event', async () => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  caller.socket.once('open', () => undefined)
  session.say('conversation.item.created', {
    item: { content: [{ type: 'input_text', text: 'Open the gate' }] },
  })
  session.say('response.created')
  // One second of audio.
  session.say('response.output_audio.delta', { delta: Buffer.alloc(48_000).toString('base64') })
  await waitFor(() => types(caller).includes('response.output_audio.delta'))
  session.end.terminate()
  await caller.closed
  expect(errorOf(caller)).toMatchObject({ code: 'stream_broken' })
  const { amount, flags, other } = await lastCharge()
  expect(flags).toBe('partial')
  expect(other).toMatchObject({ text_input: 3, audio_output: 13 })
  // (3 + 13 x 8 x 2) x 2.5.
  expect(amount).toBe(528n)
})

test('turns without usage are counted locally and flagged as estimated', async () => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  session.answer(null)
  await waitFor(() => types(caller).includes('response.done'))
  caller.socket.close()
  const { flags, other } = await lastCharge()
  expect(flags).toBe('estimated')
  expect(other).toMatchObject({ ws: true, cache_tokens: 0 })
})

const isTranscript = (type: unknown) => String(type).endsWith('transcription.completed')

test('a minute of audio and its sixty transcripts are charged although no response was requested', async () => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
  const second = Buffer.alloc(48_000).toString('base64')
  for (let place = 0; place < 60; place++) {
    caller.socket.send(JSON.stringify({ type: 'input_audio_buffer.append', audio: second }))
    await waitFor(() => session.received.length > place)
    // The vendor reports usage for half of them, in either of its two forms.
    const usage = [
      undefined,
      { type: 'duration', seconds: 1 },
      undefined,
      { type: 'tokens', input_tokens: 28, input_token_details: { audio_tokens: 28 }, output_tokens: 4 },
    ][place % 4]
    session.say('conversation.item.input_audio_transcription.completed', {
      transcript: 'Open the gate',
      ...(usage && { usage }),
    })
  }
  await waitFor(() => types(caller).filter(isTranscript).length === 60)
  caller.socket.close()
  const { amount, flags, other } = await lastCharge()
  expect(flags).toBe('estimated')
  // Audio: 30 x 27 counted, 30 x 28 reported. Text: 30 x 3 counted, 15 x 4 reported. Both times 2.5, as all
  // prices.
  expect(other).toMatchObject({ audio_input: 1_650, text_output: 150 })
  expect(amount).toBe(BigInt((1_650 * 8 + 150 * 4) * 2.5))
})

const MCP = { type: 'mcp', server_label: 'a', server_url: 'https://a.test' }

test.each([
  ['session.update', { session: { tools: [MCP] } }, 'tools.mcp'],
  ['response.create', { response: { tools: [{ type: 'function', name: 'f' }, MCP] } }, 'tools.mcp'],
  ['session.update', { session: { prompt: { id: 'pmpt_1' } } }, 'prompt'],
])('%s with %j reaches only a channel that allows it', async (type, more, param) => {
  const event = JSON.stringify({ type, ...more })
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
  caller.socket.send(event)
  caller.socket.send('{"type":"response.cancel"}')
  await waitFor(() => session.received.length > 0 && caller.received.some((each) => each['type'] === 'error'))
  expect(session.received).toEqual(['{"type":"response.cancel"}'])
  expect(errorOf(caller)).toMatchObject({ code: 'member_not_allowed', param })
  caller.socket.close()
  for (const choice of [true, 'as_before']) {
    const model =
      choice === true ? 'gpt-4o-realtime-preview-2024-12-17' : 'gpt-4o-realtime-preview-2024-10-01'
    await harness.addChannel(vendor.url, {
      models: model,
      setting: JSON.stringify({ stored_context: choice }),
    })
    const next = vendor.next()
    const allowed = enter({ path: `/v1/realtime?model=${model}` })
    const open = await next
    await waitFor(() => allowed.socket.readyState === WebSocket.OPEN)
    allowed.socket.send(event)
    await waitFor(() => open.received.length > 0)
    expect(open.received).toEqual([event])
    allowed.socket.close()
  }
  await harness.quiet()
})

const MINI = 'gpt-4o-mini-transcribe'

test.each([
  [
    'the model of the session',
    { session: { model: 'gpt-5-pro', voice: 'alloy' } },
    { session: { voice: 'alloy' } },
  ],
  [
    'the model of a response',
    { response: { Model: 'gpt-5-pro', metadata: {} } },
    { response: { metadata: {} } },
  ],
  [
    'a model inside what nobody knows',
    { session: { judge: { model: 'gpt-5-pro' } } },
    { session: { judge: {} } },
  ],
  ['an address', { session: { voice: 'ash', api_base: 'http://a.test' } }, { session: { voice: 'ash' } }],
])('%s is taken out of a frame: %j', async (_what, sent, kept) => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
  caller.socket.send(JSON.stringify({ type: 'session.update', ...sent }))
  await waitFor(() => session.received.length > 0)
  expect(JSON.parse(session.received[0] ?? '')).toEqual({ type: 'session.update', ...kept })
  caller.socket.close()
})

test.each([
  [{ Session: { voice: 'ash' } }, 'member_misspelled'],
  [{ session: { Tools: [MCP] } }, 'member_misspelled'],
  [{ rеsponse: { instructions: 'hi' } }, 'member_misspelled'],
  [{ session: { tools: [], TOOLS: [MCP] } }, 'member_repeated'],
  [{ session: { input_audio_transcription: { model: 'nobody-knows' } } }, 'model_of_member_refused'],
  [{ session: { audio: { input: { transcription: { model: 'gpt-5-pro' } } } } }, 'model_of_member_refused'],
])('a frame with %j is refused and reaches no vendor', async (sent, code) => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
  caller.socket.send(JSON.stringify({ type: 'session.update', ...sent }))
  caller.socket.send('{"type":"response.cancel"}')
  await waitFor(() => session.received.length > 0 && caller.received.some((each) => each['type'] === 'error'))
  expect(session.received).toEqual(['{"type":"response.cancel"}'])
  expect(errorOf(caller)).toMatchObject({ code })
  caller.socket.close()
})

test('a transcription by a model that costs no more than the session reaches the vendor', async () => {
  const frame = JSON.stringify({
    type: 'session.update',
    session: { input_audio_transcription: { model: MINI, language: 'en' } },
  })
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  await waitFor(() => caller.socket.readyState === WebSocket.OPEN)
  caller.socket.send(frame)
  await waitFor(() => session.received.length > 0)
  expect(session.received).toEqual([frame])
  caller.socket.close()
})

test('a session without any turn costs nothing', async () => {
  const count = await entryCount()
  const begun = vendor.next()
  const caller = enter()
  await begun
  caller.socket.close()
  await harness.quiet()
  expect(await entryCount()).toBe(count)
  expect(await harness.openHolds()).toBe(0)
})

test('a session ends when the balance cannot pay for another turn, and leaves no debt', async () => {
  const { amount: first } = await holdOfASession()
  const poor = await harness.addCaller({ quota: first + TURN })
  const begun = vendor.next()
  const caller = enter({ key: poor.bearer })
  const session = await begun
  session.answer()
  await waitFor(() => types(caller).filter((type) => type === 'response.done').length === 1)
  session.answer()
  await caller.closed
  expect(errorOf(caller)).toMatchObject({ code: 'session_exhausted' })
  expect(await lastCharge()).toMatchObject({ amount: 2n * TURN, flags: 'cut' })
  expect(await harness.balance(poor.userId)).toMatchObject({
    remaining: first - TURN,
    reserved: 0n,
    debt: 0n,
  })
})

test('a session exposes at most the cost of one turn, however long it lasts, so that other calls can run beside it', async () => {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  const hold = () => harness.db.selectFrom('hold').select(['amount', 'ceiling']).executeTakeFirstOrThrow()
  const first = await hold()
  for (let turns = 1; turns <= 3; turns++) {
    session.answer()
    await expect.poll(async () => (await hold()).amount).toBe(first.amount + BigInt(turns) * TURN)
  }
  const last = await hold()
  expect(last.ceiling - last.amount).toBe(first.ceiling - first.amount)
  expect(await harness.balance(userId)).toMatchObject({ exposed: last.ceiling - last.amount })
  caller.socket.close()
  expect(await lastCharge()).toMatchObject({ amount: 3n * TURN, flags: '' })
  expect(await harness.balance(userId)).toMatchObject({ exposed: 0n, reserved: 0n })
})

/** Measures the amount held when a session begins, and the checkpoint recorded after a turn. */
async function holdOfASession(): Promise<{ amount: bigint; checkpoint: bigint }> {
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  const begin = await harness.db.selectFrom('hold').select(['amount']).executeTakeFirstOrThrow()
  session.answer()
  await waitFor(() => types(caller).includes('response.done'))
  await expect
    .poll(
      async () => (await harness.db.selectFrom('hold').select('checkpoint').executeTakeFirst())?.checkpoint,
    )
    .toBe(TURN)
  caller.socket.close()
  await harness.quiet()
  return { amount: begin.amount, checkpoint: TURN }
}

test('a refusal of the upstream is reported to the caller, and another channel is tried', async () => {
  vendor.refusal = 503
  const caller = enter()
  await caller.closed
  expect(errorOf(caller)).toMatchObject({ message: expect.stringContaining('no more seats') })
  await harness.setOption('RetryTimes', '1')
  await harness.addChannel('http://127.0.0.1:9', { models: MODEL, priority: 5 })
  vendor.refusal = undefined
  const begun = vendor.next()
  const again = enter()
  const session = await begun
  session.answer()
  await waitFor(() => types(again).includes('response.done'))
  again.socket.close()
  const { amount, other } = await lastCharge()
  expect(amount).toBe(TURN)
  expect(other['admin_info']).toMatchObject({
    attempts: [{ outcome: 'do_request_failed' }, { outcome: 'ok' }],
  })
})

test('a session uses the proxy of its channel, and is refused when the proxy setting is invalid', async () => {
  const proxy = await openConnectProxy()
  const proxied = 'gpt-4o-mini-realtime-preview'
  await harness.addChannel(vendor.url, {
    models: proxied,
    setting: JSON.stringify({ proxy: proxy.url }),
    priority: 9,
  })
  const begun = vendor.next()
  const caller = enter({ path: `/v1/realtime?model=${proxied}` })
  const session = await begun
  expect(proxy.asked).toEqual([vendor.url.slice('http://'.length)])
  caller.socket.send('{"type":"response.create"}')
  await waitFor(() => session.received.length === 1)
  session.answer()
  await waitFor(() => types(caller).includes('response.done'))
  caller.socket.close()
  await lastCharge()
  const count = vendor.sessions.length
  await harness.addChannel(vendor.url, {
    models: 'gpt-4o-mini-realtime-preview-2024-12-17',
    setting: '{"proxy":7}',
  })
  const refused = enter({ path: '/v1/realtime?model=gpt-4o-mini-realtime-preview-2024-12-17' })
  await refused.closed
  expect(errorOf(refused)).toBeDefined()
  expect(vendor.sessions).toHaveLength(count)
  proxy.close()
})

test('a caller who answers no ping is disconnected and charged for the turns so far', async () => {
  const clock = new ManualClock()
  const own = await openRelayHarness({ clock })
  await own.addChannel(vendor.url, { models: MODEL })
  const { bearer: key } = await own.addCaller()
  const begun = vendor.next()
  const headers = { authorization: `Bearer ${key}` }
  const socket = new WebSocket(`ws://127.0.0.1:${own.port}${PATH}`, { headers, autoPong: false })
  sockets.push(socket)
  const received: string[] = []
  socket.on('message', (data) => received.push(textOf(data)))
  const session = await begun
  session.answer()
  await waitFor(() => received.some((text) => text.includes('response.done')))
  const pinged = once(socket, 'ping')
  clock.advance(PING_MS)
  own.relay.tick()
  await pinged
  expect(socket.readyState).toBe(WebSocket.OPEN)
  const closed = once(socket, 'close')
  clock.advance(PING_MS)
  own.relay.tick()
  await closed
  await own.quiet()
  await waitFor(() => session.end.readyState === WebSocket.CLOSED)
  expect((await own.entries()).at(-1)).toMatchObject({ amount: TURN })
  expect(await own.openHolds()).toBe(0)
  await own.close()
})

test('a stop of the gateway ends a session and charges it', async () => {
  const own = await openRelayHarness()
  await own.addChannel(vendor.url, { models: MODEL })
  const { bearer: key } = await own.addCaller()
  const begun = vendor.next()
  const socket = new WebSocket(`ws://127.0.0.1:${own.port}${PATH}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  sockets.push(socket)
  const received: string[] = []
  socket.on('message', (data) => received.push(textOf(data)))
  const session = await begun
  session.answer()
  await waitFor(() => received.some((text) => text.includes('response.done')))
  const closed = once(socket, 'close')
  await own.relay.drain(0)
  await closed
  expect(received.at(-1)).toContain('gateway_stopping')
  expect((await own.entries()).at(-1)).toMatchObject({ amount: TURN, flags: 'partial' })
  await own.close()
})

const item = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

test('an event with a sensitive word is not forwarded, the caller gets an error event, and the session continues', async () => {
  await harness.setOption('SensitiveWords', 'forbidden')
  const begun = vendor.next()
  const caller = enter()
  const session = await begun
  await waitFor(() => caller.received.length === 1)
  const say = (event: object) => caller.socket.send(JSON.stringify(event))
  say({ type: 'session.update', session: { instructions: 'be FORBIDDEN' } })
  say({ type: 'conversation.item.create', item: item('so forbidden') })
  say({ type: 'response.create', response: { instructions: 'forbidden' } })
  const sound = Buffer.alloc(600, 'forbidden').toString('base64')
  say({ type: 'input_audio_buffer.append', audio: sound })
  say({ type: 'conversation.item.create', item: item('allowed') })
  await waitFor(() => session.received.length === 2 && caller.received.length === 4)
  expect(session.received.map((frame) => JSON.parse(frame))).toEqual([
    { type: 'input_audio_buffer.append', audio: sound },
    { type: 'conversation.item.create', item: item('allowed') },
  ])
  expect(types(caller).slice(1)).toEqual(['error', 'error', 'error'])
  expect(errorOf(caller)).toMatchObject({ code: 'sensitive_words_detected' })
  expect(harness.said.filter(({ word }) => word === 'forbidden')).toHaveLength(3)
  caller.socket.close()
  await caller.closed
  await harness.setOption('SensitiveWords', '')
})

test.each([false, true])(
  'MCP servers and stored prompts in a session need a channel that allows them (as a binary frame: %s)',
  async (binary) => {
    const begun = vendor.next()
    const caller = enter()
    const session = await begun
    await waitFor(() => caller.received.length === 1)
    const say = (event: object) => caller.socket.send(JSON.stringify(event), { binary })
    const mcp = { type: 'mcp', server_label: 'a', server_url: 'https://a.test' }
    say({ type: 'session.update', session: { tools: [mcp] } })
    say({ type: 'session.update', session: { prompt: { id: 'pmpt_1' } } })
    say({ type: 'response.create', response: { tools: [mcp] } })
    const plain = { conversation: 'none', tools: [{ type: 'function', name: 'mcp' }] }
    say({ type: 'response.create', response: plain })
    await waitFor(() => session.received.length === 1 && caller.received.length === 4)
    expect(JSON.parse(session.received[0] ?? '')).toMatchObject({ response: plain })
    expect(types(caller).slice(1)).toEqual(['error', 'error', 'error'])
    expect(errorOf(caller)).toMatchObject({ code: 'member_not_allowed' })
    caller.socket.close()
    await caller.closed
  },
)

test('a session counts against the call limit of its user', async () => {
  await harness.setOption('ModelRequestRateLimitCount', '1')
  await harness.setOption('ModelRequestRateLimitEnabled', 'true')
  const other = await harness.addCaller({ quota: 10_000_000n })
  const begun = vendor.next()
  const first = enter({ key: other.bearer })
  await begun
  const second = enter({ key: other.bearer })
  await second.closed
  expect(errorOf(second)).toMatchObject({ code: 'too_many_calls_in_window' })
  first.socket.close()
  await first.closed
  await harness.setOption('ModelRequestRateLimitEnabled', 'false')
})
