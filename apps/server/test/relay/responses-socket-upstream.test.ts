import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { errorFrame } from './responses-sockets.ts'
import { waitFor } from './send.ts'
import { openCaller } from './socket-caller.ts'
import { openToolVendor, type ToolVendor } from './tool-vendor.ts'

/** Calls over the Responses WebSocket reach a vendor over a WebSocket too, and its faults are those of HTTP. */

const MODEL = 'gpt-4o'
const PASSED = '{"responses_websocket":true}'
const CREATE = { type: 'response.create', model: MODEL, store: false, input: 'hi' }
/** What one call of the vendor costs, as in the other tests of these sockets. */
const CHARGE = 165n
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

let clock: ManualClock
let harness: RelayHarness
let vendor: ToolVendor
let userId: number
let bearer: string
const vendors: ToolVendor[] = []
const callers: WebSocket[] = []

beforeAll(async () => {
  clock = new ManualClock(1_700_000_000_000)
  harness = await openRelayHarness({ clock, random: () => 0 })
  await harness.setOption('RetryTimes', '1')
})
beforeEach(async () => {
  vendor = await openVendor()
  ;({ userId, bearer } = await harness.addCaller())
})
afterEach(async () => {
  for (const socket of callers.splice(0)) socket.close()
  await waitFor(() => harness.relay.sockets === 0 && harness.relay.inFlight === 0)
  await waitFor(() => vendors.every(({ sockets }) => sockets.open.size === 0))
  for (const each of vendors.splice(0)) await each.close()
  await harness.db.deleteFrom('channels').execute()
  await harness.notices.publish({ entity: 'channels' })
  expect(harness.relay).toMatchObject({ bodyBytes: 0, rememberedBytes: 0 })
  expect(await harness.openHolds()).toBe(0)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(() => harness.close())

async function openVendor(turns = 1) {
  const opened = await openToolVendor({ turns })
  vendors.push(opened)
  return opened
}

const addChannel = (to: ToolVendor, parts: object = {}) =>
  harness.addChannel(to.url, { models: MODEL, setting: PASSED, ...parts })

function connect(headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${harness.port}/v1/responses`, {
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  })
  callers.push(socket)
  return openCaller(socket, CREATE)
}

async function expectCharges(calls: number) {
  await harness.quiet()
  const used = CHARGE * BigInt(calls)
  expect(await harness.balance(userId)).toMatchObject({ used, reserved: 0n })
}

test('a frame reaches the vendor unchanged but for the model, and only what is new is sent', async () => {
  await addChannel(vendor, { model_mapping: `{"${MODEL}":"vendor-model"}`, key: 'k' })
  const { create, frames } = await connect({ 'openai-beta': 'responses_websockets=2026-09-09, other=v1' })
  const unknown = { 'x-1': [1.0, 12_345_678], stream_id: 'a', background: false }
  const first = await create(unknown)
  await create({ previous_response_id: first, input: [{ role: 'user', content: 'more' }] })
  const { opened, received } = vendor.sockets
  expect(opened).toHaveLength(1)
  expect(opened[0]).toMatchObject({
    authorization: 'Bearer k',
    'openai-beta': 'other=v1, responses_websockets=2026-09-09',
  })
  expect(opened[0]).not.toHaveProperty('content-length')
  expect(received[0]?.frame).toEqual({ ...CREATE, model: 'vendor-model', 'x-1': [1, 12_345_678] })
  expect(received[1]?.frame).toEqual({
    ...CREATE,
    model: 'vendor-model',
    previous_response_id: first,
    input: [{ role: 'user', content: 'more' }],
  })
  expect(frames.map(({ type }) => type)).toContain('response.output_text.delta')
  await expectCharges(2)
})

test('a conversation that branches is sent whole, because a socket knows its last response only', async () => {
  await addChannel(vendor)
  const { create } = await connect()
  const root = await create({ input: 'root' })
  await create({ input: 'left', previous_response_id: root })
  await create({ input: 'right', previous_response_id: root })
  const texts = vendor.sockets.received.map(({ text }) => text)
  expect(texts[1]).not.toContain('root')
  expect(texts[2]).toMatch(/root.*right/)
  expect(texts[2]).not.toContain('previous_response_id')
  expect(vendor.sockets.opened).toHaveLength(1)
})

test('a system prompt of the channel is sent with what is new', async () => {
  await addChannel(vendor, { setting: '{"responses_websocket":true,"system_prompt":"Be brief."}' })
  const { create } = await connect()
  await create({ previous_response_id: await create({ input: 'root' }) })
  const [, second] = vendor.sockets.received
  expect(second?.frame).toMatchObject({ instructions: 'Be brief.', input: 'hi' })
})

test('an input that the channel changes is sent whole', async () => {
  const input = {
    operations: [{ mode: 'append', path: 'input', value: [{ role: 'user', content: 'Really?' }] }],
  }
  await addChannel(vendor, { param_override: JSON.stringify(input) })
  const { create } = await connect()
  await create({ previous_response_id: await create({ input: [{ role: 'user', content: 'root' }] }) })
  const texts = vendor.sockets.received.map(({ text }) => text)
  expect(texts[1]).toMatch(/root.*hi.*Really/)
})

test('a conversation of more than a megabyte, which is read in another thread, sends what is new', async () => {
  await addChannel(vendor)
  const { create } = await connect()
  const root = await create({ input: `root ${'x'.repeat(1_200_000)}` })
  await create({ previous_response_id: root, input: 'more' })
  const [, second] = vendor.sockets.received
  expect(second?.frame).toEqual({ ...CREATE, previous_response_id: root, input: 'more' })
  expect(JSON.stringify(second?.body['input'])).toMatch(/root x+.*more/)
})

test('a prompt that is too long is refused in the words by which agents compact', async () => {
  await addChannel(vendor)
  vendor.sockets.respond = () => [errorFrame('context_length_exceeded')]
  const { send, error } = await connect()
  send(CREATE)
  expect(await error()).toMatchObject({
    status: 400,
    error: { code: 'context_length_exceeded', type: 'invalid_request_error' },
  })
  await expectCharges(0)
})

test('a vendor that never answers is given up, and its socket is closed', async () => {
  await addChannel(vendor)
  vendor.sockets.respond = () => []
  const { send, error } = await connect()
  send(CREATE)
  await waitFor(() => vendor.sockets.received.length === 1)
  clock.advance(11 * MINUTE_MS)
  harness.relay.tick()
  expect(await error()).toMatchObject({ error: { code: 'first_byte_timeout' } })
  await waitFor(() => vendor.sockets.open.size === 0)
  await expectCharges(0)
})

test('two lanes run at the same time on two sockets', async () => {
  await addChannel(vendor)
  const { send, next } = await connect()
  const { respond } = vendor.sockets
  const gate = Promise.withResolvers<void>()
  vendor.sockets.respond = async (request) => {
    if (request.text.includes('slow')) await gate.promise
    return respond(request)
  }
  const isDone = (lane: string) =>
    next((frame) => frame['type'] === 'response.completed' && frame['stream_id'] === lane)
  send({ ...CREATE, stream_id: 'a', input: 'slow' })
  await waitFor(() => vendor.sockets.received.length === 1)
  send({ ...CREATE, stream_id: 'b' })
  await isDone('b')
  gate.resolve()
  await isDone('a')
  send({ ...CREATE, stream_id: 'b' })
  await isDone('b')
  expect(vendor.sockets.opened).toHaveLength(2)
  expect(JSON.stringify(vendor.sockets.received.map(({ frame }) => frame))).not.toContain('stream_id')
  await expectCharges(3)
})

test.each([
  ['an error frame', () => void (vendor.sockets.respond = () => [errorFrame('rate_limit_exceeded', 429)])],
  [
    'an error frame without a status',
    () => {
      const error = { code: 'rate_limit_exceeded', message: 'slow down' }
      vendor.sockets.respond = () => [{ type: 'error', ...error }]
    },
  ],
  ['a refused handshake', () => void (vendor.sockets.refusal = 503)],
  ['a closed socket', () => void (vendor.sockets.respond = ({ socket }) => (socket.close(1011), []))],
  ['a reset connection', () => void (vendor.sockets.respond = ({ socket }) => (socket.terminate(), []))],
  ['a binary frame', () => void (vendor.sockets.respond = ({ socket }) => (socket.send(Buffer.of(1)), []))],
  [
    'text that is no JSON',
    () => void (vendor.sockets.respond = ({ socket }) => (socket.send('{"type":"resp'), [])),
  ],
  ['a list', () => void (vendor.sockets.respond = ({ socket }) => (socket.send('[{"type":"error"}]'), []))],
])('%s before the first event leads to another channel, and costs nothing', async (_what, fail) => {
  const other = await openVendor()
  await addChannel(vendor, { priority: 1 })
  const id = await addChannel(other, { setting: '' })
  fail()
  const { create } = await connect()
  await create()
  expect(other.received).toHaveLength(1)
  await expectCharges(1)
  const rows = await harness.logs()
  expect(rows.at(-1)?.channel_id).toBe(id)
})

test('figures of the operator’s account are not passed on', async () => {
  await addChannel(vendor)
  const { respond } = vendor.sockets
  vendor.sockets.respond = async (request) => [
    { type: 'codex.rate_limits', plan_type: 'pro' },
    ...(await respond(request)),
  ]
  const { create, frames } = await connect()
  await create()
  expect(JSON.stringify(frames)).not.toContain('rate_limits')
})

test('an error in the middle of a response reaches the caller in its form, and the next call has a fresh start', async () => {
  await addChannel(vendor)
  const { respond } = vendor.sockets
  const { send, last, create } = await connect()
  vendor.sockets.respond = async (request) => [
    ...(await respond(request)).slice(0, 3),
    {
      type: 'error',
      status: 500,
      error: { code: 'server_error', message: 'went wrong', type: 'server_error' },
    },
  ]
  send(CREATE)
  expect(await last()).toMatchObject({
    type: 'response.failed',
    response: { error: { code: 'server_error' } },
  })
  vendor.sockets.respond = respond
  await create()
})

test('a socket that breaks in the middle of a response ends it with an error', async () => {
  await addChannel(vendor)
  const { respond } = vendor.sockets
  const { send, last, create } = await connect()
  vendor.sockets.respond = async (request) => {
    const events = await respond(request)
    for (const event of events.slice(0, 3)) request.socket.send(JSON.stringify(event))
    request.socket.close(1011)
    return []
  }
  send(CREATE)
  expect(await last()).toMatchObject({
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'stream_broken' } },
  })
  vendor.sockets.respond = respond
  await create()
  expect(vendor.sockets.opened).toHaveLength(2)
})

test('after the vendor has closed its socket, the conversation is sent whole on another', async () => {
  await addChannel(vendor)
  const { create } = await connect()
  const root = await create({ input: 'root' })
  for (const socket of vendor.sockets.open) socket.close(1001)
  await waitFor(() => vendor.sockets.open.size === 0)
  await create({ previous_response_id: root })
  expect(vendor.sockets.received.at(-1)?.text).toMatch(/root.*hi/)
  expect(vendor.sockets.opened).toHaveLength(2)
  await expectCharges(2)
})

test.each([
  ['closes the socket at the next call', ({ socket }: { socket: WebSocket }) => (socket.terminate(), [])],
  ['has reached its time limit', () => [errorFrame('websocket_connection_limit_reached')]],
  ['has forgotten the response', () => [errorFrame('previous_response_not_found')]],
])('a vendor that %s gets the call once more, whole', async (_what, refuse) => {
  await addChannel(vendor)
  const { respond } = vendor.sockets
  const { create } = await connect()
  const root = await create({ input: 'root' })
  vendor.sockets.respond = (request) => {
    vendor.sockets.respond = respond
    return refuse(request)
  }
  await create({ previous_response_id: root })
  expect(vendor.sockets.received.at(-1)?.text).toMatch(/root.*hi/)
  expect(vendor.sockets.received).toHaveLength(3)
  await expectCharges(2)
})

test('a vendor that always reports its time limit is not asked for ever', async () => {
  await addChannel(vendor)
  const { create, send, error } = await connect()
  await create()
  vendor.sockets.respond = () => [errorFrame('websocket_connection_limit_reached')]
  send(CREATE)
  expect(await error()).toMatchObject({ status: 400 })
  expect(vendor.sockets.received).toHaveLength(3)
  await expectCharges(1)
})

test.each([426, 404])('a vendor that answers the handshake with %s gets HTTP for an hour', async (status) => {
  await addChannel(vendor)
  vendor.sockets.refusal = status
  const { create } = await connect()
  const root = await create({ input: 'root' })
  vendor.sockets.refusal = undefined
  await create({ previous_response_id: root })
  expect(vendor.sockets.opened).toHaveLength(0)
  expect(vendor.received.map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses'])
  clock.advance(HOUR_MS + 1)
  await (await connect()).create()
  expect(vendor.sockets.opened).toHaveLength(1)
  await expectCharges(3)
})

test('a key that the vendor refuses at the handshake is refused as over HTTP', async () => {
  await addChannel(vendor)
  vendor.sockets.refusal = 401
  const { send, error } = await connect()
  send(CREATE)
  expect(await error()).toMatchObject({ status: 401 })
  await expectCharges(0)
})

test('a changed key is used from the next call on', async () => {
  const id = await addChannel(vendor, { key: 'old' })
  const { create } = await connect()
  await create()
  await harness.db.deleteFrom('channels').where('id', '=', id).execute()
  await addChannel(vendor, { key: 'new' })
  await create()
  expect(vendor.sockets.opened.map(({ authorization }) => authorization)).toEqual([
    'Bearer old',
    'Bearer new',
  ])
})

test('a caller who leaves in the middle pays by the vendor’s own usage, and its sockets are closed', async () => {
  await addChannel(vendor)
  const { respond } = vendor.sockets
  const gate = Promise.withResolvers<void>()
  vendor.sockets.respond = async (request) => {
    const events = await respond(request)
    for (const event of events.slice(0, 3)) request.socket.send(JSON.stringify(event))
    await gate.promise
    return events.slice(3)
  }
  const { send, frames, socket } = await connect()
  send(CREATE)
  await waitFor(() => frames.length === 3)
  socket.terminate()
  await waitFor(() => harness.relay.sockets === 0)
  expect(vendor.sockets.open.size).toBe(1)
  gate.resolve()
  await expectCharges(1)
  await waitFor(() => vendor.sockets.open.size === 0)
})

test('a channel without the setting gets HTTP, and so does a call over HTTP', async () => {
  await addChannel(vendor, { setting: '' })
  await (await connect()).create()
  await harness.db.deleteFrom('channels').execute()
  await addChannel(vendor)
  await harness.send({ path: '/v1/responses', bearer, body: { model: MODEL, input: 'hi', stream: true } })
  expect(vendor.received).toHaveLength(2)
  expect(vendor.sockets.opened).toHaveLength(0)
})
