import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { KEY_PROTOCOL } from '../stations/admit/key.ts'

export interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Accepts websocket upgrades. A frame longer than `frameBytesMax` ends its connection. */
export function openUpgradeHandler(frameBytesMax: number) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: frameBytesMax,
    handleProtocols: chosen,
  })
  return {
    /** Passes the socket on paused, so that no frame is lost before a listener is attached. */
    open({ request, socket, head }: UpgradeRequest, enter: (caller: WebSocket) => void): void {
      server.handleUpgrade(request, socket, head, (caller) => {
        caller.pause()
        // The library closes the connection after an error, with the code that says why.
        caller.on('error', () => undefined)
        enter(caller)
      })
    },
    refuse(socket: Duplex): void {
      socket.on('error', () => socket.destroy())
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    },
  }
}

/** Chooses the sub-protocol for the handshake; the one that contains the API key is never returned. */
function chosen(offered: Set<string>): string | false {
  if (offered.has('realtime')) return 'realtime'
  return [...offered].find((each) => !each.startsWith(KEY_PROTOCOL)) ?? false
}
