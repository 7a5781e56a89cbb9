import { createServer } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'
import { WebSocketServer } from 'ws'

/** A vendor that gets one message over a WebSocket, sends several back and closes. */
export interface SocketUpstream {
  readonly url: string
  readonly received: readonly { readonly url: string; readonly message: string }[]
  /** When set, handshakes are refused with this response. */
  refusal: { readonly status: number; readonly body: string } | undefined
  close(): Promise<void>
}

export async function openSocketUpstream(answer: () => readonly string[]): Promise<SocketUpstream> {
  const received: { url: string; message: string }[] = []
  const state: { refusal: SocketUpstream['refusal'] } = { refusal: undefined }
  const http = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  http.on('upgrade', (request, connection, head) => {
    const { refusal } = state
    if (refusal !== undefined) {
      const length = Buffer.byteLength(refusal.body)
      const fields = `content-type: application/json\r\ncontent-length: ${length}\r\nconnection: close`
      connection.end(`HTTP/1.1 ${refusal.status} No\r\n${fields}\r\n\r\n${refusal.body}`)
      return
    }
    sockets.handleUpgrade(request, connection, head, (socket) => {
      socket.once('message', (message: Buffer) => {
        received.push({ url: request.url ?? '', message: message.toString() })
        for (const line of answer()) socket.send(line)
        socket.close(1000)
      })
    })
  })
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  invariant(typeof address === 'object' && address, 'the upstream listens on a port')
  return Object.assign(state, {
    url: `http://127.0.0.1:${address.port}`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        sockets.close()
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  })
}
