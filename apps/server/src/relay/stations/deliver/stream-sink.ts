import type { OriginalTools } from '@tollgate/dialects/canonical/portable-tools'
import type { UpstreamError } from '@tollgate/dialects/dialect'
import type { StreamTap } from '@tollgate/dialects/stream/stream-tap'
import { endUnsent, verdictOfBreak, type BreakReason } from '../attempt/break.ts'
import type { Exchange, Sink } from '../attempt/exchange.ts'
import type { AttemptFailure } from '../attempt/failure.ts'
import { verdictContext, verdictOfError, verdictOfProblem } from '../attempt/verdict.ts'
import { toStreamEnd, type Delivered, type Route, type StreamEnd } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { StreamMeter } from './stream-meter.ts'
import { isBehind, keepAliveEvery, keepAliveIntervalMs, onTaken, writeFrames } from './outlet.ts'
import { errorFrames, errorRequest } from './refuse.ts'
import { Withheld } from './withheld.ts'

export interface StreamSinkInput {
  readonly held: Held
  readonly exchange: Exchange
  readonly tap: StreamTap
  readonly meter: StreamMeter
  readonly now: () => number
  /** What settlement needs besides the reason for the end and the usage. */
  readonly route: Route
  /** The caller's tools by the names that the upstream was given for them. */
  readonly tools: OriginalTools | undefined
}

/**
 * Passes a stream on as it arrives, except for its end, which waits for the settlement. Until the first data
 * frame a failure may still lead to another channel; after it the stream ends with an error in the caller's
 * dialect.
 */
export class StreamSink implements Sink {
  readonly #input: StreamSinkInput
  /**
   * Comments received before the first data frame. Sending them at once would fix the status of a response
   * that may still fail.
   */
  #preface: Buffer[] = []
  readonly #end = new Withheld()
  /** Bytes that came since the last frame: those of the next one. */
  #unframedBytes = 0
  /** Monotonic time of the last frame. */
  #framedAt: number

  constructor(input: StreamSinkInput) {
    this.#input = input
    this.#framedAt = input.now()
    input.meter.waiter = this
  }

