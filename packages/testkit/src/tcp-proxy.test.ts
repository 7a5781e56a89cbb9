import { once } from 'node:events'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TcpProxy, openTcpProxy } from './tcp-proxy.ts'

let server: Server
let received: string
let proxy: TcpProxy
const sockets: Socket[] = []

/** Says back what it hears. */
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

test('healthy, it passes on what it is given in both directions', async () => {
  const socket = await open()
  expect(await answerTo(socket, 'hello')).toBe('hello')
  expect(proxy).toMatchObject({ open: 1, accepted: 1 })
})

test('frozen, nothing passes and nothing is closed; thawed, everything arrives', async () => {
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

test('it freezes at a byte, in the middle of what was sent', async () => {
  const socket = await open()
  proxy.freezeAfter(3)
  socket.write('abcdef')
  await until(() => received.length >= 3)
  await sleep(20)
  expect(received).toBe('abc')
  proxy.thaw()
  await until(() => received === 'abcdef')
})

test('deaf from a word on, it still carries what is sent', async () => {
  const socket = await open()
  let heard = ''
  socket.on('data', (piece: Buffer) => (heard += piece.toString()))
  proxy.deafenAt('commit')
  socket.write('begin')
  await until(() => heard === 'begin')
  socket.write('; commit;')
  await until(() => received === 'begin; commit;')
  await sleep(20)
  expect(heard).toBe('begin')
  proxy.thaw()
  await until(() => heard === 'begin; commit;')
})

test('cut ends in the orderly way, reset does not', async () => {
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

test('down it refuses, back it serves on the same port', async () => {
  const { port } = proxy
  await proxy.goDown()
  const refused = connect(port, proxy.host)
  const [error] = await once(refused, 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  await proxy.comeBack()
  expect(proxy.port).toBe(port)
  expect(await answerTo(await open(), 'again')).toBe('again')
})

test('slow, everything still arrives in order', async () => {
  const socket = await open()
  proxy.delay(5)
  proxy.throttle(100_000)
  for (const letter of 'abcdefgh') socket.write(letter)
  await until(() => received.length === 8)
  expect(received).toBe('abcdefgh')
})
