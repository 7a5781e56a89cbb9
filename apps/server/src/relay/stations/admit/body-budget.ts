import { problem } from '@tollgate/problems/problem'

const KIB = 1024
const MIB = 1024 * KIB

/** Bytes of one body that are read before the owner's balance is checked. */
export const UNCHECKED_BYTES = 64 * KIB
/** Bodies up to this size may use the whole budget of the process; larger ones leave a quarter of it free. */
const ORDINARY_BYTES = MIB
/** What one user without a balance may have in flight, and all such users together. */
const WITHOUT_BALANCE_BYTES = 4 * MIB
const ALL_WITHOUT_BALANCE_BYTES = 32 * MIB

const RETRY_SECONDS = 2

/**
 * Quota units. An account with less has a small share of the budget. Ten cents where 500,000 units are a
 * dollar.
 */
const SMALL_BALANCE = 50_000n

/** The standing of an account with this balance, in quota units. */
export function balanceClassOf(balance: bigint): BalanceClass {
  if (balance <= 0n) return 'none'
  return balance < SMALL_BALANCE ? 'small' : 'ample'
}

export interface BodyBudgetLimits {
  /** Size of the largest permitted body; the budget always has room for one. */
  readonly bodyBytesMax: number
  readonly bodiesBytesMax: number
  readonly userBodiesBytesMax: number
}

/**
 * What is known about an account's balance when its body arrives: enough, or not checked yet (`ample`); less
 * than ten cents (`small`: one body of the largest size at a time); nothing (`none`: only enough bytes to
 * find out whether the model is free).
 */
export type BalanceClass = 'ample' | 'small' | 'none'

interface Share {
  /** The most bytes in flight for one user, and for all users of this standing. */
  readonly userMax: number
  readonly allMax: number
}

/**
 * Budget for the inflated bytes of request bodies in flight, per process and per user. A body is charged as
 * it is read, by the bytes received and not by `content-length`, and everything is returned when its call
 * ends.
 */
export class BodyBudget {
  readonly #processMax: number
  readonly #shares: Readonly<Record<BalanceClass, Share>>
  readonly #users = new Map<number, number>()
  readonly #standings: Record<BalanceClass, number> = { ample: 0, small: 0, none: 0 }
  #used = 0

  constructor({ bodyBytesMax, bodiesBytesMax, userBodiesBytesMax }: BodyBudgetLimits) {
    this.#processMax = Math.max(bodiesBytesMax, Math.ceil((bodyBytesMax * 4) / 3))
    const userMax = Math.max(userBodiesBytesMax, bodyBytesMax)
    this.#shares = {
      ample: { userMax, allMax: this.#processMax },
      small: {
        userMax: Math.min(userMax, bodyBytesMax),
        allMax: Math.max(bodyBytesMax, this.#processMax / 2),
      },
      none: { userMax: WITHOUT_BALANCE_BYTES, allMax: ALL_WITHOUT_BALANCE_BYTES },
    }
  }

  get used(): number {
    return this.#used
  }

  lease(userId: number): BodyLease {
    return new BodyLease(this, userId)
  }

  /** Throws the Problem of the first limit that would be exceeded; then nothing is taken. */
  take(lease: BodyLease, bytes: number): void {
    const { userId, standing } = lease
    const ofUser = this.#users.get(userId) ?? 0
    const { userMax, allMax } = this.#shares[standing]
    if (ofUser + bytes > userMax)
      throw problem('too_many_body_bytes', { limit: userMax, seconds: RETRY_SECONDS })
    const isOrdinary = lease.bytes + bytes <= ORDINARY_BYTES
    const processMax = isOrdinary ? this.#processMax : (this.#processMax * 3) / 4
    const isFull = this.#used + bytes > processMax
    if (isFull || this.#standings[standing] + bytes > allMax)
      throw problem('gateway_bodies_full', { seconds: RETRY_SECONDS })
    this.#add(lease, bytes, ofUser)
  }

  /** Whether all bodies of a user together are so large that the account is checked even for a small one. */
  isMuch({ userId }: BodyLease): boolean {
    return (this.#users.get(userId) ?? 0) > WITHOUT_BALANCE_BYTES
  }

  give(lease: BodyLease, bytes: number): void {
    this.#add(lease, -bytes, this.#users.get(lease.userId) ?? 0)
  }

  /** Moves the bytes that a lease already holds from one standing to another. */
  move(bytes: number, from: BalanceClass, to: BalanceClass): void {
    this.#standings[from] -= bytes
    this.#standings[to] += bytes
  }

  #add({ userId, standing }: BodyLease, bytes: number, ofUser: number): void {
    this.#used += bytes
    this.#standings[standing] += bytes
    if (ofUser + bytes === 0) this.#users.delete(userId)
    else this.#users.set(userId, ofUser + bytes)
  }
}

/** The bytes that one call has taken from the budget. */
export class BodyLease {
  readonly userId: number
  readonly #budget: BodyBudget
  #standing: BalanceClass = 'ample'
  #isOver = false
  bytes = 0

  constructor(budget: BodyBudget, userId: number) {
    this.#budget = budget
    this.userId = userId
  }

  get standing(): BalanceClass {
    return this.#standing
  }

  /** Whether the user has so many bytes in flight that the account must be checked even for a small body. */
  get isOneOfMany(): boolean {
    return this.#budget.isMuch(this)
  }

  /** Throws a Problem when the budget has no room. */
  take(bytes: number): void {
    if (this.#isOver || bytes === 0) return
    this.#budget.take(this, bytes)
    this.bytes += bytes
  }

  /**
   * Sets the standing once the balance is known. Throws a Problem when more is in flight than an account of
   * this standing may have.
   */
  setStanding(standing: BalanceClass): void {
    if (standing !== this.#standing) this.#budget.move(this.bytes, this.#standing, standing)
    this.#standing = standing
    this.#budget.take(this, 0)
  }

  give(bytes: number): void {
    if (this.#isOver || bytes === 0) return
    this.#budget.give(this, bytes)
    this.bytes -= bytes
  }

  /** Returns all bytes, once; later calls of `take` have no effect. */
  end(): void {
    if (this.bytes > 0) this.give(this.bytes)
    this.#isOver = true
  }
}
