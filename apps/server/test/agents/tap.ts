import { createServer, request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** A recording proxy between an agent and the gateway. */
export interface Tap {
  readonly address: string
  readonly requests: readonly TappedRequest[]
  close(): Promise<void>
}

export interface TappedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** 0 until the gateway responded. */
  readonly status: number
}

export async function openTap(target: string): Promise<Tap> {
  const requests: TappedRequest[] = []
  const server = createServer((request, response) => void pass(request, response))
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request
    const body = await buffer(request)
    const kept = { method, path, headers, body, status: 0 }
    requests.push(kept)
    const upstream = httpRequest(new URL(path, target), {
      method,
      headers: { ...headers, connection: 'close' },
    })
    upstream.on('response', (answer) => {
      kept.status = answer.statusCode ?? 0
      response.writeHead(kept.status, answer.headers)
      answer.pipe(response)
      answer.on('close', () => answer.complete || response.destroy())
    })
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    response.on('error', () => undefined)
    upstream.end(body)
  }
  // Upgrade requests are forwarded as plain HTTP; the agent gets the gateway's response to them.
  server.on('upgrade', (request, socket) => {
    requests.push({
      method: 'UPGRADE',
      path: request.url ?? '/',
      headers: request.headers,
      body: Buffer.alloc(0),
      status: 426,
    })
    socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
