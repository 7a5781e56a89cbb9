import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { invariant } from '@tollgate/kit/invariant'
import { afterEach, expect, test } from 'vitest'
import { sendContent } from './content.ts'

const MIB = 1024 * 1024
/** Far more than the buffers of two sockets hold. */
const MOVIE = Array.from({ length: 64 }, () => Buffer.alloc(MIB))

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Serves one download; the promise ends with it. */
async function startDownload(idleMs: number) {
  const body = Readable.from(MOVIE)
  const sent = Promise.withResolvers<void>()
  server = createServer((_request, response) => {
    const content = { status: 200 as const, headers: { 'content-type': 'video/mp4' }, body }
    sendContent({ id: 'call-1', isGone: false, response }, content, idleMs).then(sent.resolve, sent.reject)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the server listens on a port')
  const client = connect(address.port, '127.0.0.1')
  client.on('error', () => undefined)
  client.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  return { body, client, sent: sent.promise }
}

test('a download whose caller stops reading is cut off', async () => {
  const { body, client, sent } = await startDownload(200)
  await once(client, 'readable')
  await sent
  expect(body.destroyed).toBe(true)
  expect(body.readableEnded).toBe(false)
  client.destroy()
})

test('a download whose caller keeps reading arrives whole', async () => {
  const { client, sent } = await startDownload(5_000)
  let bytes = 0
  client.on('data', (chunk: Buffer) => void (bytes += chunk.length))
  await Promise.all([sent, once(client, 'close')])
  expect(bytes).toBeGreaterThan(MOVIE.length * MIB)
})
