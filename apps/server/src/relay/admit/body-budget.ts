import { problem } from '@tollgate/kit/problem'

const KIB = 1024
const MIB = 1024 * KIB

/** Bytes of one body that are read before anybody asks for its owner's balance. */
export const UNASKED_BYTES = 64 * KIB
/** Bodies up to this size may use all of the process's budget; larger ones leave a quarter of it to them. */
const ORDINARY_BYTES = MIB
/** What a user without a balance may have in flight, and all such users together. */
const WITHOUT_BALANCE_BYTES = 4 * MIB
const ALL_WITHOUT_BALANCE_BYTES = 32 * MIB

const RETRY_SECONDS = 2

/** Quota units; with less an account has a small share of the budget. Ten cents where 500,000 units are a dollar. */
const SMALL_BALANCE = 50_000n

/** The standing of an account that can pay so many units. */
export function standingOf(balance: bigint): Standing {
  if (balance <= 0n) return 'none'
  return balance < SMALL_BALANCE ? 'small' : 'ample'
}

export interface BodyBudgetLimits {
  /** Largest body; one always fits. */
  readonly bodyBytesMax: number
  readonly bodiesBytesMax: number
  readonly userBodiesBytesMax: number
}

/**
 * What is known of an account when its body comes in: nothing yet or enough (`ample`), less than a dime (`small`: one
 * body of the largest size at a time), or nothing to pay with (`none`: enough to find out whether its model is free).
 */
export type Standing = 'ample' | 'small' | 'none'

interface Share {
  /** Bytes in flight of one user, and of all users of that standing. */
  readonly userMax: number
  readonly allMax: number
}

/**
 * The inflated bytes of bodies in flight, of this process and of each user. A body takes from it as it is read, by what
 * has come and not by what was announced, and gives everything back when its call is over.
 */
export class BodyBudget {
  readonly #processMax: number
  readonly #shares: Readonly<Record<Standing, Share>>
  readonly #users = new Map<number, number>()
  readonly #standings: Record<Standing, number> = { ample: 0, small: 0, none: 0 }
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

  /** Bytes in flight now. */
  get used(): number {
    return this.#used
  }

  lease(userId: number): BodyLease {
    return new BodyLease(this, userId)
  }

  /** Throws the Problem of the first limit that is reached; then nothing is taken. */
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

  /** A user's small bodies together are as much as one that their account is asked about. */
  isMuch({ userId }: BodyLease): boolean {
    return (this.#users.get(userId) ?? 0) > WITHOUT_BALANCE_BYTES
  }

  give(lease: BodyLease, bytes: number): void {
    this.#add(lease, -bytes, this.#users.get(lease.userId) ?? 0)
  }

  /** Counts what a lease already holds among those of another standing. */
  move(bytes: number, from: Standing, to: Standing): void {
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

/** What one call has taken. */
export class BodyLease {
  readonly userId: number
  readonly #budget: BodyBudget
  #standing: Standing = 'ample'
  #isOver = false
  bytes = 0

  constructor(budget: BodyBudget, userId: number) {
    this.#budget = budget
    this.userId = userId
  }

  get standing(): Standing {
    return this.#standing
  }

  /** Whether the account is to be asked before more is read, however small the body is. */
  get isOneOfMany(): boolean {
    return this.#budget.isMuch(this)
  }

  /** Throws a Problem when there is no room. */
  take(bytes: number): void {
    if (this.#isOver || bytes === 0) return
    this.#budget.take(this, bytes)
    this.bytes += bytes
  }

  /** What the account turned out to be. Throws a Problem when more is in flight than such an account may have. */
  setStanding(standing: Standing): void {
    if (standing !== this.#standing) this.#budget.move(this.bytes, this.#standing, standing)
    this.#standing = standing
    this.#budget.take(this, 0)
  }

  give(bytes: number): void {
    if (this.#isOver || bytes === 0) return
    this.#budget.give(this, bytes)
    this.bytes -= bytes
  }

  /** Everything, once; whatever comes afterwards takes nothing. */
  end(): void {
    if (this.bytes > 0) this.give(this.bytes)
    this.#isOver = true
  }
}
