const NEWLINE = Buffer.from('\n')

/** What was sent of the event that is being read. */
export class OpenEvent {
  /** The blank line after a dropped line is dropped too, unless another line of its event was kept. */
  #isKept = false
  #isDropped = false

  /** A line of the event was sent. */
  keepLine(): void {
    this.#isKept = true
  }

  dropLine(): void {
    this.#isDropped = true
  }

  /** Ends the event with its blank line. Returns whether the line is kept; an event name without data is not. */
  endWithBlank(isNamed: boolean): boolean {
    const isBlankDropped = (isNamed || this.#isDropped) && !this.#isKept
    this.#isKept = false
    this.#isDropped = false
    return !isBlankDropped
  }

  /** Returns a line break if the last line that was sent still needs its blank line. */
  boundary(): Buffer[] {
    if (!this.#isKept) return []
    this.#isKept = false
    return [NEWLINE]
  }
}
