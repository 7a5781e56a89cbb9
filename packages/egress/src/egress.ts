import type { Dispatcher } from 'undici'

/**
 * The one way out of the process: channels, media, webhooks, sign-in providers, payment. It connects only to addresses
 * that are globally routable or listed by the operator, checks at connect time the very address it connects to, and
 * follows no redirect.
 */
export interface Egress {
  /** A pooled dispatcher for one origin, for the relay's own streaming. The same object for the same origin. */
  dispatcher(origin: string): Dispatcher
  /** Small JSON or text exchanges: model lists, balances. Rejects with a Problem that names no host. */
  exchange(request: ExchangeRequest): Promise<ExchangeAnswer>
  close(): Promise<void>
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs?: number
  readonly bytesMax?: number
  readonly signal?: AbortSignal
}

export interface ExchangeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
