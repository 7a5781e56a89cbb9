import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ManualClock } from '@tollgate/kit/clock'
import { openRealtimeCaller, REALTIME_MODEL } from '../relay/realtime-caller.ts'
import { openRealtimeVendor } from '../relay/realtime-vendor.ts'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { waitFor } from '../relay/send.ts'
import { reportAttacks } from './index.ts'

/**
 * Sockets that announce a long frame and send a part of it, those that go on sending after they were refused,
 * and users with more sockets than anybody needs.
 */

const KIB = 1024
const MIB = 1024 * KIB
/** An eighth of the budget for bodies. */
const FRAMES_MAX = 32 * MIB
const OF_USER_MAX = FRAMES_MAX / 4
const WITHOUT_BALANCE_MAX = FRAMES_MAX / 4

let harness: RelayHarness
let vendor: Awaited<ReturnType<typeof openRealtimeVendor>>
const clock = new ManualClock()
let count = 0
const ends: { destroy(): void }[] = []

beforeAll(async () => {
  harness = await openRelayHarness({ clock })
  vendor = await openRealtimeVendor()
  await harness.addChannel(vendor.url, { models: REALTIME_MODEL })
})
afterEach(async () => {
  for (const end of ends.splice(0)) end.destroy()
  await waitFor(() => harness.relay.inFlight === 0 && harness.relay.sockets === 0)
  await waitFor(() => harness.relay.frameBytes === 0 && harness.relay.bodyBytes === 0)
  expect(harness.said.filter(({ level }) => level === 'error')).toEqual([])
})
afterAll(async () => {
  console.log(`${count} sockets with half a frame, or too many`)
  reportAttacks({ kind: 'half frames', count })
  vendor.close()
  await harness.close()
})

const PATHS = { responses: '/v1/responses', realtime: `/v1/realtime?model=${REALTIME_MODEL}` }

/** A connection below the WebSocket, upgraded by hand. */
async function upgrade(path: string, bearer: string | undefined): Promise<Socket> {
  const socket = connect(harness.port, '127.0.0.1')
  ends.push(socket)
  socket.on('error', () => undefined)
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: a\r\n${bearer === undefined ? '' : `authorization: Bearer ${bearer}\r\n`}` +
      `upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: ${key}\r\nsec-websocket-version: 13\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.resume()
  return socket
}

/** The header of a masked text frame of this length. */
function header(bytes: number): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x81
  head[1] = 0xff
  head.writeBigUInt64BE(BigInt(bytes), 2)
  return head
}

function isClosed(socket: Socket): boolean {
  return socket.closed || socket.readableEnded
}

interface Crowd {
  readonly name: string
  readonly quota: bigint
  readonly users: number
  readonly socketsOfUser: number
  readonly path: string
  readonly most: number
}

const crowds: readonly Crowd[] = [
  {
    name: 'one account with a balance',
    quota: 100_000_000n,
    users: 1,
    socketsOfUser: 60,
    path: PATHS.responses,
    most: OF_USER_MAX,
  },
  {
    name: 'eight accounts with a balance',
    quota: 100_000_000n,
    users: 8,
    socketsOfUser: 12,
    path: PATHS.responses,
    most: FRAMES_MAX,
  },
  {
    name: 'one account without a balance',
    quota: 0n,
    users: 1,
    socketsOfUser: 4,
    path: PATHS.responses,
    most: 4 * MIB,
  },
  {
    name: 'twenty accounts without a balance',
    quota: 0n,
    users: 20,
    socketsOfUser: 4,
    path: PATHS.responses,
    most: WITHOUT_BALANCE_MAX,
  },
  {
    name: 'one account in realtime',
    quota: 1_000_000_000n,
    users: 1,
    socketsOfUser: 40,
    path: PATHS.realtime,
    most: OF_USER_MAX,
  },
]

test.each(crowds.map((crowd) => [crowd.name, crowd] as const))(
  'half frames of %s stay within their share of the memory, and others are not harmed',
  async (_name, { quota, users, socketsOfUser, path, most }) => {
    const sockets: Socket[] = []
    for (let user = 0; user < users; user++) {
      const { bearer } = await harness.addCaller({ quota })
      for (let each = 0; each < socketsOfUser; each++) sockets.push(await upgrade(path, bearer))
    }
    if (path === PATHS.realtime) await waitFor(() => vendor.sessions.length >= sockets.length)
    for (const socket of sockets) socket.write(Buffer.concat([header(MIB), Buffer.alloc(512 * KIB, 0x20)]))
    const honest = await harness.addCaller({ quota: 100_000_000n })
    const sum = () => sockets.filter((socket) => !isClosed(socket)).length * 512 * KIB
    // Every socket is either refused or holds what it sent, within the share of all of them.
    await waitFor(() => sum() <= most + 64 * KIB * sockets.length && harness.relay.frameBytes <= most)
    expect(harness.relay.frameBytes).toBeLessThanOrEqual(most)
    const caller = openRealtimeCaller({ address: `ws://127.0.0.1:${harness.port}`, bearer: honest.bearer })
    ends.push({ destroy: () => caller.socket.terminate() })
    await caller.heard('session.created')
    caller.say({ type: 'input_audio_buffer.append', audio: 'A'.repeat(200 * KIB) })
    const session = vendor.sessions.at(-1)
    await waitFor(() => session?.received.length === 1)
    count += sockets.length
  },
)

