import type { IncomingHttpHeaders } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'
import type { Dispatcher } from 'undici'
import type { Call } from '../call.ts'
import type { Outcome } from '../outcome.ts'
import type { RelayLimits } from '../limits.ts'
import type { Watch, Watched } from '../watch.ts'
import { verdictOfBreak, type BreakReason } from './break.ts'
import { verdictOfThrown } from './verdict.ts'

/** Takes in an answer: a stream, a whole body or an error body. It ends the exchange by calling `finish`. */
export interface Sink {
  data(chunk: Buffer): void
  /** The upstream is through. */
  end(): void
  /** The connection broke, or one of our limits ended it. */
  broke(reason: BreakReason): void
  /** A few times a second. */
  tick(now: number): void
}

export interface UpstreamHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

export interface ExchangeInput {
  readonly call: Call
  readonly limits: RelayLimits
  readonly watch: Watch
  readonly now: () => number
  readonly receive: (head: UpstreamHead, exchange: Exchange) => Sink
  /** While no answer has begun, a few times a second. */
  readonly waiting: (now: number) => void
  readonly done: (exit: Outcome) => void
  /** A bug of ours while bytes came in; the exchange has ended. */
  readonly onBug: (bug: unknown) => void
}

/**
 * One request to an upstream and what comes back: undici's handler, our limits and the caller's presence in one place.
 * It ends exactly once, by `finish`, and never leaves a request running behind it.
 */
export class Exchange implements Dispatcher.DispatchHandler, Watched {
  readonly #input: ExchangeInput
  readonly #sentAt: number
  #controller: Dispatcher.DispatchController | undefined
  #sink: Sink | undefined
  #heardAt: number
  #pausedAt: number | undefined
  #hasData = false
  #isThrough = false
  #isDone = false

  constructor(input: ExchangeInput) {
    this.#input = input
    this.#sentAt = input.now()
    this.#heardAt = this.#sentAt
    input.watch.add(this)
    input.call.exchange = this
  }

  /** Monotonic time of the last sign of life. */
  get heardAt(): number {
    return this.#heardAt
  }

  get isOver(): boolean {
    return this.#isDone
  }

  /** Ends the exchange. What is still coming is cut off. */
  finish(exit: Outcome): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#input.watch.remove(this)
    this.#input.call.exchange = undefined
    if (!this.#isThrough) this.#controller?.abort(new ExchangeEnded())
    this.#input.done(exit)
  }

  /** Ends the exchange for a reason of ours. */
  stop(reason: BreakReason): void {
    if (this.#isDone) return
    this.#guarded(() => {
      if (this.#sink) this.#sink.broke(reason)
      else this.finish({ type: 'failed', failure: verdictOfBreak(reason) })
      invariant(this.#isDone, 'a sink that broke has finished its exchange')
    })
  }

  stopNow(): void {
    this.stop({ type: 'stopped' })
  }

  /** The caller reads more slowly than the upstream writes, or more is not paid for yet. */
  pause(): void {
    this.#pausedAt ??= this.#input.now()
    this.#controller?.pause()
  }

  resume(): void {
    if (this.#pausedAt === undefined || this.#isDone) return
    this.#pausedAt = undefined
    this.#heardAt = this.#input.now()
    this.#controller?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isDone) controller.abort(new ExchangeEnded())
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Interim answers (1xx) announce nothing that is used here.
    if (this.#isDone || status < 200) return
    this.#heardAt = this.#input.now()
    this.#guarded(() => {
      this.#sink = this.#input.receive({ status, headers }, this)
    })
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone) return
    this.#heardAt = this.#input.now()
    this.#hasData = true
    this.#guarded(() => this.#sink?.data(chunk))
  }

  onResponseEnd(): void {
    this.#isThrough = true
    if (!this.#isDone) this.#guarded(() => this.#sink?.end())
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#isThrough = true
    this.stop({ type: 'network', error })
  }

  tick(now: number): void {
    const { call, limits } = this.#input
    if (call.goneAt !== undefined && now - call.goneAt >= limits.drainMs)
      return this.stop({ type: 'drained' })
    if (now - this.#sentAt >= limits.answerMs) return this.stop({ type: 'too-long' })
    if (this.#pausedAt !== undefined) return this.#tickPaused(now)
    const { idleMs, firstByteMs } = limits
    if (this.#hasData && now - this.#heardAt >= idleMs) return this.stop({ type: 'idle' })
    // A head alone is no answer yet: some upstreams send it before they begin to think.
    if (!this.#hasData && now - this.#sentAt >= firstByteMs) return this.stop({ type: 'first-byte-timeout' })
    this.#guarded(() => (this.#sink ? this.#sink.tick(now) : this.#input.waiting(now)))
  }

  /** The call must be settled whatever happens here, so a bug ends the exchange instead of losing it. */
  #guarded(act: () => void): void {
    try {
      act()
    } catch (bug) {
      this.#input.onBug(bug)
      this.finish({ type: 'failed', failure: verdictOfThrown(bug) })
    }
  }

  /** A caller who reads nothing for as long as an upstream may be silent has left, whatever its socket says. */
  #tickPaused(now: number): void {
    if (now - (this.#pausedAt ?? now) >= this.#input.limits.idleMs) this.#input.call.response.destroy()
  }
}

/** Given to the HTTP client when we end a request; nobody else sees it. */
class ExchangeEnded extends Error {
  override readonly name = 'ExchangeEnded'
}
