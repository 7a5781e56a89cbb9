import type { AccountId } from '../account.ts'
import type { AllotmentReport, Budget } from '../inputs.ts'
import type { AllotmentGrant, TakenQuota } from '../results.ts'

/** Refills grow from this many times the amount of the call that needed one. */
const FIRST_REFILL_CALLS = 64n
/**
 * A refill within this time of the last one doubles the size. What is left at half of it then lasts for twenty seconds at the
 * same pace, for which a process may serve without its database.
 */
const REFILLED_SOON_MS = 40_000
const REFILL_AHEAD_EVERY_MS = 1_000
/** Calls are asked for this much longer, because the clocks of nodes differ. */
const CLOCKS_DIFFER_MS = 2_000

/**
 * What this process knows of one account: the free part of its allotment, and its calls on it. A charge above
 * its hold may make `free` negative; then no call is placed until it is positive again.
 */
export class LocalAccount {
  readonly id: AccountId
  /** Whether the process has an allotment, of whatever size. */
  isAllotted = false
  isUnlimited = false
  free = 0n
  openHolds = 0
  /** Users only: sum of `ceiling - amount` over the calls of this process. */
  exposed = 0n
  /** Exposure and calls of other processes and of durable holds, as of the last grant. */
  exposedElsewhere = 0n
  openHoldsElsewhere = 0
  budgetSinceMs = -1
  budgetFree = 0n
  usedMs = 0
  /** Admissions that wait for the ledger. */
  waiting = 0
  /** Requests to the ledger under way, and what their calls expose. */
  asked = 0
  askedExposed = 0n
  /** Returns of free quota under way. */
  returning = 0
  /** Grants, returns and corrections so far. Together with the lines of its calls nothing else changes `free`. */
  changes = 0
  /** Until then no free quota is kept, and every call is asked for; 0 when that never was so. */
  scarceUntilMs = 0
  /** Calls ended since the start, to notice that room may have become free. */
  ended = 0
  #wanted = 0n
  #wantedBefore = 0n
  #isGrantShort = false
  #refilledMs = -REFILLED_SOON_MS
  #askedAheadMs = -REFILL_AHEAD_EVERY_MS

  constructor(id: AccountId) {
    this.id = id
  }

  /** Whether no request to the ledger about this account is under way. */
  get isSettled(): boolean {
    return this.asked === 0 && this.returning === 0
  }

  /** Whether the allotment covers the amount. */
  covers(amount: bigint): boolean {
    return this.isAllotted && (this.isUnlimited || this.free >= amount)
  }

  /** Other processes need what this one does not use: nothing free may be kept. */
  isScarce(nowMs: number): boolean {
    return this.scarceUntilMs !== 0 && nowMs < this.scarceUntilMs + CLOCKS_DIFFER_MS
  }

  noteScarce(untilMs: number): void {
    if (untilMs > this.scarceUntilMs) this.scarceUntilMs = untilMs
  }

  /** Whether the allotment of the budget covers the amount. Free calls need no budget. */
  coversBudget(amount: bigint, { sinceMs }: Budget): boolean {
    return amount === 0n || (this.budgetSinceMs === sinceMs && this.budgetFree >= amount)
  }

  receive({
    amount,
    isUnlimited,
    exposedElsewhere,
    openHoldsElsewhere,
    budget,
    scarceUntilMs,
  }: AllotmentGrant): void {
    this.changes++
    this.noteScarce(scarceUntilMs)
    this.isAllotted = true
    this.isUnlimited = isUnlimited
    this.free += amount
    this.#isGrantShort = amount < this.#wanted
    this.exposedElsewhere = exposedElsewhere
    this.openHoldsElsewhere = openHoldsElsewhere
    if (budget === undefined) return
    if (budget.sinceMs > this.budgetSinceMs) this.budgetFree = 0n
    this.budgetSinceMs = Math.max(budget.sinceMs, this.budgetSinceMs)
    if (budget.sinceMs === this.budgetSinceMs) this.budgetFree += budget.amount
  }

  /** What the database may show. Nothing is given away. */
  report(): AllotmentReport {
    const budget = { sinceMs: this.budgetSinceMs, free: atLeastZero(this.budgetFree) }
    return {
      account: this.id,
      free: atLeastZero(this.free),
      openHolds: this.openHolds,
      exposed: this.exposed,
      budget: this.budgetSinceMs >= 0 ? budget : undefined,
    }
  }

  /**
   * Gives the free quota away; the returned report must reach the database. Calls that the ledger is deciding
   * about count as admitted, unless the report is decided before them.
   */
  takeFree({ isBeforeAsked = false } = {}): AllotmentReport {
    const known = this.report()
    const { openHolds, exposed } = known
    const asked = { openHolds: openHolds + this.asked, exposed: exposed + this.askedExposed }
    const report = isBeforeAsked ? known : { ...known, ...asked }
    this.changes++
    this.free -= report.free
    this.budgetFree -= report.budget?.free ?? 0n
    return report
  }

  /** Charges took quota that this process still counts as spent or returned. */
  noteTaken({ amount, budget }: TakenQuota): void {
    this.changes++
    this.free += amount
    if (budget?.sinceMs === this.budgetSinceMs) this.budgetFree += budget.amount
  }

  /** Takes back what a report gave away that did not reach the database. */
  restore({ free, budget }: AllotmentReport): void {
    this.changes++
    this.free += free
    if (budget?.sinceMs === this.budgetSinceMs) this.budgetFree += budget.free
  }

  /**
   * Whether less than half of the last refill is left, so that more is to be asked for before a call needs it. Never after a
   * grant that was less than wanted: little remains then, and other processes need it as much.
   */
  needsRefill(nowMs: number): boolean {
    if (this.#isGrantShort || this.isUnlimited || this.asked > 0 || this.isScarce(nowMs)) return false
    if (this.free * 2n >= this.#wanted || nowMs - this.#askedAheadMs < REFILL_AHEAD_EVERY_MS) return false
    this.#askedAheadMs = nowMs
    return true
  }

  /** How much more than this amount a grant should bring, from the pace of earlier ones. */
  refill(amount: bigint, nowMs: number): bigint {
    const least = amount * FIRST_REFILL_CALLS
    this.#wantedBefore = this.#wanted
    const isSoon = nowMs - this.#refilledMs < REFILLED_SOON_MS
    const next = isSoon ? this.#wanted * 2n : this.#wanted / 2n
    this.#wanted = next > least ? next : least
    this.#refilledMs = nowMs
    return this.#wanted
  }

  /** What a refill ahead brought: less than was wanted where others need the rest, or nothing when it failed. */
  noteRefill(granted: bigint | undefined): void {
    if (granted === undefined) this.#wanted = this.#wantedBefore
    else if (granted < this.#wanted) this.#wanted = granted
  }
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
