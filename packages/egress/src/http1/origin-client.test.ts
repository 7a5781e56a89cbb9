import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { connect, createServer, type Server, type Socket } from 'node:net'
import process from 'node:process'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { localhostCertificate, localhostKey } from '@tollgate/testkit/localhost-certificate'
import { Pool, buildConnector, type Dispatcher } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { destinationPolicy } from '../destination-policy.ts'
import { guardedConnector, systemResolve } from '../guarded-connector.ts'
import { OriginClient, type OriginClientInput } from './origin-client.ts'
import { readsIntoSharedBuffer } from './shared-buffer.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

interface Upstream {
  readonly origin: string
  /** All connections that were opened. */
  readonly sockets: Socket[]
  /** Head and body of each request, in the order of their arrival. */
  readonly requests: string[]
}

type Answer = (socket: Socket, request: string, count: number) => void

/** A server that sees bytes. It calls `answer` once a head and the body of its length have arrived. */
async function upstream(answer: Answer): Promise<Upstream> {
  const sockets: Socket[] = []
  const requests: string[] = []
  const server: Server = createServer((socket) => {
    let received = ''
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      const headEnd = received.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/.exec(received)?.[1] ?? 0)
      if (headEnd < 4 || received.length < headEnd + length) return
      requests.push(received.slice(0, headEnd + length))
      const request = received
      received = received.slice(headEnd + length)
      answer(socket, request, requests.length)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return { origin: `http://127.0.0.1:${address.port}`, sockets, requests }
}

function clientFor(origin: string, input: Partial<OriginClientInput> = {}): OriginClient {
  const connector = guardedConnector({
    policy: destinationPolicy(['127.0.0.0/8']),
    resolve: systemResolve,
    connectTimeoutMs: 10_000,
    onread: readsIntoSharedBuffer,
  })
  const client = new OriginClient({
    origin,
    connect: connector,
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

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const POST = {
  method: 'POST',
  path: '/v1',
  body: Buffer.from('{}'),
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

interface Result {
  readonly status: number
  readonly body: string
}

interface Sent {
  readonly result: Promise<Result>
  readonly controller: Promise<Dispatcher.DispatchController>
  /** Resolves with each piece of the body. */
  readonly pieces: string[]
}

interface Reactions {
  readonly onStart?: (controller: Dispatcher.DispatchController) => void
  readonly onData?: (controller: Dispatcher.DispatchController) => void
  readonly onEnd?: (controller: Dispatcher.DispatchController) => void
}

function send(
  client: Dispatcher,
  options: Partial<Dispatcher.DispatchOptions> = {},
  reactions: Reactions = {},
): Sent {
  const started = Promise.withResolvers<Dispatcher.DispatchController>()
  const ended = Promise.withResolvers<Result>()
  ended.promise.catch(() => undefined)
  const pieces: string[] = []
  let status = 0
  client.dispatch(
    { ...POST, ...options },
    {
      onRequestStart: (controller) => {
        started.resolve(controller)
        reactions.onStart?.(controller)
      },
      onResponseStart: (_, code) => {
        status = code
      },
      onResponseData: (controller, bytes) => {
        pieces.push(bytes.toString())
        reactions.onData?.(controller)
      },
      onResponseEnd: (controller) => {
        reactions.onEnd?.(controller)
        ended.resolve({ status, body: pieces.join('') })
      },
      onResponseError: (_, error) => ended.reject(error),
    },
  )
  return { result: ended.promise, controller: started.promise, pieces }
}

const code = (wanted: string): unknown => expect.objectContaining({ code: wanted })

function pauseForATurn(controller: Dispatcher.DispatchController): void {
  controller.pause()
  setImmediate(() => controller.resume())
}

function broken(): never {
  throw new Error('a bug')
}

test('requests one after the other share a connection; what is sent are its head and its body', async () => {
  const { origin, sockets, requests } = await upstream((socket) => socket.write(OK))
  const client = clientFor(origin)
  const headers = { 'content-type': 'application/json', Authorization: 'Bearer é' }
  for (let count = 0; count < 3; count++)
    expect(await send(client, { headers, body: Buffer.from('{"a":"ü"}') }).result).toEqual({
      status: 200,
      body: 'ok',
    })
  await send(client, { method: 'GET', path: '/v1/models?a=b', body: null }).result
  expect(sockets).toHaveLength(1)
  const host = origin.slice('http://'.length)
  expect(requests[2]).toBe(
    `POST /v1 HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\ncontent-length: 10\r\ncontent-type: application/json\r\n` +
      `Authorization: Bearer é\r\n\r\n${Buffer.from('{"a":"ü"}').toString('latin1')}`,
  )
  expect(requests[3]).toBe(`GET /v1/models?a=b HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n\r\n`)
})

test('a body of many megabytes arrives whole, and a response that comes before it closes the connection', async () => {
  const { origin, sockets, requests } = await upstream((socket) => socket.write(OK))
  const client = clientFor(origin)
  const body = Buffer.alloc(4 * 1024 * 1024, 'x')
  await send(client, { body }).result
  expect(requests[0]?.endsWith('xxx')).toBe(true)
  expect(sockets).toHaveLength(1)

  const hasty = await upstream(() => undefined)
  const second = clientFor(hasty.origin)
  const sent = send(second, { body })
  await sent.controller
  await expect.poll(() => hasty.sockets.length).toBe(1)
  hasty.sockets[0]?.pause()
  hasty.sockets[0]?.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\nno')
  expect(await sent.result).toEqual({ status: 413, body: 'no' })
  const next = send(second)
  await next.controller
  await expect.poll(() => hasty.sockets.length).toBe(2)
})

test('requests at the same time have connections of their own, up to a number; the others wait in order', async () => {
  const waiting: Socket[] = []
  const { origin, sockets, requests } = await upstream((socket) => void waiting.push(socket))
  const client = clientFor(origin, { connectionsMax: 2 })
  const sent = ['/1', '/2', '/3', '/4'].map((path) => send(client, { path }).result)
  await expect.poll(() => waiting.length).toBe(2)
  while (requests.length < 4 || waiting.length > 0) {
    waiting.shift()?.write(OK)
    await sleep(1)
  }
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(sockets).toHaveLength(2)
  const paths = requests.map((request) => request.split(' ')[1])
  expect(new Set(paths.slice(0, 2))).toEqual(new Set(['/1', '/2']))
  expect(paths.slice(2)).toEqual(['/3', '/4'])
})

test('bytes or an end on an idle connection never become the response to the next request', async () => {
  const poison = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison'
  const { origin, sockets } = await upstream((socket, _, count) =>
    socket.write(count === 1 ? OK + poison : OK),
  )
  const client = clientFor(origin)
  expect((await send(client).result).body).toBe('ok')
  expect((await send(client).result).body).toBe('ok')
  expect(sockets).toHaveLength(2)
  sockets[1]?.write(poison)
  await expect.poll(() => sockets[1]?.destroyed).toBe(true)
  expect((await send(client).result).body).toBe('ok')
  expect(sockets).toHaveLength(3)
  sockets[2]?.end()
  await expect.poll(() => sockets[2]?.destroyed).toBe(true)
  expect((await send(client).result).body).toBe('ok')
  expect(sockets).toHaveLength(4)
})

test('bytes that the event loop has not read yet do not become the response to a request', async () => {
  const poison = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison'
  const { origin, sockets } = await upstream((socket) => socket.write(OK))
  const trigger = await upstream(() => undefined)
  const client = clientFor(origin)
  await send(client).result
  const { port } = new URL(trigger.origin)
  const caller = connect(Number(port), '127.0.0.1')
  cleanups.push(() => caller.destroy())
  await expect.poll(() => trigger.sockets.length).toBe(1)
  const sent = new Promise<Sent>((resolve) => caller.once('data', () => resolve(send(client))))
  // The event loop finds both connections readable at once, and reads from the caller's first.
  trigger.sockets[0]?.write('call')
  sockets[0]?.write(poison)
  const { result } = await sent
  expect((await result).body).toBe('ok')
  expect(sockets).toHaveLength(2)
})

test('idle connections are closed when their time is over, or before the server closes them', async () => {
  const { origin, sockets } = await upstream((socket, request) => {
    const hint = /hint/.test(request) ? 'keep-alive: timeout=2\r\n' : ''
    socket.write(`HTTP/1.1 200 OK\r\n${hint}content-length: 2\r\n\r\nok`)
  })
  const client = clientFor(origin, { keepAliveMs: 30 })
  await send(client).result
  await sleep(50)
  await send(client).result
  expect(sockets).toHaveLength(2)
  await expect.poll(() => sockets[1]?.destroyed, { timeout: 5_000 }).toBe(true)
  const long = clientFor(origin)
  await send(long, { path: '/hint' }).result
  await send(long).result
  expect(sockets).toHaveLength(4)
})

test('a paused response is not read, whatever has arrived, and ends after it is resumed', async () => {
  const { origin, sockets } = await upstream((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\none\r\n')
  })
  const client = clientFor(origin)
  const sent = send(client, {}, { onData: (controller) => controller.pause() })
  const controller = await sent.controller
  await expect.poll(() => sent.pieces).toEqual(['one'])
  sockets[0]?.end('3\r\ntwo\r\n0\r\n\r\n')
  await sleep(30)
  expect(sent.pieces).toEqual(['one'])
  controller.resume()
  await expect.poll(() => sent.pieces).toEqual(['one', 'two'])
  controller.resume()
  expect(await sent.result).toEqual({ status: 200, body: 'onetwo' })
})

test('a slow reader slows the upstream down', async () => {
  const PIECE = Buffer.alloc(1024 * 1024, 'x')
  const PIECES = 40
  let written = 0
  const { origin } = await upstream((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${PIECES * PIECE.length}\r\n\r\n`)
    const more = (): void => {
      while (written < PIECES) {
        written++
        if (!socket.write(PIECE)) return void socket.once('drain', more)
      }
    }
    more()
  })
  const sent = send(clientFor(origin), {}, { onData: (controller) => controller.pause() })
  const controller = await sent.controller
  await expect.poll(() => sent.pieces.length).toBe(1)
  await sleep(100)
  expect(written).toBeLessThan(PIECES / 2)
  const resuming = setInterval(() => controller.resume(), 0)
  await sent.result
  clearInterval(resuming)
  const bytes = sent.pieces.reduce((sum, piece) => sum + piece.length, 0)
  expect(bytes).toBe(PIECES * PIECE.length)
})

test('what arrives in one turn is handed on in its order, however many connections read it and however much it is', async () => {
  const LENGTH = 2 * 1024 * 1024
  const { origin } = await upstream((socket, request) => {
    const letter = /POST \/(\w)/.exec(request)?.[1] ?? ''
    const numbered = Buffer.from(
      Array.from({ length: LENGTH / 8 }, (_, at) => letter + String(at).padStart(7, '0')).join(''),
    )
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${LENGTH}\r\n\r\n`)
    socket.write(numbered)
  })
  const client = clientFor(origin)
  const letters = ['a', 'b', 'c', 'd']
  const sent = letters.map((letter) =>
    send(
      client,
      { path: `/${letter}` },
      {
        onData: pauseForATurn,
      },
    ),
  )
  for (const [at, { result }] of sent.entries()) {
    const { body } = await result
    const letter = letters[at] ?? ''
    expect(body.length).toBe(LENGTH)
    expect(body.startsWith(`${letter}0000000${letter}0000001`)).toBe(true)
    for (let number = 0; number < LENGTH / 8; number += 997)
      expect(body.slice(number * 8, number * 8 + 8)).toBe(letter + String(number).padStart(7, '0'))
  }
})

test('an aborted request fails with its reason and closes its connection, and no other', async () => {
  const { origin, sockets, requests } = await upstream((socket, _, count) => {
    socket.write(count === 1 ? 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf' : OK)
  })
  const client = clientFor(origin)
  const first = send(client)
  const controller = await first.controller
  await expect.poll(() => first.pieces).toEqual(['half'])
  controller.abort(new Error('enough'))
  await expect(first.result).rejects.toThrow('enough')
  expect(controller.aborted).toBe(true)
  await expect.poll(() => sockets[0]?.destroyed).toBe(true)

  // An abort or pause after the end does nothing to a connection that may have another request.
  const second = send(client, {}, { onEnd: (its) => its.abort(new Error('late')) })
  await second.result
  const third = send(client)
  const late = await second.controller
  late.pause()
  late.abort(new Error('late'))
  expect((await third.result).body).toBe('ok')
  expect(sockets).toHaveLength(2)

  // A request that is aborted before it is sent leaves the connection to the next one.
  const never = send(client, { path: '/never' }, { onStart: (its) => its.abort(new Error('never')) })
  const next = send(client)
  await expect(never.result).rejects.toThrow('never')
  expect((await next.result).body).toBe('ok')
  expect(sockets).toHaveLength(2)
  expect(requests.some((request) => request.includes('/never'))).toBe(false)
})

test('a process lives for a request, and not for idle connections', async () => {
  const { origin } = await upstream((socket) => void setTimeout(() => socket.write(OK), 200))
  const script = `
    import { openEgress } from ${JSON.stringify(new URL('../open-egress.ts', import.meta.url).href)}
    const egress = openEgress({ allowedAddresses: ['127.0.0.0/8'] })
    const { body } = await egress.exchange({ method: 'GET', url: '${origin}/' })
    console.log(body.toString())
  `
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 10_000,
  })
  expect((await run).stdout).toBe('ok\n')
})

test('over TLS: responses are read and paused alike, sessions are resumed, and the certificate is checked', async () => {
  let resumed = 0
  const server = createTlsServer({ key: localhostKey, cert: localhostCertificate }, (request, response) => {
    request.resume()
    request.on('end', () => response.end('x'.repeat(request.url === '/long' ? 1_000_000 : 2)))
  })
  server.on('secureConnection', (socket) => {
    if (socket.isSessionReused()) resumed++
  })
  await once(server.listen(0), 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  const origin = `https://localhost:${address.port}`
  const connecting = { allowH2: false, onread: readsIntoSharedBuffer, port: address.port }
  const client = clientFor(origin, { connect: buildConnector({ ...connecting, ca: localhostCertificate }) })
  expect((await send(client, { body: Buffer.alloc(300_000) }).result).body).toBe('xx')
  const long = [1, 2, 3].map(() => send(client, { path: '/long' }, { onData: pauseForATurn }).result)
  for (const { body } of await Promise.all(long)) expect(body.length).toBe(1_000_000)
  expect(resumed).toBeGreaterThan(0)
  const careful = clientFor(origin, { connect: buildConnector(connecting) })
  await expect(send(careful).result).rejects.toEqual(code('DEPTH_ZERO_SELF_SIGNED_CERT'))
})

test('a request fails when the connection is refused, closed before its response, or cut off in it', async () => {
  const { origin } = await upstream((socket, request) => {
    if (/none/.test(request)) socket.end()
    else if (/reset/.test(request)) socket.resetAndDestroy()
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')
  })
  const client = clientFor(origin)
  await expect(send(client, { path: '/none' }).result).rejects.toEqual(code('UND_ERR_SOCKET'))
  await expect(send(client, { path: '/reset' }).result).rejects.toEqual(code('ECONNRESET'))
  await expect(send(client, { path: '/half' }).result).rejects.toEqual(code('UND_ERR_SOCKET'))
  const refused = clientFor('http://127.0.0.1:1')
  const both = [send(refused).result, send(refused).result]
  await expect(both[0]).rejects.toEqual(code('ECONNREFUSED'))
  await expect(both[1]).rejects.toEqual(code('ECONNREFUSED'))
})

test('an invalid response, and a handler that throws, fail the request alone', async () => {
  const { origin } = await upstream((socket, request) =>
    socket.write(/bad/.test(request) ? 'HTTP/0.9 hm\r\n\r\n' : OK),
  )
  const client = clientFor(origin)
  await expect(send(client, { path: '/bad' }).result).rejects.toThrow(
    'the response is invalid: its status line',
  )
  await expect(send(client, {}, { onStart: broken }).result).rejects.toThrow('a bug')
  await expect(send(client, {}, { onData: broken }).result).rejects.toThrow('a bug')
  await expect(send(client, {}, { onEnd: broken }).result).rejects.toThrow('a bug')
  expect((await send(client).result).body).toBe('ok')
})

test('undici sends what is not plain, and refuses what must not be sent', async () => {
  const { origin, requests } = await upstream((socket) => socket.write(OK))
  let general = 0
  const client = clientFor(origin, {
    openGeneral: () => {
      general++
      return new Pool(origin)
    },
  })
  await send(client).result
  expect(general).toBe(0)
  await send(client, { method: 'GET', body: Buffer.from('x') }).result
  await send(client, { method: 'PUT' }).result
  await send(client, {
    body: Readable.from([Buffer.from('ab'), Buffer.from('c')]),
    headers: { 'content-length': '3' },
  }).result
  await send(client, { headers: { Host: 'other.example' } }).result
  await send(client, { headers: ['a', 'b'] }).result
  await send(client, { headers: { a: ['b', 'c'] } }).result
  await send(client, { headersTimeout: 1_000 }).result
  expect(general).toBe(1)
  expect(requests).toHaveLength(8)
  expect(requests[4]).toContain('ost: other.example')
  const unsent: readonly Partial<Dispatcher.DispatchOptions>[] = [
    { headers: { 'x-a': 'b\r\nx-c: d' } },
    { headers: { 'x a': 'b' } },
    { headers: { 'x-a': '\u{1F600}' } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { headers: { 'content-length': '7' } },
    { path: '/a b' },
    { path: '/a\r\nx: y' },
    { path: 'relative' },
  ]
  for (const options of unsent) {
    const sending = async () => send(client, options).result
    await expect(sending(), JSON.stringify(options)).rejects.toThrow()
  }
  expect(requests).toHaveLength(8)
})

test('a retired client finishes its requests and keeps no connection', async () => {
  const waiting: Socket[] = []
  const { origin, sockets } = await upstream((socket) => void waiting.push(socket))
  const client = clientFor(origin)
  const first = send(client)
  await expect.poll(() => waiting.length).toBe(1)
  client.retire()
  waiting[0]?.write(OK)
  expect((await first.result).body).toBe('ok')
  await expect.poll(() => sockets[0]?.destroyed).toBe(true)
})

test('a destroyed client fails all requests, and takes no further ones', async () => {
  const { origin, sockets } = await upstream(() => undefined)
  const client = clientFor(origin, { connectionsMax: 1 })
  const sent = [send(client), send(client)]
  await sent[0]?.controller
  await client.destroy()
  const gone = code('UND_ERR_DESTROYED')
  await expect(sent[0]?.result).rejects.toEqual(gone)
  await expect(sent[1]?.result).rejects.toEqual(gone)
  await expect.poll(() => sockets[0]?.destroyed).toBe(true)
  expect(() => send(client)).toThrow(expect.objectContaining({ code: 'UND_ERR_DESTROYED' }))
})