test.each(Object.entries(PATHS))(
  'a caller of %s who goes on sending after a refusal is not read any more',
  async (_name, path) => {
    const { bearer } = await harness.addCaller({ quota: 0n })
    const sockets = await Promise.all(Array.from({ length: 4 }, () => upgrade(path, bearer)))
    for (const socket of sockets) {
      socket.write(header(24 * MIB))
      const piece = Buffer.alloc(256 * KIB, 0x20)
      const pump = () => void (socket.writable && socket.write(piece) && setImmediate(pump))
      socket.on('drain', pump)
      pump()
    }
    await waitFor(() => sockets.every((socket) => isClosed(socket) || socket.writableLength > 0))
    expect(harness.relay.frameBytes).toBeLessThanOrEqual(4 * MIB)
    await waitFor(() => sockets.every(isClosed))
    count += sockets.length
  },
)

test('a frame that came whole is handed on although the next one, in the same bytes, is refused', async () => {
  const { bearer } = await harness.addCaller({ quota: 1_000_000_000n })
  const holder = await upgrade(PATHS.responses, bearer)
  holder.write(Buffer.concat([header(8 * MIB), Buffer.alloc(7 * MIB, 0x20)]))
  await waitFor(() => harness.relay.frameBytes > 6 * MIB)
  const events = [20, 300, 40_000].map((bytes) => ({
    type: 'input_audio_buffer.append',
    audio: 'A'.repeat(bytes),
  }))
  for (const event of events) {
    const before = vendor.sessions.length
    const socket = await upgrade(PATHS.realtime, bearer)
    await waitFor(() => vendor.sessions.length > before)
    const session = vendor.sessions.at(before)
    const text = Buffer.from(JSON.stringify(event))
    const next = Buffer.concat([header(8 * MIB), Buffer.alloc(2 * MIB, 0x20)])
    socket.write(Buffer.concat([header(text.length), text, next]))
    await waitFor(() => isClosed(socket) && session?.received.length === 1)
    expect(session?.received).toEqual([event])
    count++
  }
})

test('a frame that stalls, and one that never ends, are given up', async () => {
  const { bearer } = await harness.addCaller({ quota: 100_000_000n })
  const stalled = await upgrade(PATHS.responses, bearer)
  const slow = await upgrade(PATHS.responses, bearer)
  for (const socket of [stalled, slow])
    socket.write(Buffer.concat([header(MIB), Buffer.alloc(100 * KIB, 0x20)]))
  await waitFor(() => harness.relay.frameBytes > 199 * KIB)
  for (let tens = 0; tens < 8 && !isClosed(slow); tens++) {
    const before = harness.relay.frameBytes
    slow.write(Buffer.alloc(20 * KIB, 0x20))
    await waitFor(() => harness.relay.frameBytes > before || isClosed(slow))
    clock.advance(9_000)
    harness.relay.tick()
    // The first tick finds a silence of nine seconds; the second one ends what has stalled.
    if (tens === 1) await waitFor(() => isClosed(stalled))
  }
  await waitFor(() => isClosed(slow))
  count += 2
})

test('the sockets of all tokens and both protocols count for their user', async () => {
  await harness.setOption('socket_setting.connections_per_user', '6')
  const { bearer, userId } = await harness.addCaller({ quota: 1_000_000_000n })
  const second = await harness.addToken(userId)
  const address = `ws://127.0.0.1:${harness.port}`
  const open = (path: string, key: string) => {
    const caller = openRealtimeCaller({ address, bearer: key, path })
    ends.push({ destroy: () => caller.socket.terminate() })
    return caller
  }
  const responses = [bearer, second.bearer, bearer].map((key) => open(PATHS.responses, key))
  await waitFor(() => responses.every(({ socket }) => socket.readyState === WebSocket.OPEN))
  const realtime = [second.bearer, bearer, bearer].map((key) => open(PATHS.realtime, key))
  for (const caller of realtime) await caller.heard('session.created')
  const refused = open(PATHS.realtime, second.bearer)
  expect(await refused.closed).toMatchObject({ code: 1008 })
  expect(refused.received.at(-1)).toMatchObject({ error: { code: 'sockets_of_user_reached' } })
  const [status] = await once(open(PATHS.responses, bearer).socket, 'unexpected-response').then(
    ([, response]) => [response.statusCode],
  )
  expect(status).toBe(429)
  const closed = harness.socketsClosed()
  realtime[0]?.socket.terminate()
  await waitFor(() => harness.socketsClosed() > closed && harness.relay.inFlight === 2)
  await open(PATHS.realtime, bearer).heard('session.created')
  await harness.setOption('socket_setting.connections_per_user', '200')
  count += 9
})

test('a user without a balance has few sockets, however many tokens', async () => {
  const { userId } = await harness.addCaller({ quota: 0n })
  const keys = await Promise.all(
    Array.from({ length: 12 }, async () => (await harness.addToken(userId)).bearer),
  )
  const address = `ws://127.0.0.1:${harness.port}`
  const callers = keys.map((bearer) => openRealtimeCaller({ address, bearer, path: PATHS.responses }))
  for (const { socket } of callers) ends.push({ destroy: () => socket.terminate() })
  const refusals = callers.map(({ socket }) => once(socket, 'unexpected-response'))
  const first = await Promise.any(refusals)
  expect(first[1]).toMatchObject({ statusCode: 429 })
  await waitFor(() => callers.filter(({ socket }) => socket.readyState === WebSocket.OPEN).length === 4)
  const closed = harness.relay.sockets
  expect(closed).toBe(4)
  count += callers.length
})

test('a caller without a key is not read', async () => {
  const sockets = await Promise.all(Array.from({ length: 20 }, () => upgrade(PATHS.realtime, undefined)))
  for (const socket of sockets) socket.write(Buffer.concat([header(8 * MIB), Buffer.alloc(4 * MIB, 0x20)]))
  await waitFor(() => sockets.every((socket) => isClosed(socket)))
  expect(harness.relay.frameBytes).toBe(0)
  count += sockets.length
})
