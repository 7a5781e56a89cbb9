/** The time limit is divided into so many steps, and an admission is given up within the last of them. */
const STEPS = 10

/**
 * The admissions that wait for the store, and how long the oldest has. Time is counted in steps of a timer, not by the
 * clock: a process that was stopped and wakes reads what has arrived meanwhile before it gives anything up.
 */
export class WaitingAdmissions<Admission extends object> {
  readonly #limitMs: number | undefined
  readonly #onSilence: (waited: readonly Admission[]) => void
  /** With the step they came in, oldest first. */
  readonly #waiting = new Map<Admission, number>()
  #step = 0
  #timer: NodeJS.Timeout | undefined

  /** `onSilence` is given all that wait once the oldest has waited for `limitMs`; without a limit it never is. */
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
