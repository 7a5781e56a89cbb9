/** Grants a number of traces in each second. */
export class TraceLimit {
  readonly #perSecond: number
  #second = Number.NEGATIVE_INFINITY
  #granted = 0

  /** 0: no limit. */
  constructor(perSecond: number) {
    this.#perSecond = perSecond === 0 ? Number.POSITIVE_INFINITY : perSecond
  }

  /** Whether one more trace is granted. `nowMs` is a monotonic time in milliseconds. */
  take(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000)
    if (second > this.#second) {
      this.#second = second
      this.#granted = 0
    }
    if (this.#granted >= this.#perSecond) return false
    this.#granted++
    return true
  }
}
