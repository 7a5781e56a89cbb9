import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { KEY_PROTOCOL } from '../stations/admit/key.ts'

/** Longest accepted frame; audio arrives in frames far smaller than this. */
const FRAME_BYTES_MAX = 16 * 1024 * 1024

export interface UpgradeRequest {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Accepts websocket upgrades. Authentication follows after the upgrade, so refusals are sent as frames. */
export function openUpgradeHandler() {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: FRAME_BYTES_MAX,
    handleProtocols: chosen,
  })
  return {
    /** Passes the socket on paused, so that no frame is lost before a listener is attached. */
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

/** Chooses the sub-protocol for the handshake; the one that contains the API key is never returned. */
function chosen(offered: Set<string>): string | false {
  if (offered.has('realtime')) return 'realtime'
  return [...offered].find((each) => !each.startsWith(KEY_PROTOCOL)) ?? false
}
