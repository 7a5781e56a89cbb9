import { isRequestSent } from '@tollgate/egress/request-controller'
import type { Dispatcher } from 'undici'
import type { AnswerDecoder } from './answer-decoder.ts'
import type { FollowedCall } from '../../left-calls.ts'

/**
 * Why a response is stopped: its caller reads too slowly or its hold has to be enlarged, it has no room, or it has
 * taken its share of a turn of the event loop.
 */
export type HoldReason = 'caller' | 'room' | 'turn'

/** How far a request has come, which decides what it costs a caller who leaves. */
export class RequestState {
  controller: Dispatcher.DispatchController | undefined
  /** The upstream has begun to answer with success, or taken an order. */
  isAccepted = false
  /** The upstream has begun to answer with an error. */
  isRefused = false
  /** It ended because too many calls were left by their callers, and the upstream had not refused it. */
  isDisplaced = false
  /** Present for a response that is coded although `identity` was requested. */
  decoder: AnswerDecoder | undefined
  readonly #reasons = new Set<HoldReason>()
  #isSent = false
  #followed: FollowedCall | undefined

  /** The last byte has left the process. */
  get isSent(): boolean {
    if (this.#isSent || this.isAccepted || this.isRefused) return true
    return this.controller !== undefined && isRequestSent(this.controller) === true
  }

  /** For clients that tell it, and whose controllers do not. */
  sent(): void {
    this.#isSent = true
  }

  /** Stops the response for a reason of its own. */
  hold(reason: HoldReason): void {
    if (this.#reasons.size === 0) {
      this.controller?.pause()
      this.decoder?.pause()
    }
    this.#reasons.add(reason)
  }

  /** Lets the response go on, unless another reason holds it. Returns whether it does. */
  release(reason: HoldReason): boolean {
    if (!this.#reasons.delete(reason) || this.#reasons.size > 0) return false
    this.controller?.resume()
    this.decoder?.resume()
    return true
  }

  get isHeld(): boolean {
    return this.#reasons.size > 0
  }

  abort(): void {
    this.controller?.abort(new ExchangeEnded())
  }

  /** The request is sent once more. */
  restart(): void {
    this.controller = undefined
    this.#isSent = false
  }

  answered(status: number): void {
    if (status < 300) this.isAccepted = true
    else this.isRefused = true
  }

  /** The caller left; `follow` is called once. */
  follow(follow: () => FollowedCall): void {
    this.#followed ??= follow()
  }

  displace(): void {
    this.isDisplaced = !this.isRefused
  }

  /** The exchange has ended. */
  end(): void {
    this.#followed?.end()
  }
}

/** The abort reason passed to the HTTP client when the gateway ends a request; not visible anywhere else. */
class ExchangeEnded extends Error {
  override readonly name = 'ExchangeEnded'
}
