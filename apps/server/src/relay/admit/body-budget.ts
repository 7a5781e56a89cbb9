import { problem } from '@tollgate/kit/problem'

const KIB = 1024
const MIB = 1024 * KIB

/** Bytes of one body that are read before anybody asks for its owner's balance. */
export const UNASKED_BYTES = 64 * KIB
/** Bodies up to this size may use all of the process's budget; larger ones leave a quarter of it to them. */
const ORDINARY_BYTES = MIB
/** What users without a balance may have in flight, each, and all of them together. */
const WITHOUT_BALANCE_BYTES = 4 * MIB
const ALL_WITHOUT_BALANCE_BYTES = 32 * MIB

const RETRY_SECONDS = 2

export interface BodyBudgetLimits {
  /** Largest body; one always fits. */
  readonly bodyBytesMax: number
  readonly bodiesBytesMax: number
  readonly userBodiesBytesMax: number
}

/**
 * The inflated bytes of bodies in flight, of this process and of each user. A body takes from it as it is read, by what
 * has come and not by what was announced, and gives everything back when its call is over.
 */
export class BodyBudget {
  readonly #processMax: number
  readonly #userMax: number
  readonly #users = new Map<number, number>()
  #used = 0
  #withoutBalance = 0

  constructor({ bodyBytesMax, bodiesBytesMax, userBodiesBytesMax }: BodyBudgetLimits) {
    this.#processMax = Math.max(bodiesBytesMax, Math.ceil((bodyBytesMax * 4) / 3))
    this.#userMax = Math.max(userBodiesBytesMax, bodyBytesMax)
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
    const { userId, hasBalance } = lease
    const ofUser = this.#users.get(userId) ?? 0
    const userMax = hasBalance ? this.#userMax : WITHOUT_BALANCE_BYTES
    if (ofUser + bytes > userMax)
      throw problem('too_many_body_bytes', { limit: userMax, seconds: RETRY_SECONDS })
    const isOrdinary = lease.bytes + bytes <= ORDINARY_BYTES
    const processMax = isOrdinary ? this.#processMax : (this.#processMax * 3) / 4
    const isFull = this.#used + bytes > processMax
    const isOthersFull = !hasBalance && this.#withoutBalance + bytes > ALL_WITHOUT_BALANCE_BYTES
    if (isFull || isOthersFull) throw problem('gateway_bodies_full', { seconds: RETRY_SECONDS })
    this.#add(lease, bytes, ofUser)
  }

  /** A user's small bodies together are as much as one that their account is asked about. */
  isMuch({ userId }: BodyLease): boolean {
    return (this.#users.get(userId) ?? 0) > WITHOUT_BALANCE_BYTES
  }

  give(lease: BodyLease, bytes: number): void {
    this.#add(lease, -bytes, this.#users.get(lease.userId) ?? 0)
  }

  /** What a lease holds already counts among those without a balance, or no longer. */
  move(bytes: number): void {
    this.#withoutBalance += bytes
  }

  #add({ userId, hasBalance }: BodyLease, bytes: number, ofUser: number): void {
    this.#used += bytes
    if (!hasBalance) this.#withoutBalance += bytes
    if (ofUser + bytes === 0) this.#users.delete(userId)
    else this.#users.set(userId, ofUser + bytes)
  }
}

/** What one call has taken. */
export class BodyLease {
  readonly userId: number
  readonly #budget: BodyBudget
  #hasBalance = true
  #isOver = false
  bytes = 0

  constructor(budget: BodyBudget, userId: number) {
    this.#budget = budget
    this.userId = userId
  }

  /** False while the owner is known to have none, and the call not known to be free. */
  get hasBalance(): boolean {
    return this.#hasBalance
  }

  set hasBalance(value: boolean) {
    if (value === this.#hasBalance) return
    this.#hasBalance = value
    this.#budget.move(value ? -this.bytes : this.bytes)
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

  /** The owner turns out to have no balance. Throws a Problem when more is in flight than such an account may have. */
  withoutBalance(): void {
    this.hasBalance = false
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
