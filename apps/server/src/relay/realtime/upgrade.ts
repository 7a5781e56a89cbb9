import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { KEY_PROTOCOL } from '../stations/admit/key.ts'

export interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Bytes that are still read of a caller whose socket is being closed: a few small frames and its close frame. */
const CLOSING_BYTES_MAX = 64 * 1024

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
        limitClosing(caller, socket)
        enter(caller)
      })
    },
    refuse(socket: Duplex): void {
      socket.on('error', () => socket.destroy())
      socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    },
  }
}

/** A frame that nobody wants any more must not be collected until the socket is closed. */
function limitClosing(caller: WebSocket, connection: Duplex): void {
  let bytes = 0
  connection.prependListener('data', (chunk: Buffer) => {
    if (caller.readyState === WebSocket.OPEN) return
    bytes += chunk.length
    if (bytes > CLOSING_BYTES_MAX) caller.pause()
  })
}

/** Chooses the sub-protocol for the handshake; the one that contains the API key is never returned. */
function chosen(offered: Set<string>): string | false {
  if (offered.has('realtime')) return 'realtime'
  return [...offered].find((each) => !each.startsWith(KEY_PROTOCOL)) ?? false
}
