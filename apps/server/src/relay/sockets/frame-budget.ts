import { problem } from '@tollgate/problems/problem'
import type { BodyBudgetLimits } from '../stations/admit/body-budget.ts'

const RETRY_SECONDS = 2
/** Incomplete frames may use this share of the budget for bodies, and those of one user this share of that. */
const SHARE_OF_BODIES = 8
const SHARE_OF_USER = 4

/**
 * Budget for frames of callers that have not arrived whole, per process and per user. They are in memory
 * although nobody can use them yet, so they get less room than bodies.
 */
export class FrameBudget {
  readonly #allMax: number
  readonly #userMax: number
  readonly #users = new Map<number, number>()
  #used = 0

  constructor({ bodyBytesMax, bodiesBytesMax }: BodyBudgetLimits) {
    this.#allMax = Math.max(bodyBytesMax, Math.ceil(bodiesBytesMax / SHARE_OF_BODIES))
    this.#userMax = Math.ceil(this.#allMax / SHARE_OF_USER)
  }

  get used(): number {
    return this.#used
  }

  /**
   * Adds bytes to a frame that has `held` already. The only incomplete frame of a user may have any length.
   * Throws the Problem of the limit that would be exceeded; then nothing is taken.
   */
  take(userId: number, { held, bytes }: { readonly held: number; readonly bytes: number }): void {
    const ofUser = this.#users.get(userId) ?? 0
    if (ofUser > held && ofUser + bytes > this.#userMax)
      throw problem('too_many_body_bytes', { limit: this.#userMax, seconds: RETRY_SECONDS })
    if (this.#used + bytes > this.#allMax) throw problem('gateway_bodies_full', { seconds: RETRY_SECONDS })
    this.#add(userId, bytes)
  }

  give(userId: number, bytes: number): void {
    this.#add(userId, -bytes)
  }

  #add(userId: number, bytes: number): void {
    this.#used += bytes
    const ofUser = (this.#users.get(userId) ?? 0) + bytes
    if (ofUser === 0) this.#users.delete(userId)
    else this.#users.set(userId, ofUser)
  }
}
