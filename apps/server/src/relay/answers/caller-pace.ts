import type { Watch, Watched, Watching } from '../watch.ts'
import type { AnswerBudget } from './answer-budget.ts'
import type { AnswerLease } from './answer-lease.ts'

/** What a caller must take in this time while others wait for the room. */
const BYTES_MIN = 1024 * 1024
const WITHIN_MS = 30_000

/** Ends the connections of callers who take so little of their answers that others wait for the room. */
export class CallerPace implements Watched {
  readonly #budget: AnswerBudget
  readonly #watch: Pick<Watch, 'add'>
  #watching: Watching | undefined
  #isStopped = false

  constructor(budget: AnswerBudget, watch: Pick<Watch, 'add'>) {
    this.#budget = budget
    this.#watch = watch
  }

  /** Begins to watch; it ends by itself when no answer holds room. */
  start(): void {
    if (!this.#isStopped) this.#watching ??= this.#watch.add(this)
  }

  tick(now: number): void {
    let hasLeases = false
    for (const lease of this.#budget.leases) {
      hasLeases = true
      if (isTooSlow(lease, now) && this.#budget.isWaitedFor(lease)) lease.cut()
    }
    if (!hasLeases) this.#end()
  }

  stopNow(): void {
    this.#isStopped = true
    this.#end()
  }

  #end(): void {
    this.#watching?.end()
    this.#watching = undefined
  }
}

function isTooSlow(lease: AnswerLease, now: number): boolean {
  const { takenBytes, isPending } = lease.progress()
  const { pace } = lease
  // Nothing is owed while the caller has taken everything so far.
  if (!isPending || pace === undefined || takenBytes - pace.takenBytes >= BYTES_MIN) {
    lease.pace = { at: now, takenBytes, isSlow: false }
    return false
  }
  if (now - pace.at >= WITHIN_MS) lease.pace = { at: now, takenBytes, isSlow: true }
  return lease.pace?.isSlow === true
}
