import type { Span } from '../span.ts'

/** Spans of one request to the collector, in the form of a protocol. It is used again after `clear`. */
export interface SpanBatch {
  /** Number of spans. */
  readonly count: number
  /** About the size of the request. */
  readonly bytes: number
  readonly contentType: string
  add(span: Span): void
  /** The whole request. The bytes are valid until `clear`. */
  finish(): Uint8Array
  clear(): void
}
