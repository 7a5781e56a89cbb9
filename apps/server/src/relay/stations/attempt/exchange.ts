import type { IncomingHttpHeaders } from 'node:http'
import { invariant } from '@tollgate/kit/invariant'
import type { Dispatcher } from 'undici'
import type { AnswerRoom } from '../../answers/answer-rooms.ts'
import type { TurnShare } from '../../answers/turn-share.ts'
import type { Call } from '../../call.ts'
import { unsentBytes, type Outcome } from '../../outcome.ts'
import type { FollowedCall } from '../../left-calls.ts'
import type { RelayLimits } from '../../limits.ts'
import type { Watch, Watched, Watching } from '../../watch.ts'
import { AnswerDecoder, isCodedAnswer, withoutCodingHeaders } from './answer-decoder.ts'
import { verdictOfBreak, type BreakReason } from './break.ts'
import { RequestState, type HoldReason } from './request-state.ts'
import type { Sink, UpstreamHead } from './sink.ts'
import { verdictOfThrown } from './verdict.ts'

export type { Sink, UpstreamHead }

export interface ExchangeInput {
  readonly call: Call
  readonly limits: RelayLimits
  readonly watch: Watch
  readonly now: () => number
  readonly receive: (head: UpstreamHead, exchange: Exchange) => Sink
  /** The room that a response takes while it is held; `onRoom`: it waited for room, and now there is some. */
  readonly turns: TurnShare
  readonly openRoom: (onRoom: () => void) => AnswerRoom
  /** Called a few times a second until the response begins. */
  readonly waiting: (now: number) => void
  /** Whether the request was sent once more, after a failure before the head of a response. */
  readonly resend: (error: Error) => boolean
  readonly done: (exit: Outcome) => void
  /** Called for a bug of the gateway during the exchange; the exchange ends as a failure. */
  readonly onBug: (bug: unknown) => void
  /** Follows the exchange from the moment its caller left; `end` is called when it is displaced. */
  readonly follow: (end: () => void) => FollowedCall
}

/**
 * One request to an upstream and its response: undici's handler, the gateway's time limits and the caller
 * hanging up, in one place. It ends exactly once, by `finish`, and never leaves a request running.
 */
export class Exchange implements Dispatcher.DispatchHandler, Watched {
  readonly #input: ExchangeInput
  readonly #sentAt: number
  readonly #watching: Watching | undefined
  readonly request = new RequestState()
  #sink: Sink | undefined
  #bytes = 0
  #room: AnswerRoom | undefined
  #lastActivityAt: number
  #pausedAt: number | undefined
  #hasData = false
  #isThrough = false
  #isDone = false
  /** When the upstream of a response that is done is not waited for any longer. */
  #lingersUntil: number | undefined

  constructor(input: ExchangeInput) {
    this.#input = input
    this.#sentAt = input.now()
    this.#lastActivityAt = this.#sentAt
    this.#watching = input.watch.add(this)
    input.call.exchange = this
  }

  /** Monotonic time at which the upstream last sent something. */
  get lastActivityAt(): number {
    return this.#lastActivityAt
  }

  get isOver(): boolean {
    return this.#isDone
  }

