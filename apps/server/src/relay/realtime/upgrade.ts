import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { KEY_PROTOCOL } from '../admit/key.ts'

/** Longest frame taken in; sound comes in pieces far below this. */
const FRAME_BYTES_MAX = 16 * 1024 * 1024

export interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Where connections become WebSockets. Who they are is asked behind it: refusals are told in frames. */
export function openUpgradeHandler() {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: FRAME_BYTES_MAX,
    handleProtocols: chosen,
  })
  return {
    /** The socket is paused, so that nothing it says is lost before somebody listens. */
    open({ request, socket, head }: UpgradeRequest, enter: (caller: WebSocket) => void): void {
      server.handleUpgrade(request, socket, head, (caller) => {
        caller.pause()
        caller.on('error', () => caller.terminate())
        enter(caller)
      })
    },
    refuse(socket: Duplex): void {
      socket.on('error', () => socket.destroy())
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    },
  }
}

/** A key is never said back. */
function chosen(offered: Set<string>): string | false {
  if (offered.has('realtime')) return 'realtime'
  return [...offered].find((each) => !each.startsWith(KEY_PROTOCOL)) ?? false
}
