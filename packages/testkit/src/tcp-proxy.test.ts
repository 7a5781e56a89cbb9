import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TcpProxy, openTcpProxy } from './tcp-proxy.ts'

let server: Server
let received: string
let proxy: TcpProxy
const sockets: Socket[] = []

/** Starts an echo server behind a proxy. */
beforeEach(async () => {
  received = ''
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      received += piece.toString()
      socket.write(piece)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  proxy = await openTcpProxy({
    host: '127.0.0.1',
    port: typeof address === 'object' && address ? address.port : 0,
  })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await proxy.close()
  server.close()
})

async function open(): Promise<Socket> {
  const socket = connect(proxy.port, proxy.host)
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

async function answerTo(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const [piece] = await once(socket, 'data')
  return String(piece)
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}

test('a healthy proxy passes data in both directions', async () => {
  const socket = await open()
  expect(await answerTo(socket, 'hello')).toBe('hello')
  expect(proxy).toMatchObject({ open: 1, accepted: 1 })
})

test('a frozen proxy passes nothing and closes nothing, and delivers everything when thawed', async () => {
  const socket = await open()
  await answerTo(socket, 'a')
  proxy.freeze()
  socket.write('b')
  await sleep(30)
  expect(received).toBe('a')
  proxy.thaw()
  await until(() => received === 'ab')
  expect(socket.destroyed).toBe(false)
})

test('freezes after a number of bytes, even in the middle of a write', async () => {
  const socket = await open()
  proxy.freezeAfter(3)
  socket.write('abcdef')
  await until(() => received.length >= 3)
  await sleep(20)
  expect(received).toBe('abc')
  proxy.thaw()
  await until(() => received === 'abcdef')
})

test('deafenAt holds back responses from a given text on, while requests still pass', async () => {
  const socket = await open()
  let collected = ''
  socket.on('data', (piece: Buffer) => (collected += piece.toString()))
  proxy.deafenAt('commit')
  socket.write('begin')
  await until(() => collected === 'begin')
  socket.write('; commit;')
  await until(() => received === 'begin; commit;')
  await sleep(20)
  expect(collected).toBe('begin')
  proxy.thaw()
  await until(() => collected === 'begin; commit;')
})

test('cut closes connections in order, and reset does not', async () => {
  const first = await open()
  await answerTo(first, 'a')
  proxy.cut()
  await once(first, 'end')
  const second = await open()
  await answerTo(second, 'b')
  proxy.reset()
  const [error] = await once(second, 'error')
  expect(error).toMatchObject({ code: 'ECONNRESET' })
})

test('refuses connections while down, and comes back on the same port', async () => {
  const { port } = proxy
  await proxy.goDown()
  const refused = connect(port, proxy.host)
  const [error] = await once(refused, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.comeBack()
  expect(proxy.port).toBe(port)
  expect(await answerTo(await open(), 'again')).toBe('again')
})

test('a slow proxy delivers everything in order', async () => {
  const socket = await open()
  proxy.delay(5)
  proxy.throttle(100_000)
  for (const letter of 'abcdefgh') socket.write(letter)
  await until(() => received.length === 8)
  expect(received).toBe('abcdefgh')
})
