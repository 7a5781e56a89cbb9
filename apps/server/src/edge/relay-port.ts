import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** The data plane as the edge sees it: asked first for every request, and never through the web framework. */
export interface RelayPort {
  matches(method: string, url: string): boolean
  /** Answers by itself, errors included, in the caller's dialect. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): void
  /** The same for a connection that wants to become a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Waits for calls under way, at most this long, then ends and settles the rest. */
  drain(limitMs: number): Promise<void>
}
