import { createServer } from 'node:http'
import { connect } from 'node:net'

/**
 * A proxy without Internet access: it forwards requests to this machine, and records and refuses all others.
 */
export interface BlockingProxy {
  readonly address: string
  /** Hosts that were requested, in order. */
  readonly asked: readonly string[]
  close(): Promise<void>
}

export async function startBlockingProxy(): Promise<BlockingProxy> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    response.writeHead(403, { 'content-length': 0 }).end()
  })
  server.on('connect', (request, socket, head) => {
    const target = new URL(`http://${request.url ?? ''}`)
    socket.on('error', () => undefined)
    if (target.hostname !== '127.0.0.1') {
      asked.push(target.host)
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
      return
    }
    const onward = connect(Number(target.port), target.hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('close', () => onward.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
