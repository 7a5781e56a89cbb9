import type { UpstreamError } from '@tollgate/dialects/dialect'
import type { StreamTap } from '@tollgate/dialects/stream-tap'
import { verdictOfBreak, type BreakReason } from '../attempt/break.ts'
import type { Exchange, Sink } from '../attempt/exchange.ts'
import type { Failure } from '../attempt/failure.ts'
import { verdictContext, verdictOfError, verdictOfProblem } from '../attempt/verdict.ts'
import type { StreamEnd, Route } from '../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { StreamMeter } from './stream-meter.ts'
import { endStream, keepAliveEvery, writeFrames } from './outlet.ts'
import { errorFrames, errorRequest } from './refuse.ts'

export interface StreamSinkInput {
  readonly held: Held
  readonly exchange: Exchange
  readonly tap: StreamTap
  readonly meter: StreamMeter
  readonly now: () => number
  /** What settlement needs besides the ending and the reading. */
  readonly route: Route
}

/**
 * Hands a stream on as it comes. Until the first data frame a failure may still lead to another channel; from then on the
 * stream ends honestly, in the caller's dialect.
 */
export class StreamSink implements Sink {
  readonly #input: StreamSinkInput
  /** Comments before the first data frame. Passed on at once they would fix the status of an answer that may yet fail. */
  #preface: Buffer[] = []

  constructor(input: StreamSinkInput) {
    this.#input = input
    input.meter.waiter = this
  }

  data(chunk: Buffer): void {
    const { tap, meter } = this.#input
    const hadBegun = this.#hasBegun
    const frames = tap.push(chunk)
    const { error, outputTokensCounted, usage } = tap.reading
    if (error !== undefined && !hadBegun) return this.#fail(this.#verdictOf(error))
    if (!this.#hasBegun) return this.#keepPreface(frames)
    if (!hadBegun) this.#begin()
    this.#write(frames)
    // The tap keeps an upstream's own error frame back; ours says the same without its addresses.
    if (error !== undefined) return this.#endWithError(tap.end(), this.#verdictOf(error), 'broken')
    if (usage !== undefined) meter.heardUsage(usage)
    if (outputTokensCounted >= meter.nextTokens) this.#measure(outputTokensCounted)
  }

  end(): void {
    this.#conclude({ failure: verdictOfProblem('stream_broken'), ending: 'broken' })
  }

  broke(reason: BreakReason): void {
    if (!this.#hasBegun) return this.#fail(verdictOfBreak(reason))
    const failure = reason.type === 'network' ? verdictOfProblem('stream_broken') : verdictOfBreak(reason)
    this.#conclude({ failure, ending: isOurs(reason) ? 'cancelled' : 'broken' })
  }

  /** An upstream that has said its last may still keep the line open; nobody waits for it. */
  tick(now: number): void {
    const { held, meter, tap } = this.#input
    if (tap.reading.isComplete && now - held.call.wroteAt >= LAST_WORD_MS) return this.end()
    keepAliveEvery(held.call, { now, intervalMs: held.settings.pingIntervalMs })
    if (this.#hasBegun) meter.checkpointEvery(now, tap.reading.outputTokensCounted)
  }

  get #hasBegun(): boolean {
    return this.#input.tap.frames > 0
  }

  #keepPreface(frames: readonly Buffer[]): void {
    if (this.#preface.length < PREFACE_PIECES_MAX) this.#preface.push(...frames)
  }

  #begin(): void {
    const { held, meter, now } = this.#input
    if (held.call.firstByteAt !== undefined) return
    held.call.firstByteAt = now()
    meter.checkpointFirst(held.call.firstByteAt)
    if (this.#preface.length === 0) return
    writeFrames(held.call, this.#preface)
    this.#preface = []
  }

  #write(frames: readonly Buffer[]): void {
    const { held, exchange, route } = this.#input
    held.call.wroteAt = exchange.heardAt
    const isReading = writeFrames(held.call, frames)
    route.heard?.push(frames)
    if (isReading) return
    exchange.pause()
    held.call.response.once('drain', () => this.resume())
  }

  /** Both the caller and the ledger can make the upstream wait; it goes on when neither does. */
  resume(): void {
    const { held, exchange, meter } = this.#input
    if (!meter.isBlocking && !held.call.response.writableNeedDrain) exchange.resume()
  }

  /** The upstream is through, or gone. What it sent may be a whole answer all the same. */
  #conclude(otherwise: { failure: Failure; ending: StreamEnd }): void {
    const { held, tap, route } = this.#input
    const last = tap.end()
    const { error, isComplete } = tap.reading
    if (error === undefined && isComplete) {
      this.#begin()
      endStream(held.call, last)
      route.heard?.push(last)
      return this.#finish('complete')
    }
    const failure = error === undefined ? otherwise.failure : this.#verdictOf(error)
    if (this.#hasBegun) this.#endWithError(last, failure, otherwise.ending)
    else this.#fail(failure)
  }

  /** The balance may have ended: then the stream does too, with the finish reason `length`. */
  #measure(outputTokens: number): void {
    const { held, exchange, tap, meter } = this.#input
    const verdict = meter.reached(outputTokens)
    if (verdict === 'wait') exchange.pause()
    if (verdict !== 'cut') return
    endStream(held.call, tap.cut())
    this.#finish('cut')
  }

  #verdictOf(error: UpstreamError): Failure {
    const { held, route } = this.#input
    return verdictOfError(error, verdictContext(held, route.channel))
  }

  /** `last`: what the tap still has to say, so that the error is a frame of its own. */
  #endWithError(last: readonly Buffer[], failure: Failure, ending: StreamEnd): void {
    const { held, tap } = this.#input
    const { call } = held
    endStream(call, [...last, ...errorFrames(call, errorRequest(call, failure), tap)])
    this.#finish(ending)
  }

  #fail(failure: Failure): void {
    this.#input.exchange.finish({ type: 'failed', failure })
  }

  #finish(ending: StreamEnd): void {
    const { exchange, tap, route } = this.#input
    exchange.finish({ type: 'delivered', ending, reading: tap.reading, ...route })
  }
}

/** Time for an upstream to end its answer by itself, which keeps its connection in use. */
const LAST_WORD_MS = 5_000

/** A few comments say as much as many. */
const PREFACE_PIECES_MAX = 4

/** We ended it, not the upstream. */
function isOurs({ type }: BreakReason): boolean {
  return type === 'drained' || type === 'stopped' || type === 'too-long'
}