  /** Ends the exchange and aborts the rest of the response. */
  finish(exit: Outcome): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#room?.keep(unsentBytes(exit) + this.#input.call.untakenBytes)
    this.#leave()
    this.#input.done(exit)
  }

  /**
   * Ends the exchange after the last event of a response. The upstream has a moment to end the response itself,
   * which lets its connection be reused; some keep it open. What it still sends is discarded.
   */
  finishEarly(exit: Outcome): void {
    if (this.#isThrough) return this.finish(exit)
    if (this.#isDone) return
    this.#isDone = true
    this.#sink = undefined
    this.#input.call.exchange = undefined
    this.#room?.keep(unsentBytes(exit) + this.#input.call.untakenBytes)
    this.request.end()
    this.#lingersUntil = this.#input.now() + LINGER_MS
    if (this.request.isHeld) this.request.controller?.resume()
    this.#input.done(exit)
  }

  /** Ends the exchange because of an error or a limit, giving the sink a chance to finish. */
  stop(reason: BreakReason): void {
    if (this.#isDone) return
    this.#guarded(() => {
      if (this.#sink) this.#sink.broke(reason)
      else this.finish({ type: 'failed', failure: verdictOfBreak(reason) })
      invariant(this.#isDone, 'a sink that broke has finished its exchange')
    })
  }

  stopNow(): void {
    if (this.#isDone) this.#leave()
    else this.stop({ type: 'stopped' })
  }

  /** Used when the caller reads more slowly than the upstream writes, or when the hold has to be enlarged first. */
  pause(): void {
    this.#pausedAt ??= this.#input.now()
    this.request.hold('caller')
  }

  resume(): void {
    if (this.#pausedAt === undefined || this.#isDone) return
    this.#pausedAt = undefined
    this.#goOn('caller')
  }

  #goOn(reason: HoldReason): void {
    if (!this.#isDone && this.request.release(reason)) this.#lastActivityAt = this.#input.now()
  }

  /**
   * The caller hung up. A request that was sent whole goes on, because its vendor works on and takes its price; one
   * that was not is ended.
   */
  callerLeft(): void {
    if (this.#isDone) return
    if (!this.request.isSent) return this.stop({ type: 'left-unsent' })
    this.resume()
    this.request.follow(() =>
      this.#input.follow(() => {
        this.request.displace()
        this.stop({ type: 'displaced' })
      }),
    )
  }

  onRequestSent(): void {
    this.request.sent()
  }

  /** Stops the upstream while there is no room for more of the response. */
  #takeRoom(): void {
    const { heldBytes, isGrowing = false } = this.#sink ?? {}
    if (heldBytes === undefined || this.#isDone) return
    this.#room ??= this.#input.openRoom(() => this.#goOn('room'))
    if (this.#room.take(heldBytes, isGrowing, this.#input.now())) this.#goOn('room')
    else this.request.hold('room')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.request.controller = controller
    if (this.#isDone) this.request.abort()
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Interim responses (1xx) contain nothing that is needed here.
    if (this.#isDone || status < 200) return
    this.#lastActivityAt = this.#input.now()
    this.request.answered(status)
    this.#guarded(() => {
      const plainHeaders = isCodedAnswer(headers) ? this.#decode(status, headers) : headers
      if (!this.#isDone) this.#sink = this.#input.receive({ status, headers: plainHeaders }, this)
      this.#takeRoom()
    })
  }

  /** Returns the headers of a coded answer without its coding. An error status counts even if its body cannot be read. */
  #decode(status: number, headers: IncomingHttpHeaders): IncomingHttpHeaders {
    try {
      this.request.decoder = new AnswerDecoder(headers, {
        data: (chunk) => this.#take(chunk),
        end: () => this.#end(),
        fail: (error) => this.stop({ type: 'network', error }),
        full: () => this.request.controller?.pause(),
        drain: () => {
          if (!this.request.isHeld) this.request.controller?.resume()
        },
      })
      return withoutCodingHeaders(headers)
    } catch (error) {
      invariant(error instanceof Error, 'what is thrown is an error')
      if (status < 300) this.stop({ type: 'network', error })
      return headers
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isDone) return
    this.#lastActivityAt = this.#input.now()
    this.#hasData = true
    if (this.request.decoder === undefined) this.#take(chunk)
    else this.request.decoder.write(chunk)
  }

  onResponseEnd(): void {
    this.#isThrough = true
    if (this.request.decoder === undefined || this.#isDone) this.#end()
    else this.request.decoder.end()
  }

  #take(chunk: Buffer): void {
    if (this.#isDone) return
    const work = () => {
      this.#sink?.data(chunk)
      this.#takeRoom()
    }
    this.#bytes += chunk.length
    if (this.#bytes <= LARGE_BYTES) return this.#guarded(work)
    const { turns } = this.#input
    if (!turns.spend(() => this.#guarded(work)) || this.#isDone) return
    this.request.hold('turn')
    turns.wait(() => this.#goOn('turn'))
  }

  #end(): void {
    if (this.#isDone) this.#leave()
    else this.#guarded(() => this.#sink?.end())
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    if (!this.#isDone && this.#sink === undefined && this.#isResent(error)) return
    this.#isThrough = true
    if (this.#isDone) this.#leave()
    else this.stop({ type: 'network', error })
  }

  #isResent(error: Error): boolean {
    let isResent = false
    this.#guarded(() => {
      this.request.restart()
      isResent = this.#input.resend(error)
    })
    return isResent
  }

  tick(now: number): void {
    if (this.#lingersUntil !== undefined) {
      if (now >= this.#lingersUntil) this.#leave()
      return
    }
    const { limits } = this.#input
    // Waiting for room is neither the upstream's silence nor the caller's.
    if (this.#room?.isOverdue(now) === true)
      return this.stop({ type: 'no-room', isOwn: this.#room.isFullOfOwn })
    if (this.#room?.isWaiting === true) return
    // Some upstreams send the headers before the model begins to work, so they are not the first byte.
    if (!this.#hasData && now - this.#sentAt >= limits.firstByteMs)
      return this.stop({ type: 'first-byte-timeout' })
    if (now - this.#sentAt >= limits.answerMs) return this.stop({ type: 'too-long' })
    if (this.#pausedAt !== undefined) return this.#tickPaused(now)
    if (this.#hasData && now - this.#lastActivityAt >= limits.idleMs) return this.stop({ type: 'idle' })
    this.#guarded(() => (this.#sink ? this.#sink.tick(now) : this.#input.waiting(now)))
  }

  #leave(): void {
    this.#watching?.end()
    this.request.end()
    this.#input.call.exchange = undefined
    this.request.decoder?.close()
    if (!this.#isThrough) this.request.abort()
  }

  /** The call must be settled in any case, so a bug ends the exchange instead of leaving it open. */
  #guarded(act: () => void): void {
    try {
      act()
    } catch (bug) {
      this.#input.onBug(bug)
      this.finish({ type: 'failed', failure: verdictOfThrown(bug) })
    }
  }

  /**
   * A caller who has read nothing for a while is treated as gone, even if the socket is still open.
   */
  #tickPaused(now: number): void {
    if (now - (this.#pausedAt ?? now) >= this.#input.limits.callerIdleMs) this.#input.call.response.destroy()
  }
}

const LINGER_MS = 5_000
/** Larger answers share the event loop with everything else. */
const LARGE_BYTES = 256 * 1024
