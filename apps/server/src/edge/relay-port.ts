import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The data plane as the edge sees it. It gets every request first and bypasses the web framework. */
export interface RelayPort {
  matches(method: string, url: string): boolean
  /** Handles the request completely, with errors in the caller's API format. Returns its id; never throws. */
  handle(request: IncomingMessage, response: ServerResponse): string
  /** The same for a WebSocket upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Waits up to `limitMs` for calls in flight, then aborts and settles the rest. */
  drain(limitMs: number): Promise<void>
}
