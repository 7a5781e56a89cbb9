import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { WebSocket } from 'ws'
import type { SocketRequest } from './open-socket.ts'

/**
 * The only way out of the process, for channels, media, webhooks, sign-in providers, payment and mail. It
 * connects only to addresses that are globally routable or listed by the operator, checks the very address it
 * connects to at connect time, and follows no redirects.
 */
export interface Egress {
  /**
   * Returns a pooled dispatcher for one origin, for the relay's own streaming; the same origin always gets
   * the same object. A dispatcher for `ws:` or `wss:` sends each body as one message and returns the messages
   * it receives as lines of the response body. With a proxy (see `proxyAddress`), all traffic goes through
   * the proxy; it is never bypassed.
   */
  dispatcher(origin: string, proxy?: string): Dispatcher
  /** Opens a WebSocket over a connection of its own. */
  socket(request: SocketRequest): WebSocket
  /**
   * Performs a small JSON or text exchange, such as a model list or a balance. Rejects with a Problem that
   * names no host.
   */
  exchange(request: ExchangeRequest): Promise<ExchangeAnswer>
  /**
   * Opens a plain TCP connection, for protocols other than HTTP. Rejects with `destination_refused` for a
   * host that may not be reached.
   */
  connection(place: HostAndPort): Promise<Socket>
  close(): Promise<void>
}

export interface HostAndPort {
  readonly host: string
  readonly port: number
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  readonly timeoutMs?: number
  readonly bytesMax?: number
  readonly signal?: AbortSignal
  /** The result of `proxyAddress`. */
  readonly proxy?: string | undefined
}

export interface ExchangeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
