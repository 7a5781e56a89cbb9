import type { IncomingHttpHeaders } from 'node:http'
import type { BreakReason } from './break.ts'

/** Receives a response: a stream, a whole body or an error body. It ends the exchange by calling `finish`. */
export interface Sink {
  /** Bytes of the response that it holds. Absent: next to none. */
  readonly heldBytes?: number
  /** It may come to hold much more, nobody knows how much. */
  readonly isGrowing?: boolean
  data(chunk: Buffer): void
  /** The response is complete. */
  end(): void
  /** The connection broke, or one of the gateway's limits ended it. */
  broke(reason: BreakReason): void
  /** Called a few times a second. */
  tick(now: number): void
}

export interface UpstreamHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}
