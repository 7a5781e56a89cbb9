import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { invariant } from '@tollgate/kit/invariant'

/** An HTTP proxy that opens tunnels and records their destinations. */
export async function openConnectProxy() {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createServer().on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(request.url ?? '')
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connected\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => socket.destroy()))
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  invariant(typeof address === 'object' && address, 'the proxy listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    close: () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
    },
  }
}
