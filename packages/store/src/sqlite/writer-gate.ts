interface Waiting {
  readonly isHold: boolean
  readonly go: () => void
}

/**
 * Lets single requests through as they come, and closes behind an interactive transaction until that one has ended.
 * Whoever waits keeps their place, and starts in the very turn the gate opens: nothing slips into a transaction.
 */
export class WriterGate {
  readonly #waiting: Waiting[] = []
  #isHeld = false

  /** Runs `start` at once, or after the transactions that came before. */
  pass<T>(start: () => Promise<T>): Promise<T> {
    if (!this.#isHeld && this.#waiting.length === 0) return start()
    return new Promise<T>((resolve) => {
      this.#waiting.push({ isHold: false, go: () => resolve(start()) })
    })
  }

  /** Closes the gate; resolves to the function that opens it again, which may be called twice. */
  hold(): Promise<() => void> {
    return new Promise((resolve) => {
      const go = (): void => {
        this.#isHeld = true
        resolve(this.#releaser())
      }
      if (!this.#isHeld && this.#waiting.length === 0) go()
      else this.#waiting.push({ isHold: true, go })
    })
  }

  #releaser(): () => void {
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#open()
    }
  }

  #open(): void {
    this.#isHeld = false
    while (!this.#isHeld) {
      const next = this.#waiting.shift()
      if (!next) return
      next.go()
    }
  }
}
