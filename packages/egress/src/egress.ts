import type { Socket } from 'node:net'
import type { Dispatcher } from 'undici'
import type { WebSocket } from 'ws'
import type { SocketRequest } from './open-socket.ts'

/**
 * The one way out of the process: channels, media, webhooks, sign-in providers, payment, mail. It connects only to addresses
 * that are globally routable or listed by the operator, checks at connect time the very address it connects to, and
 * follows no redirect.
 */
export interface Egress {
  /**
   * A pooled dispatcher for one origin, for the relay's own streaming. The same object for the same origin. One for `ws:`
   * or `wss:` sends each body as a message, and answers in lines: the messages that come back. With a proxy (see
   * `proxyAddress`) everything goes through it, or not at all.
   */
  dispatcher(origin: string, proxy?: string): Dispatcher
  /** A conversation in messages, both ways, over a connection of its own. */
  socket(request: SocketRequest): WebSocket
  /** Small JSON or text exchanges: model lists, balances. Rejects with a Problem that names no host. */
  exchange(request: ExchangeRequest): Promise<ExchangeAnswer>
  /** A plain connection, for what is no HTTP. Rejects with `destination_refused` for a host that may not be reached. */
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
  /** As `proxyAddress` answers it. */
  readonly proxy?: string | undefined
}

export interface ExchangeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