  get heldBytes(): number {
    const { held, tap } = this.#input
    // What is set aside of the frame under way is part of both.
    return Math.max(this.#unframedBytes, tap.asideBytes ?? 0) + held.call.untakenBytes
  }

  get isGrowing(): boolean {
    return this.#unframedBytes > GROWING_BYTES
  }

  data(chunk: Buffer): void {
    const { exchange, tap, meter } = this.#input
    const hadBegun = this.#hasBegun
    const frames = tap.push(chunk)
    this.#unframedBytes = frames.length === 0 ? this.#unframedBytes + chunk.length : 0
    const { error, outputTokensCounted, usage, model } = tap.reading
    if (error !== undefined && !hadBegun) return this.#fail(this.#verdictOf(error))
    if (!this.#hasBegun) return this.#keepPreface(frames)
    // The tap withholds the upstream's own error frame; the gateway's frame reports the same error without
    // the upstream's addresses.
    if (error !== undefined)
      return this.#endWithError([...frames, ...tap.end()], {
        failure: this.#verdictOf(error),
        ending: 'broken',
      })
    if (tap.hasEnded) return exchange.finishEarly(this.#completed([...frames, ...tap.end()]))
    this.#take(frames)
    if (model !== undefined) meter.heardModel(model)
    if (usage !== undefined) meter.heardUsage(usage)
    if (outputTokensCounted >= meter.nextTokens) this.#measure(outputTokensCounted)
  }

  end(): void {
    this.#conclude()
  }

  broke(reason: BreakReason): void {
    if (!this.#hasBegun) return this.#input.exchange.finish(endUnsent(reason, this.#input.route))
    const failure = reason.type === 'network' ? verdictOfProblem('stream_broken') : verdictOfBreak(reason)
    this.#conclude({ failure, ending: toStreamEnd(reason) })
  }

  /**
   * Some upstreams keep the connection open after the last event; the exchange is ended without waiting for
   * them.
   */
  tick(now: number): void {
    const { held, meter, tap } = this.#input
    if (tap.reading.isComplete && now - held.call.wroteAt >= LAST_WORD_MS) return this.end()
    if (this.#end.isDue(now)) this.#release()
    if (!this.#hasBegun && now - this.#framedAt >= ANNOUNCED_MS) this.#announce()
    if (now - this.#framedAt >= FLUSH_MS) this.#flush(now)
    keepAliveEvery(held.call, { now, tap, intervalMs: keepAliveIntervalMs(held.call, held.settings) })
    if (held.call.firstByteAt !== undefined) meter.checkpointEvery(now, tap.reading.outputTokensCounted)
  }

  #announce(): void {
    const frames = this.#input.tap.release?.() ?? []
    if (frames.length > 0) this.#take(frames)
  }

  /** Frames that wait for a later one do not wait for ever. */
  #flush(now: number): void {
    this.#framedAt = now
    const frames = this.#input.tap.flush?.() ?? []
    if (frames.length > 0) this.#take(frames)
  }

  get #hasBegun(): boolean {
    return this.#input.tap.frames > 0
  }

  #keepPreface(frames: readonly Buffer[]): void {
    if (this.#preface.length < PREFACE_PIECES_MAX) this.#preface.push(...frames)
  }

  #take(frames: readonly Buffer[]): void {
    const { tap, now, route } = this.#input
    route.transcript?.push(frames)
    if (tap.isClosing && this.#isCostReportedIn(frames)) this.#end.reopen()
    if (!tap.isClosing || !this.#end.isOpen) return this.#send(frames)
    const time = now()
    this.#end.add(frames, time)
    if (this.#end.isDue(time)) this.#release()
  }

  /** Whether the cost belongs into these frames, although the end that came before them was released. */
  #isCostReportedIn(frames: readonly Buffer[]): boolean {
    if (this.#end.isOpen || this.#input.held.settings.costReport !== 'usage') return false
    return frames.some((frame) => frame.includes('"usage"'))
  }

  /** Sends the end of the stream before the settlement, because the rest of it does not come. */
  #release(): void {
    const { meter, tap, now } = this.#input
    meter.checkpoint(now(), tap.reading.outputTokensCounted)
    this.#send(this.#end.release())
  }

  #send(frames: readonly Buffer[]): void {
    const { held, exchange } = this.#input
    this.#begin()
    held.call.wroteAt = exchange.lastActivityAt
    this.#framedAt = exchange.lastActivityAt
    if (writeFrames(held.call, frames)) return
    exchange.pause()
    onTaken(held.call, () => this.resume())
  }

  /** From its first byte on, a response must be paid for. */
  #begin(): void {
    const { held, meter, now } = this.#input
    if (held.call.firstByteAt !== undefined) return
    held.call.firstByteAt = now()
    meter.checkpoint(held.call.firstByteAt)
    if (this.#preface.length === 0) return
    writeFrames(held.call, this.#preface)
    this.#preface = []
  }

  /**
   * The upstream can be paused for the caller and for the ledger; it is resumed when neither needs the pause.
   */
  resume(): void {
    const { held, exchange, meter } = this.#input
    if (!meter.isBlocking && !isBehind(held.call)) exchange.resume()
  }

  /**
   * Called when the upstream has ended or the connection broke. The response may be complete in either case.
   */
  #conclude(broken?: Broken): void {
    const { exchange, tap } = this.#input
    const last = tap.end()
    const { error, isComplete } = tap.reading
    if (error === undefined && isComplete) return exchange.finish(this.#completed(last))
    const { failure, ending } = broken ?? { failure: verdictOfProblem('stream_broken'), ending: 'broken' }
    const shown = error === undefined ? failure : this.#verdictOf(error)
    if (this.#hasBegun) this.#endWithError(last, { failure: shown, ending })
    else this.#fail(shown)
  }

  #completed(last: readonly Buffer[]): Delivered {
    this.#input.route.transcript?.push(last)
    return this.#ended('complete', last)
  }

  /** Checks the balance; when it is exhausted the stream is ended with the finish reason `length`. */
  #measure(outputTokens: number): void {
    const { exchange, tap, meter } = this.#input
    const verdict = meter.reached(outputTokens)
    if (verdict === 'wait') exchange.pause()
    if (verdict === 'cut') exchange.finish(this.#ended('cut', tap.cut()))
  }

  #verdictOf(error: UpstreamError): AttemptFailure {
    const { held, route, tools } = this.#input
    return verdictOfError(error, verdictContext(held, route.channel, tools))
  }

  /** `last`: the frames still in the tap, so that the error is a separate frame. */
  #endWithError(last: readonly Buffer[], { failure, ending }: Broken): void {
    const { held, tap, exchange } = this.#input
    const { call } = held
    const frames = [...last, ...errorFrames(call, errorRequest(call, failure), tap)]
    exchange.finish({ ...this.#outcome(ending), rest: { type: 'error', frames: this.#rest(frames) } })
  }

  #fail(failure: AttemptFailure): void {
    this.#input.exchange.finish({ type: 'failed', failure })
  }

  #ended(ending: StreamEnd, last: readonly Buffer[]): Delivered {
    return { ...this.#outcome(ending), rest: { type: 'frames', frames: this.#rest(last) } }
  }

  #outcome(ending: StreamEnd): Delivered {
    const { held, tap, route, now } = this.#input
    held.call.firstByteAt ??= now()
    return { ...route, type: 'delivered', ending, reading: tap.reading }
  }

  /** The frames that were withheld, and the `last` ones, are sent after the settlement. */
  #rest(last: readonly Buffer[]): readonly Buffer[] {
    const frames = [...this.#preface, ...this.#end.release(), ...last]
    this.#preface = []
    return frames
  }
}

interface Broken {
  readonly failure: AttemptFailure
  readonly ending: StreamEnd
}

/** Beyond this, a frame may become as large as any. */
const GROWING_BYTES = 1024 * 1024

/** Time for an upstream to close the response by itself, which lets its connection be reused. */
const LAST_WORD_MS = 5_000

/** An answer that is only announced is kept back for this long, so that another channel can still be tried. */
const ANNOUNCED_MS = 10_000

/** Without a frame for this long, what was kept back for a later one is sent. */
const FLUSH_MS = 30_000

/** More comments than this would add nothing. */
const PREFACE_PIECES_MAX = 4
