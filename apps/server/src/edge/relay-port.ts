import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The data plane as the edge sees it. It gets every request first and bypasses the web framework. */
export interface RelayPort {
  matches(method: string, url: string): boolean
  /** Handles the request completely and renders errors in the caller's API format. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** The same for a WebSocket upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Waits up to `limitMs` for calls in flight, then aborts and settles the rest. */
  drain(limitMs: number): Promise<void>
}
