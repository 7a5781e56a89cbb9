import { problem } from '@tollgate/problems/problem'
import type { BodyBudgetLimits } from '../stations/admit/body-budget.ts'

const RETRY_SECONDS = 2
/** Incomplete frames may use this share of the budget for bodies, and those of one user this share of that. */
const SHARE_OF_BODIES = 8
const SHARE_OF_USER = 4
/** All users without a balance together, so that they do not get in the way of the others. */
const SHARE_WITHOUT_BALANCE = 4

export interface FrameBytes {
  /** What the frame has taken already. */
  readonly held: number
  readonly bytes: number
  readonly hasBalance: boolean
}

/**
 * Budget for frames of callers that have not arrived whole, per process and per user. They are in memory
 * although nobody can use them yet, so they get less room than bodies.
 */
export class FrameBudget {
  readonly #allMax: number
  readonly #userMax: number
  readonly #users = new Map<number, number>()
  #used = 0
  #usedWithoutBalance = 0

  constructor({ bodyBytesMax, bodiesBytesMax }: BodyBudgetLimits) {
    this.#allMax = Math.max(bodyBytesMax, Math.ceil(bodiesBytesMax / SHARE_OF_BODIES))
    this.#userMax = Math.ceil(this.#allMax / SHARE_OF_USER)
  }

  get used(): number {
    return this.#used
  }

  /**
   * Adds bytes to a frame. The only incomplete frame of a user may have any length. Throws the Problem of the
   * limit that would be exceeded; then nothing is taken.
   */
  take(userId: number, { held, bytes, hasBalance }: FrameBytes): void {
    const ofUser = this.#users.get(userId) ?? 0
    if (ofUser > held && ofUser + bytes > this.#userMax)
      throw problem('too_many_body_bytes', { limit: this.#userMax, seconds: RETRY_SECONDS })
    if (this.#used + bytes > this.#allMax) throw problem('gateway_bodies_full', { seconds: RETRY_SECONDS })
    if (!hasBalance) this.#takeWithoutBalance(bytes)
    this.#add(userId, bytes)
  }

  give(userId: number, { held, hasBalance }: Omit<FrameBytes, 'bytes'>): void {
    if (!hasBalance) this.#usedWithoutBalance -= held
    this.#add(userId, -held)
  }

  /** The user of a frame turned out to have no balance. Throws a Problem when such users have no room left. */
  #takeWithoutBalance(bytes: number): void {
    if (this.#usedWithoutBalance + bytes > this.#allMax / SHARE_WITHOUT_BALANCE)
      throw problem('gateway_bodies_full', { seconds: RETRY_SECONDS })
    this.#usedWithoutBalance += bytes
  }

  #add(userId: number, bytes: number): void {
    this.#used += bytes
    const ofUser = (this.#users.get(userId) ?? 0) + bytes
    if (ofUser === 0) this.#users.delete(userId)
    else this.#users.set(userId, ofUser)
  }
}
