/** Large answers together may take this much of one turn of the event loop. */
const SPENT_MS_MAX = 2
/** So many go on in a turn, because each may read something before it is stopped again. */
const RESUMED_MAX = 4

/**
 * Shares the event loop between large answers and everything else. Sockets that always have something to read would
 * otherwise keep a turn going for hundreds of milliseconds.
 */
export class TurnShare {
  readonly #now: () => number
  #spentMs = 0
  #waiting: (() => void)[] = []
  #isScheduled = false

  /** `now`: in milliseconds, with fractions. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Does a piece of work. Returns whether the next one has to wait for another turn. */
  spend(work: () => void): boolean {
    const startedAt = this.#now()
    work()
    this.#spentMs += this.#now() - startedAt
    this.#schedule()
    return this.#spentMs >= SPENT_MS_MAX
  }

  /** Calls back in a later turn. */
  wait(goOn: () => void): void {
    this.#waiting.push(goOn)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#begin())
  }

  #begin(): void {
    this.#isScheduled = false
    this.#spentMs = 0
    for (const goOn of this.#waiting.splice(0, RESUMED_MAX)) goOn()
    if (this.#waiting.length > 0) this.#schedule()
  }
}
