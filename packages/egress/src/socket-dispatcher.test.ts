import { once } from 'node:events'
import type { Dispatcher } from 'undici'
import { afterEach, expect, it } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { openEgress } from './open-egress.ts'

let server: WebSocketServer | undefined
afterEach(() => {
  for (const client of server?.clients ?? []) client.terminate()
  server?.close()
  server = undefined
})

async function vendor(answer: (socket: WebSocket, message: string) => void): Promise<string> {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  server.on('connection', (socket) =>
    socket.once('message', (message: Buffer) => answer(socket, message.toString())),
  )
  const address = server.address()
  return typeof address === 'object' && address ? `ws://127.0.0.1:${address.port}` : ''
}

const egress = openEgress({ allowedAddresses: ['127.0.0.0/8'] })

it('sends a body as one message and returns each received message as a line', async () => {
  const url = await vendor((socket, message) => {
    socket.send(`{"heard":${message}}`)
    socket.send('{\n  "more": true\n}')
    socket.close(1000)
  })
  const answer = await egress.exchange({ method: 'POST', url: `${url}/chat?a=1`, body: '{"x":1}' })
  expect([answer.status, answer.body.toString()]).toEqual([200, '{"heard":{"x":1}}\n{   "more": true }\n'])
})

it('fails when the connection breaks before the normal close', async () => {
  const url = await vendor((socket) => socket.close(1011))
  await expect(egress.exchange({ method: 'POST', url, body: '{}' })).rejects.toMatchObject({
    code: 'do_request_failed',
  })
})

it('closes the connection when the request is aborted', async () => {
  const url = await vendor(() => undefined)
  const left = new Promise<void>((resolve) => {
    server?.on('connection', (socket) => void socket.once('close', () => resolve()))
  })
  const failed = new Promise<Error>((resolve) => {
    const handler: Dispatcher.DispatchHandler = {
      onResponseStart: (controller) => controller.abort(new Error('left')),
      onResponseError: (_controller, error) => resolve(error),
    }
    egress.dispatcher(url).dispatch({ origin: url, path: '/', method: 'POST', body: '{}' }, handler)
  })
  expect((await failed).message).toBe('left')
  await left
})

it('applies the same destination policy as other requests', async () => {
  const url = await vendor((socket) => socket.close(1000))
  const guarded = openEgress({ allowedAddresses: [] })
  await expect(guarded.exchange({ method: 'POST', url, body: '{}' })).rejects.toMatchObject({
    code: expect.stringMatching(/destination_refused|do_request_failed/),
  })
  expect(server?.clients.size).toBe(0)
})
