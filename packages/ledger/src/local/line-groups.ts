/** With so many calls in flight, or lines in one of the last groups, others are likely in the same turn. */
const CALLS_MIN = 8
const LINES_MIN = 4

/**
 * Decides which lines wait for the others of their turn of the event loop: one write for all of them costs less than the
 * wait. The number of calls in flight does not say how busy the process is by itself: upstreams answer many at
 * once, and then the next turn begins with few.
 */
export class LineGroups {
  #group: unknown
  #lines = 0
  #linesBefore = 0

  shouldWait(callsInFlight: number): boolean {
    return callsInFlight >= CALLS_MIN || this.#lines >= LINES_MIN || this.#linesBefore >= LINES_MIN
  }

  /** A line waits for the write of this group. */
  add(group: object): void {
    if (group !== this.#group) {
      this.#group = group
      this.#linesBefore = this.#lines
      this.#lines = 0
    }
    this.#lines++
  }
}
