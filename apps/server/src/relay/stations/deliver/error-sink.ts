import { verdictOfBreak, type BreakReason } from '../attempt/break.ts'
import type { Exchange, Sink, UpstreamHead } from '../attempt/exchange.ts'
import { retryAfterMs } from '../attempt/retry-after.ts'
import { verdictOfStatus, type ErrorReader, type VerdictContext } from '../attempt/verdict.ts'
import { Collected } from './collected.ts'

export interface ErrorSinkInput {
  readonly context: VerdictContext
  readonly exchange: Exchange
  readonly head: UpstreamHead
  readonly bytesMax: number
  /** Wall time. */
  readonly nowMs: number
  /** When absent, the error shapes common to all vendors are read. */
  readonly read?: ErrorReader | undefined
}

/** Reads an error body up to a limit and makes a failure of it. */
export class ErrorSink implements Sink {
  readonly #input: ErrorSinkInput
  readonly #body = new Collected()

  constructor(input: ErrorSinkInput) {
    this.#input = input
  }

  data(chunk: Buffer): void {
    this.#body.add(chunk)
    if (this.#body.size >= this.#input.bytesMax) this.end()
  }

  end(): void {
    const { exchange, head, context, read, nowMs } = this.#input
    const waitMs = retryAfterMs(head.headers, nowMs)
    const answer = { status: head.status, bytes: this.#body.bytes(), retryAfterMs: waitMs, read }
    exchange.finish({ type: 'failed', failure: verdictOfStatus(answer, context) })
  }

  /**
   * After a network error the status alone is enough; when a limit of the gateway ended the response, that is
   * reported instead.
   */
  broke(reason: BreakReason): void {
    if (reason.type === 'network') this.end()
    else this.#input.exchange.finish({ type: 'failed', failure: verdictOfBreak(reason) })
  }

  tick(): void {
    // The limits of the exchange also bound the error body.
  }
}
