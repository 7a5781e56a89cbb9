import { once } from 'node:events'
import { type AddressInfo, type Server, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { closeListener } from './close-listener.ts'

const CLIENTS = 20

test('serves the clients that connected just before it closes', async () => {
  const server = createServer((socket) => socket.end('served'))
  const port = await listen(server)
  const answers = Array.from({ length: CLIENTS }, async () => text(connect(port, '127.0.0.1')))
  // The kernel has established the connections by now, but this process has accepted none of them.
  await new Promise<void>((resolve) => process.nextTick(resolve))
  const closed = new Promise<void>((resolve) => closeListener(server, resolve))
  expect(await Promise.all(answers)).toEqual(answers.map(() => 'served'))
  await closed
  expect(server.listening).toBe(false)
})

test('closes a server that always has something to do', async () => {
  const server = createServer((socket) => socket.pipe(socket).on('error', () => socket.destroy()))
  const port = await listen(server)
  const busy = connect(port, '127.0.0.1').on('data', (echo) => busy.write(echo))
  await once(busy, 'connect')
  busy.write('ping')
  closeListener(server, () => undefined)
  await expect.poll(() => server.listening).toBe(false)
  busy.destroy()
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return port
}
