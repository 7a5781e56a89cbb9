import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import process from 'node:process'
import { Pool, type Dispatcher } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { destinationPolicy } from '../destination-policy.ts'
import { guardedConnector, type Resolve } from '../guarded-connector.ts'
import { StaleConnectionError } from '../stale-connection-error.ts'
import { OriginClient, type FreshDispatchOptions, type OriginClientInput } from './origin-client.ts'
import { readsIntoSharedBuffer } from './shared-buffer.ts'

/** Origins that close connections: before a request, while it is written, after it was read; and hosts that do not connect. */

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

interface Origin {
  readonly port: number
  readonly sockets: Socket[]
  /** Requests that were read, by the number of their connection. */
  readonly requests: number[]
}

/** `answer` gets the number of the request on its connection, from 1. */
async function openOrigin(
  answer: (socket: Socket, count: number) => void,
  address = '127.0.0.1',
  port = 0,
): Promise<Origin> {
  const sockets: Socket[] = []
  const requests: number[] = []
  const server = createServer((socket) => {
    const number = sockets.push(socket)
    let count = 0
    socket.on('error', () => undefined)
    socket.on('data', () => {
      requests.push(number)
      answer(socket, ++count)
    })
  })
  await once(server.listen(port, address), 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const bound = server.address()
  assert(bound !== null && typeof bound === 'object')
  return { port: bound.port, sockets, requests }
}

interface ClientInput extends Partial<OriginClientInput> {
  readonly host?: string
  readonly addresses?: readonly string[]
  readonly resolve?: Resolve
  readonly connectTimeoutMs?: number
}

function clientFor(port: number, input: ClientInput = {}): OriginClient {
  const { addresses = ['127.0.0.1'], host = '127.0.0.1', connectTimeoutMs = 10_000 } = input
  const resolve = () => Promise.resolve(addresses.map((address) => ({ address, family: 4 })))
  const origin = `http://${host}:${port}`
  const client = new OriginClient({
    origin,
    connect: guardedConnector({
      policy: destinationPolicy(['127.0.0.0/8', 'vendor.test']),
      resolve: input.resolve ?? resolve,
      connectTimeoutMs,
      onread: readsIntoSharedBuffer,
    }),
    connectionsMax: 8,
    keepAliveMs: 45_000,
    unreadMsMin: 1,
    headBytesMax: 16_384,
    openGeneral: () => new Pool(origin),
    ...input,
  })
  cleanups.push(() => client.destroy())
  return client
}

function send(client: Dispatcher, options: Partial<FreshDispatchOptions> = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let body = ''
  const request: FreshDispatchOptions = {
    method: 'POST',
    path: '/v1',
    body: Buffer.from('{}'),
    headersTimeout: 0,
    bodyTimeout: 0,
    ...options,
  }
  client.dispatch(request, {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: (_, bytes) => {
      body += bytes.toString()
    },
    onResponseEnd: () => resolve(body),
    onResponseError: (_, error) => reject(error),
  })
  return promise
}

async function failure(sending: Promise<unknown>): Promise<unknown> {
  return sending.then(
    () => assert.fail('the request was answered'),
    (error: unknown) => error,
  )
}

test.each<[string, (socket: Socket) => void]>([
  ['ended', (socket) => void socket.end()],
  ['reset', (socket) => void socket.resetAndDestroy()],
  ['destroyed', (socket) => void socket.destroy()],
])('a reused connection that is %s before a byte of a response fails as a stale one', async (_, close) => {
  const { port } = await openOrigin((socket, count) => (count === 1 ? socket.write(OK) : close(socket)))
  const client = clientFor(port)
  await send(client)
  const error = await failure(send(client))
  assert(error instanceof StaleConnectionError)
  expect(error.unreadMs).toBeGreaterThanOrEqual(1)
  expect(error.afterMs).toBeGreaterThan(0)
  expect(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']).toContain(error.code)
})

test.each([5, 40, 300])(
  'a vendor that closes %d ms after it read the request is not taken for one that did not',
  async (ms) => {
    const { port } = await openOrigin((socket, count) => {
      if (count === 1) socket.write(OK)
      else setTimeout(() => socket.destroy(), ms)
    })
    const client = clientFor(port)
    await send(client)
    const error = await failure(send(client))
    assert(error instanceof StaleConnectionError)
    expect(error.afterMs).toBeGreaterThan(ms - 2)
    expect(error.isUnread).toBe(false)
  },
)

test.each<[string, string]>([
  ['an informational response', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['half a status line', 'HTTP/1.1 2'],
  ['a head', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n'],
])('a reused connection that closes after %s is no stale one', async (_, bytes) => {
  const { port } = await openOrigin((socket, count) => (count === 1 ? socket.write(OK) : socket.end(bytes)))
  const client = clientFor(port)
  await send(client)
  expect(await failure(send(client))).not.toBeInstanceOf(StaleConnectionError)
})

test('a fresh connection that closes without a response is no stale one', async () => {
  const { port, requests } = await openOrigin((socket) => void socket.end())
  const client = clientFor(port)
  expect(await failure(send(client))).not.toBeInstanceOf(StaleConnectionError)
  expect(await failure(send(client, { needsFreshConnection: true }))).not.toBeInstanceOf(StaleConnectionError)
  expect(requests).toHaveLength(2)
})

test('a request that needs a fresh connection gets one, in the place of an idle one if there is no room', async () => {
  const { port, sockets, requests } = await openOrigin((socket) => void socket.write(OK))
  const client = clientFor(port, { connectionsMax: 2 })
  await Promise.all([send(client), send(client)])
  expect(sockets).toHaveLength(2)
  expect(await send(client, { needsFreshConnection: true })).toBe('ok')
  expect(sockets).toHaveLength(3)
  expect(requests.at(-1)).toBe(3)
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBe(1)
  // All places are taken by requests: it waits for one of them.
  const held: Socket[] = []
  const busy = await openOrigin((socket) => void held.push(socket))
  const narrow = clientFor(busy.port, { connectionsMax: 1 })
  const first = send(narrow)
  await expect.poll(() => held.length).toBe(1)
  const second = send(narrow, { needsFreshConnection: true })
  held[0]?.write(OK)
  expect(await first).toBe('ok')
  await expect.poll(() => held.length).toBe(2)
  held[1]?.write(OK)
  expect(await second).toBe('ok')
  expect(busy.requests).toEqual([1, 2])
})

test('the time after which an origin closes is learned, also from a request timeout that it sends', async () => {
  for (const farewell of ['', 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n']) {
    const { port, sockets, requests } = await openOrigin((socket) => void socket.write(OK))
    const client = clientFor(port)
    await send(client)
    sockets[0]?.end(farewell)
    await expect.poll(() => sockets[0]?.destroyed).toBe(true)
    expect(await send(client)).toBe('ok')
    // It was open for less than a second, so connections are now kept for 0.8 s instead of 45.
    await expect.poll(() => sockets[1]?.destroyed, { timeout: 5_000 }).toBe(true)
    expect(requests).toEqual([1, 2])
  }
})

test('an announced time wins over a learned one', async () => {
  const { port, sockets } = await openOrigin(
    (socket) => void socket.write('HTTP/1.1 200 OK\r\nkeep-alive: timeout=9\r\ncontent-length: 2\r\n\r\nok'),
  )
  const client = clientFor(port)
  await send(client)
  sockets[0]?.end()
  await expect.poll(() => sockets[0]?.destroyed).toBe(true)
  await send(client)
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  await send(client)
  expect(sockets).toHaveLength(2)
})

test('every address of a host is tried, and then all of them once more', async () => {
  const { port, sockets } = await openOrigin((socket) => void socket.write(OK), '127.0.0.9')
  const dead = ['127.0.0.5', '127.0.0.6', '127.0.0.7']
  const host = 'vendor.test'
  const last = clientFor(port, { host, addresses: [...dead, '127.0.0.9'] })
  expect(await send(last)).toBe('ok')
  // Nobody listens at first: the second round finds the origin.
  let asked = 0
  const later = clientFor(port, {
    host,
    resolve: () => Promise.resolve([{ address: ++asked === 1 ? '127.0.0.5' : '127.0.0.9', family: 4 }]),
  })
  expect(await send(later)).toBe('ok')
  expect(asked).toBe(2)
  asked = 0
  const never = clientFor(port, {
    host,
    resolve: () => {
      asked++
      return Promise.resolve(dead.map((address) => ({ address, family: 4 })))
    },
  })
  expect(await failure(send(never))).toMatchObject({ code: 'ECONNREFUSED' })
  process.stdout.write(`addresses: ${asked} rounds of ${dead.length}, ${sockets.length} connections\n`)
  expect(asked).toBe(2)
  expect(sockets).toHaveLength(2)
})

test('a name that is refused or does not exist is not asked for again, and one that may be known later is', async () => {
  const { port } = await openOrigin((socket) => void socket.write(OK))
  const rounds = async (error: Error): Promise<number> => {
    let asked = 0
    const resolve = () => {
      asked++
      return Promise.reject(error)
    }
    await failure(send(clientFor(port, { host: 'vendor.test', resolve })))
    return asked
  }
  expect(await rounds(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))).toBe(1)
  expect(await rounds(Object.assign(new Error('later'), { code: 'EAI_AGAIN' }))).toBe(2)
  let asked = 0
  const forbidden = clientFor(port, {
    host: 'other.test',
    resolve: () => {
      asked++
      return Promise.resolve([{ address: '10.0.0.1', family: 4 }])
    },
  })
  expect(await failure(send(forbidden))).toMatchObject({ code: 'destination_refused' })
  expect(asked).toBe(1)
})

test('the connect limit holds for all attempts together', async () => {
  const hanging = clientFor(9, {
    host: 'vendor.test',
    connectTimeoutMs: 50,
    resolve: () => new Promise(() => undefined),
  })
  expect(await failure(send(hanging))).toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' })
})
