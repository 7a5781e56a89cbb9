/** The calls under way, and the writes they leave behind, so that a shutdown can wait for them. */
export class InFlight {
  #size = 0
  #whenEmpty: (() => void)[] = []
  isClosed = false

  get size(): number {
    return this.#size
  }

  /** `work` must not reject. */
  track(work: Promise<unknown>): void {
    this.#size++
    void work.then(this.#ended)
  }

  /**
   * Resolves when no call is left. After `limitMs`, `end` is called to end those still under way; the few
   * calls that do not end, because their request body never arrives, are not waited for much longer.
   */
  async close(limitMs: number, end: () => void): Promise<void> {
    this.isClosed = true
    if (this.#size === 0) return
    const timer = setTimeout(end, limitMs)
    await new Promise<void>((resolve) => {
      this.#whenEmpty.push(resolve)
      setTimeout(resolve, limitMs + ENDING_MS).unref()
    })
    clearTimeout(timer)
  }

  readonly #ended = (): void => {
    this.#size--
    if (this.#size > 0) return
    const waiting = this.#whenEmpty
    this.#whenEmpty = []
    for (const resolve of waiting) resolve()
  }
}

const ENDING_MS = 5_000
