import { createServer, request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
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
  /** Address of the node that got it; "" until it was sent on. */
  readonly node: string
}

/** `target` gives the address of the node for the next request; the request waits for it. */
export async function openTap(target: () => Promise<string>): Promise<Tap> {
  const requests: TappedRequest[] = []
  const server = createServer((request, response) => void pass(request, response))
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request
    const body = await buffer(request)
    const kept = { method, path, headers, body, status: 0, node: '' }
    requests.push(kept)
    kept.node = await target()
    const upstream = httpRequest(new URL(path, kept.node), {
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
  async function join(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { url: path = '/', headers } = request
    const kept = { method: 'UPGRADE', path, headers, body: Buffer.alloc(0), status: 0, node: '' }
    requests.push(kept)
    socket.on('error', () => undefined)
    kept.node = await target()
    const upstream = httpRequest(new URL(path, kept.node), { headers })
    upstream.on('upgrade', (answer, end, first) => {
      kept.status = 101
      socket.write(headOf(answer))
      socket.write(first)
      end.write(head)
      joined(socket, end)
    })
    upstream.on('response', (answer) => {
      kept.status = answer.statusCode ?? 0
      socket.end(headOf(answer))
      answer.resume()
    })
    upstream.on('error', () => socket.destroy())
    upstream.end()
  }
  server.on('upgrade', (request, socket, head) => void join(request, socket, head))
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

function headOf({ statusCode, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode ?? 502} tap`]
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at] ?? ''}: ${rawHeaders[at + 1] ?? ''}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

function joined(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one)
  for (const end of [one, other]) {
    end.on('error', () => undefined)
    end.on('close', () => (end === one ? other : one).destroy())
  }
}
