import { createServer, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { invariant } from '@tollgate/kit/invariant'

/** A server that keeps every byte it receives, usable as an upstream or as a proxy. */
export interface CanaryServer {
  readonly url: string
  readonly port: number
  /** Everything it received so far. */
  seen(): string
  forget(): void
  close(): Promise<void>
}

/** Opens a canary server that responds like an upstream supporting every route. */
export async function openCanaryUpstream(): Promise<CanaryServer> {
  let text = ''
  const server = createServer((request: IncomingMessage, response) => {
    text += `${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}\n`
    request.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end('{"object":"list","data":[{"id":"gpt-4o"}],"choices":[]}')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen: () => text,
    forget: () => (text = ''),
    close: () => new Promise((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  }
}

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"data":[]}'

/**
 * Opens a canary server that records everything, opens a tunnel for every CONNECT, and responds to every
 * other request.
 */
export async function openAttackerServer(): Promise<CanaryServer> {
  let text = ''
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => sockets.add(socket.on('error', () => socket.destroy()))
  const server = createTcpServer((client) => {
    keep(client)
    let isTunnel = false
    client.on('data', (chunk) => {
      const part = chunk.toString('latin1')
      text += part
      if (isTunnel) return
      const [, host = '', port = ''] = /^CONNECT ([^: ]+):(\d+) /.exec(part) ?? []
      if (host === '') {
        client.write(ANSWER)
        return
      }
      isTunnel = true
      const upstream = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connected\r\n\r\n')
        client.on('data', (more) => upstream.write(more))
        upstream.pipe(client)
      })
      keep(upstream)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen: () => text,
    forget: () => (text = ''),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  invariant(typeof address === 'object' && address, 'the server listens on a port')
  return address.port
}
