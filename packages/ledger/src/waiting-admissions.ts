/** The time limit is divided into this many steps; an admission times out within the last one. */
const STEPS = 10

/**
 * Admissions that wait for the store, with a timeout for the oldest. Time is counted in timer steps, not by
 * the clock: a process that was suspended then reads the replies that arrived meanwhile before it gives up on
 * anything.
 */
export class WaitingAdmissions<Admission extends object> {
  readonly #limitMs: number | undefined
  readonly #onSilence: (waited: readonly Admission[]) => void
  /** Admission to the step in which it started, oldest first. */
  readonly #waiting = new Map<Admission, number>()
  #step = 0
  #timer: NodeJS.Timeout | undefined

  /**
   * `onSilence` gets all waiting admissions once the oldest has waited for `limitMs`. Without a limit it is
   * never called.
   */
  constructor(limitMs: number | undefined, onSilence: (waited: readonly Admission[]) => void) {
    this.#limitMs = limitMs
    this.#onSilence = onSilence
  }

  add(admission: Admission): void {
    if (this.#limitMs === undefined) return
    this.#waiting.set(admission, this.#step)
    this.#timer ??= setInterval(() => this.#stepOn(), this.#limitMs / STEPS).unref()
  }

  delete(admission: Admission): void {
    this.#waiting.delete(admission)
  }

  #stepOn(): void {
    this.#step++
    const [oldest] = this.#waiting.values()
    if (oldest === undefined) return this.#rest()
    if (this.#step - oldest < STEPS) return
    const waited = [...this.#waiting.keys()]
    this.#waiting.clear()
    this.#rest()
    this.#onSilence(waited)
  }

  #rest(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
