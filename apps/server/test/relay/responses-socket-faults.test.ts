import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { waitFor } from './send.ts'
import { frameOf, openCaller } from './socket-caller.ts'
import { openToolVendor, type ToolVendor } from './tool-vendor.ts'

/**
 * Hostile and broken clients of the Responses API over WebSocket: each frame is refused in the dialect of the
 * caller, is billed nothing, and leaves nothing in memory.
 */

const MODEL = 'gpt-4o'
const KIB = 1024
const LIMITS = { bodyBytesMax: 256 * KIB, rememberedBytesMax: 16 * KIB, userRememberedBytesMax: 24 * KIB }
const MINUTE_MS = 60_000

let clock: ManualClock
let harness: RelayHarness
let vendor: ToolVendor
let userId: number
let tokenId: number
let bearer: string
const sockets: WebSocket[] = []

beforeAll(async () => {
  clock = new ManualClock(1_700_000_000_000)
  harness = await openRelayHarness({ clock, limits: LIMITS })
  vendor = await openToolVendor({ turns: 1 })
  await harness.addChannel(vendor.url, { models: MODEL })
})
beforeEach(async () => {
  ;({ userId, tokenId, bearer } = await harness.addCaller())
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await waitFor(() => harness.relay.sockets === 0 && harness.relay.inFlight === 0)
  expect(harness.relay).toMatchObject({ bodyBytes: 0, rememberedBytes: 0 })
  expect(await harness.openHolds()).toBe(0)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(async () => {
  await harness.close()
  await vendor.close()
})

function handshake(headers: Record<string, string> = { authorization: `Bearer ${bearer}` }) {
  const socket = new WebSocket(`ws://127.0.0.1:${harness.port}/v1/responses`, { headers })
  sockets.push(socket)
  socket.on('error', () => undefined)
  return socket
}

const connect = () => openCaller(handshake(), CREATE)

const CREATE = { type: 'response.create', model: MODEL, input: 'hi' }

async function refusedHandshake(headers?: Record<string, string>) {
  const [, answer] = await once(handshake(headers), 'unexpected-response')
  const response: IncomingMessage = answer
  const body = frameOf(Buffer.concat(await response.toArray()))
  return { status: response.statusCode, body }
}

test.each([
  ['text that is no JSON', 'hello', 'unmarshal_request_failed'],
  ['half of an object', '{"type":"response.create","model":"gpt-4o","input":"h', 'unmarshal_request_failed'],
  ['a list', '[{"type":"response.create"}]', 'unmarshal_request_failed'],
  ['an empty frame', '', 'unmarshal_request_failed'],
  ['no type', '{"model":"gpt-4o","input":"hi"}', 'websocket_event_invalid'],
  ['another type', '{"type":"session.update"}', 'websocket_event_invalid'],
  ['a type of 10 KB', `{"type":"${'x'.repeat(10_240)}"}`, 'websocket_event_invalid'],
  ['too many levels', `{"type":"response.create","input":${'['.repeat(100)}`, 'body_too_deep'],
  ['broken input', '{"type":"response.create","model":"gpt-4o","input":[}', 'unmarshal_request_failed'],
  ['background', JSON.stringify({ ...CREATE, background: true }), 'member_invalid'],
  ['no model', '{"type":"response.create","input":"hi"}', 'model_required'],
  [
    'another spelling',
    '{"type":"response.create","model":"gpt-4o","Model":"x","input":"hi"}',
    'member_repeated',
  ],
  ['a number as generate', JSON.stringify({ ...CREATE, generate: 1 }), 'member_invalid'],
  [
    'an unknown response',
    JSON.stringify({ ...CREATE, previous_response_id: 'r' }),
    'previous_response_not_found',
  ],
  [
    'an id of 10 KB',
    JSON.stringify({ ...CREATE, previous_response_id: 'r'.repeat(10_240) }),
    'previous_response_not_found',
  ],
  ['a number as id', JSON.stringify({ ...CREATE, previous_response_id: 7 }), 'previous_response_not_found'],
  ['an empty lane', JSON.stringify({ ...CREATE, stream_id: '' }), 'invalid_stream_id'],
  ['a lane of 10 KB', JSON.stringify({ ...CREATE, stream_id: 's'.repeat(10_240) }), 'invalid_stream_id'],
  ['a lane with a quote', JSON.stringify({ ...CREATE, stream_id: '"' }), 'invalid_stream_id'],
  [
    'an unknown response to warm up',
    JSON.stringify({ ...CREATE, generate: false, previous_response_id: 'r' }),
    'previous_response_not_found',
  ],
])('a frame with %s is refused, and the connection goes on', async (_what, frame, code) => {
  const called = vendor.received.length
  const { socket, error, create } = await connect()
  socket.send(frame)
  expect(await error()).toMatchObject({ type: 'error', status: 400, error: { code } })
  await create()
  await harness.quiet()
  expect(vendor.received).toHaveLength(called + 1)
  expect(await harness.balance(userId)).toMatchObject({ used: 165n, reserved: 0n })
})

test('a binary frame is refused', async () => {
  const { socket, error } = await connect()
  socket.send(Buffer.from(JSON.stringify(CREATE)), { binary: true })
  expect(await error()).toMatchObject({ status: 400, error: { code: 'websocket_event_invalid' } })
})

test('a frame that is not UTF-8, or longer than a body may be, ends its connection', async () => {
  const first = await connect()
  first.socket.send(Buffer.from([0xff, 0xfe]), { binary: false })
  expect(await first.closed).toBe(1007)
  const second = await connect()
  second.socket.send('x'.repeat(LIMITS.bodyBytesMax + 1))
  expect(await second.closed).toBe(1009)
})

test('a caller who sends nothing but broken frames is closed', async () => {
  const { socket, closed, frames } = await connect()
  for (let index = 0; index < 100; index++) socket.send('{')
  expect(await closed).toBe(1008)
  expect(frames.length).toBe(16)
})

test('a second call of a lane is refused while one runs, and the first one ends', async () => {
  const respond = vendor.respond
  const gate = Promise.withResolvers<void>()
  vendor.respond = async (response, request) => {
    await gate.promise
    await respond(response, request)
  }
  const { send, error, frames } = await connect()
  const lane = { stream_id: 'a' }
  for (let index = 0; index < 2; index++) send({ ...CREATE, ...lane })
  expect(await error()).toMatchObject({
    stream_id: 'a',
    status: 409,
    error: { code: 'websocket_response_running' },
  })
  vendor.respond = respond
  gate.resolve()
  await waitFor(() => frames.some(({ type }) => type === 'response.completed'))
  await harness.quiet()
  expect(await harness.balance(userId)).toMatchObject({ used: 165n, reserved: 0n })
})

test('a connection has 32 named lanes, of which 16 run at a time', async () => {
  const respond = vendor.respond
  const gate = Promise.withResolvers<void>()
  vendor.respond = async (response, request) => {
    await gate.promise
    await respond(response, request)
  }
  const { send, error, create, frames } = await connect()
  for (let lane = 0; lane < 17; lane++) send({ ...CREATE, stream_id: `lane-${lane}` })
  expect(await error()).toMatchObject({ stream_id: 'lane-16', status: 429 })
  vendor.respond = respond
  gate.resolve()
  await waitFor(() => frames.filter(({ type }) => type === 'response.completed').length === 16)
  for (let lane = 16; lane < 32; lane++) await create({ stream_id: `lane-${lane}` })
  send({ ...CREATE, stream_id: 'lane-32' })
  const code = 'websocket_stream_limit_reached'
  expect(await error()).toMatchObject({
    stream_id: 'lane-32',
    status: 400,
    error: { code, param: 'stream_id' },
  })
})

test('a socket that never speaks is closed after the idle time', async () => {
  await harness.setOption('responses_socket_setting.idle_seconds', '20')
  const { closed, frames } = await connect()
  clock.advance(19_000)
  harness.relay.tick()
  expect(harness.relay.sockets).toBe(1)
  clock.advance(2_000)
  harness.relay.tick()
  expect(await closed).toBe(1000)
  expect(frames).toEqual([])
  await harness.setOption('responses_socket_setting.idle_seconds', '900')
})

test('a connection ends after 60 minutes with the error by which clients reconnect', async () => {
  const { create, error, closed, socket } = await connect()
  for (let minutes = 0; minutes < 60; minutes += 10) {
    await create()
    clock.advance(10 * MINUTE_MS)
    if (minutes < 50) harness.relay.tick()
    // The ping of this tick has been answered before the next one.
    if (minutes < 50) await once(socket, 'ping')
  }
  harness.relay.tick()
  expect(await error()).toMatchObject({
    status: 400,
    error: { code: 'websocket_connection_limit_reached', type: 'invalid_request_error' },
  })
  expect(await closed).toBe(1000)
})

test('a token has a number of connections, and none where the operator allows none', async () => {
  await harness.setOption('responses_socket_setting.connections_per_token', '2')
  const first = await connect()
  await connect()
  expect(await refusedHandshake()).toMatchObject({
    status: 429,
    body: { error: { code: 'websocket_connections_reached' } },
  })
  first.socket.close()
  await waitFor(() => harness.relay.sockets === 1)
  await connect()
  await harness.setOption('responses_socket_setting.connections_per_token', '0')
  expect(await refusedHandshake()).toMatchObject({ status: 426 })
  await harness.setOption('responses_socket_setting.connections_per_token', '100')
})

test('a wrong key is refused before the upgrade, and a token that was disabled at its next call', async () => {
  expect(await refusedHandshake({ authorization: 'Bearer sk-wrong' })).toMatchObject({ status: 401 })
  expect(await refusedHandshake({})).toMatchObject({ status: 401 })
  const { send, error, create } = await connect()
  await create()
  await harness.db.updateTable('tokens').set({ status: 2 }).where('id', '=', tokenId).execute()
  await harness.notices.publish({ entity: 'token', id: tokenId })
  send(CREATE)
  expect(await error()).toMatchObject({ status: 401, error: { code: 'token_disabled' } })
})

test('an empty balance is refused in the connection', async () => {
  ;({ bearer } = await harness.addCaller({ quota: 0n }))
  const { send, error } = await connect()
  send(CREATE)
  expect(await error()).toMatchObject({ status: 403, error: { code: 'insufficient_user_quota' } })
})

test('a connection remembers a bounded number of bytes, and forgets the oldest responses first', async () => {
  const { create, send, error } = await connect()
  const ids: string[] = []
  for (let index = 0; index < 4; index++) ids.push(await create({ input: 'x'.repeat(6 * KIB) }))
  expect(harness.relay.rememberedBytes).toBeLessThanOrEqual(LIMITS.rememberedBytesMax)
  await create({ previous_response_id: ids[3] })
  send({ ...CREATE, previous_response_id: ids[0] })
  expect(await error()).toMatchObject({ error: { code: 'previous_response_not_found' } })
})

test('a conversation that is too long to be remembered has to be sent whole', async () => {
  const { create, send, error } = await connect()
  const first = await create({ input: 'x'.repeat(12 * KIB) })
  const second = await create({ input: 'y'.repeat(8 * KIB), previous_response_id: first })
  expect(vendor.received.at(-1)?.text).toMatch(/x{100}.*y{100}/)
  send({ ...CREATE, previous_response_id: second })
  expect(await error()).toMatchObject({ error: { code: 'previous_response_not_found' } })
  expect(harness.relay.rememberedBytes).toBe(0)
})

test('all connections of a user together remember a bounded number of bytes', async () => {
  const connections = await Promise.all(Array.from({ length: 4 }, () => connect()))
  for (const { create } of connections) await create({ input: 'x'.repeat(10 * KIB) })
  expect(harness.relay.rememberedBytes).toBeGreaterThan(10 * KIB)
  expect(harness.relay.rememberedBytes).toBeLessThanOrEqual(LIMITS.userRememberedBytesMax)
})

test('a caller who leaves in the middle of a response pays for it', async () => {
  const { socket, send, frames } = await connect()
  const respond = vendor.respond
  const gate = Promise.withResolvers<void>()
  vendor.respond = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = [
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'one ' },
    ]
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
    await gate.promise
    const usage = { input_tokens: 100, output_tokens: 8 }
    const last = { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage } }
    response.end(`data: ${JSON.stringify(last)}\n\n`)
  }
  send(CREATE)
  await waitFor(() => frames.length === 2)
  socket.terminate()
  await waitFor(() => harness.relay.sockets === 0)
  vendor.respond = respond
  gate.resolve()
  await harness.quiet()
  expect(await harness.balance(userId)).toMatchObject({ used: 165n, reserved: 0n })
})

test('a stream that breaks in the middle ends with a failed response, and the lane is free again', async () => {
  const { send, last, create } = await connect()
  const respond = vendor.respond
  vendor.respond = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = [
      { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'one ' },
    ]
    for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`)
    setImmediate(() => response.destroy())
  }
  send({ ...CREATE, stream_id: 'a' })
  expect(await last()).toMatchObject({
    type: 'response.failed',
    stream_id: 'a',
    sequence_number: 2,
    response: { id: 'resp_1', status: 'failed', error: { code: 'stream_broken' } },
  })
  vendor.respond = respond
  await create({ stream_id: 'a' })
})
