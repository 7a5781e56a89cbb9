import type { UpstreamError } from '@tollgate/dialects/dialect'
import type { StreamTap } from '@tollgate/dialects/stream/stream-tap'
import { verdictOfBreak, type BreakReason } from '../attempt/break.ts'
import type { Exchange, Sink } from '../attempt/exchange.ts'
import type { AttemptFailure } from '../attempt/failure.ts'
import { verdictContext, verdictOfError, verdictOfProblem } from '../attempt/verdict.ts'
import type { StreamEnd, Route } from '../../outcome.ts'
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
  /** What settlement needs besides the reason for the end and the usage. */
  readonly route: Route
}

/**
 * Passes a stream on as it arrives. Until the first data frame a failure may still lead to another channel;
 * after it the stream ends with an error in the caller's dialect.
 */
export class StreamSink implements Sink {
  readonly #input: StreamSinkInput
  /**
   * Comments received before the first data frame. Sending them at once would fix the status of a response
   * that may still fail.
   */
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
    // The tap withholds the upstream's own error frame; the gateway's frame reports the same error without
    // the upstream's addresses.
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

  /**
   * Some upstreams keep the connection open after the last event; the exchange is ended without waiting for
   * them.
   */
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
    held.call.wroteAt = exchange.lastActivityAt
    const isReading = writeFrames(held.call, frames)
    route.transcript?.push(frames)
    if (isReading) return
    exchange.pause()
    held.call.response.once('drain', () => this.resume())
  }

  /**
   * The upstream can be paused for the caller and for the ledger; it is resumed when neither needs the pause.
   */
  resume(): void {
    const { held, exchange, meter } = this.#input
    if (!meter.isBlocking && !held.call.response.writableNeedDrain) exchange.resume()
  }

  /**
   * Called when the upstream has ended or the connection broke. The response may be complete in either case.
   */
  #conclude(otherwise: { failure: AttemptFailure; ending: StreamEnd }): void {
    const { held, tap, route } = this.#input
    const last = tap.end()
    const { error, isComplete } = tap.reading
    if (error === undefined && isComplete) {
      this.#begin()
      endStream(held.call, last)
      route.transcript?.push(last)
      return this.#finish('complete')
    }
    const failure = error === undefined ? otherwise.failure : this.#verdictOf(error)
    if (this.#hasBegun) this.#endWithError(last, failure, otherwise.ending)
    else this.#fail(failure)
  }

  /** Checks the balance; when it is exhausted the stream is ended with the finish reason `length`. */
  #measure(outputTokens: number): void {
    const { held, exchange, tap, meter } = this.#input
    const verdict = meter.reached(outputTokens)
    if (verdict === 'wait') exchange.pause()
    if (verdict !== 'cut') return
    endStream(held.call, tap.cut())
    this.#finish('cut')
  }

  #verdictOf(error: UpstreamError): AttemptFailure {
    const { held, route } = this.#input
    return verdictOfError(error, verdictContext(held, route.channel))
  }

  /** `last`: the frames still in the tap, so that the error is a separate frame. */
  #endWithError(last: readonly Buffer[], failure: AttemptFailure, ending: StreamEnd): void {
    const { held, tap } = this.#input
    const { call } = held
    endStream(call, [...last, ...errorFrames(call, errorRequest(call, failure), tap)])
    this.#finish(ending)
  }

  #fail(failure: AttemptFailure): void {
    this.#input.exchange.finish({ type: 'failed', failure })
  }

  #finish(ending: StreamEnd): void {
    const { exchange, tap, route } = this.#input
    exchange.finish({ type: 'delivered', ending, reading: tap.reading, ...route })
  }
}

/** Time for an upstream to close the response by itself, which lets its connection be reused. */
const LAST_WORD_MS = 5_000

/** More comments than this would add nothing. */
const PREFACE_PIECES_MAX = 4

/** Whether the gateway ended the response, not the upstream. */
function isOurs({ type }: BreakReason): boolean {
  return type === 'drained' || type === 'stopped' || type === 'too-long'
}
