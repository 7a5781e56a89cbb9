interface Waiting {
  readonly isHold: boolean
  readonly go: () => void
}

/**
 * Lets single requests pass and closes while an interactive transaction is open. Waiting requests keep their
 * order and start in the same tick in which the gate opens, so that no request can get into a transaction.
 */
export class WriterGate {
  readonly #waiting: Waiting[] = []
  #isHeld = false

  /** Runs `start` at once, or after the transactions that are ahead of it. */
  pass<T>(start: () => Promise<T>): Promise<T> {
    if (!this.#isHeld && this.#waiting.length === 0) return start()
    return new Promise<T>((resolve) => {
      this.#waiting.push({ isHold: false, go: () => resolve(start()) })
    })
  }

  /** Closes the gate. Resolves to the function that opens it again; calling it twice is harmless. */
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
