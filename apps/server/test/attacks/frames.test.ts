import { once } from 'node:events'
import { createServer } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { waitFor } from '../relay/send.ts'
import { reportAttacks } from './index.ts'

/**
 * WebSocket frames of realtime sessions count against the body budget and have the same limits as all JSON
 * from callers.
 */

const MODEL = 'gpt-4o-realtime-preview'
const MIB = 1024 * 1024

let harness: RelayHarness
let vendor: { readonly url: string; readonly received: number[]; close(): void }
let bearer: string
let count = 0
const sockets: WebSocket[] = []

beforeAll(async () => {
  harness = await openRelayHarness({ limits: { bodyBytesMax: MIB, userBodiesBytesMax: 4 * MIB } })
  vendor = await openVendor()
  await harness.addChannel(vendor.url, { models: MODEL })
  ;({ bearer } = await harness.addCaller({ quota: 10_000_000n }))
})
afterEach(async () => {
  count++
  for (const socket of sockets.splice(0)) socket.terminate()
  await waitFor(() => harness.relay.bodyBytes === 0 && harness.relay.inFlight === 0)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(async () => {
  reportAttacks({ kind: 'frames', count })
  vendor.close()
  await harness.close()
})

async function openVendor() {
  const received: number[] = []
  const server = createServer()
  const door = new WebSocketServer({ server })
  door.on('connection', (socket) => socket.on('message', (data) => received.push(bytesOf(data).length)))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the vendor listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    received,
    close: () => {
      for (const socket of door.clients) socket.terminate()
      server.close()
    },
  }
}

function bytesOf(data: RawData): Buffer {
  invariant(Buffer.isBuffer(data), 'a frame comes as one buffer')
  return data
}

async function session() {
  const socket = new WebSocket(`ws://127.0.0.1:${harness.port}/v1/realtime?model=${MODEL}`, {
    headers: { authorization: `Bearer ${bearer}` },
  })
  sockets.push(socket)
  const errors: string[] = []
  socket.on('error', () => undefined)
  socket.on('message', (data) => errors.push(bytesOf(data).toString()))
  const closed = once(socket, 'close')
  await once(socket, 'open')
  return { socket, errors, closed }
}

const append = (characters: number) =>
  JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(characters) })

test('a frame that never ends is refused once it exceeds the budget of its user', async () => {
  const { socket, errors, closed } = await session()
  socket.send(append(3 * MIB).slice(0, -2), { fin: false })
  for (let each = 0; each < 4; each++) socket.send('A'.repeat(MIB), { fin: false })
  await closed
  expect(errors.join()).toContain('too_many_body_bytes')
})

test('a large frame is forwarded and releases its share of the budget', async () => {
  const { socket } = await session()
  const frame = append(2 * MIB)
  for (let each = 0; each < 5; each++) {
    socket.send(frame)
    await waitFor(() => vendor.received.length === each + 1)
    await waitFor(() => harness.relay.bodyBytes === 0)
  }
  expect(vendor.received.every((bytes) => bytes === frame.length)).toBe(true)
})

test.each([
  ['too many values', `{"type":"session.update","x":[${'0,'.repeat(200_000)}0]}`, 'body_too_many_values'],
  [
    'too many members',
    `{"type":"session.update","x":{${'"a":1,'.repeat(10_001)}"a":1}}`,
    'body_too_many_members',
  ],
  ['too many levels', `{"type":"session.update","x":${'['.repeat(60_000)}`, 'body_too_deep'],
  ['too many levels in a small frame', `{"type":"session.update","x":${'['.repeat(100)}`, 'body_too_deep'],
])('a frame of %s ends its session', async (_name, frame, code) => {
  const { socket, errors, closed } = await session()
  socket.send(frame)
  await closed
  expect(errors.join()).toContain(code)
})
