import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { invariant } from '@tollgate/kit/invariant'
import { afterEach, expect, test } from 'vitest'
import { openEgress } from './open-egress.ts'

/** Servers that end a WebSocket and keep the connection below it. */

const leaving: (() => unknown)[] = []
afterEach(async () => {
  for (const leave of leaving.splice(0)) await leave()
})

/** Accepts the handshake, sends the bytes, and never closes. */
async function serve(bytes: Buffer): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', (head: Buffer) => {
      const key = /sec-websocket-key: (\S+)/i.exec(head.toString())?.[1] ?? ''
      const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
      )
      socket.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  leaving.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the server listens on a port')
  return `ws://127.0.0.1:${address.port}`
}

const frame = (first: number, payload: Buffer) => Buffer.concat([Buffer.of(first, payload.length), payload])

/** The library waits for half a minute by itself, longer than a test may take. */
test.each([
  ['a close frame', frame(0x88, Buffer.of(0x03, 0xe8))],
  ['a close frame without a code', frame(0x88, Buffer.alloc(0))],
  [
    'a close frame after a message',
    Buffer.concat([frame(0x81, Buffer.from('{}')), frame(0x88, Buffer.of(0x03, 0xf3))]),
  ],
  ['a close code that does not exist', frame(0x88, Buffer.of(0x00, 0x01))],
  ['an unknown kind of frame', frame(0x83, Buffer.from('x'))],
  ['a text that is not UTF-8', frame(0x81, Buffer.of(0xff, 0xfe))],
  ['a masked frame', Buffer.concat([Buffer.of(0x81, 0x81), Buffer.alloc(5)])],
  ['a frame that is too long', Buffer.of(0x82, 127, 0, 0, 0, 1, 0, 0, 0, 0)],
])('a server that sends %s and keeps the connection is left within seconds', async (_name, bytes) => {
  const egress = openEgress({ allowedAddresses: ['127.0.0.0/8'] })
  leaving.push(() => egress.close())
  const socket = egress.socket({ url: await serve(bytes) })
  socket.on('error', () => undefined)
  const { promise, resolve } = Promise.withResolvers<number>()
  socket.once('close', resolve)
  expect(await promise).toBeGreaterThan(999)
})
