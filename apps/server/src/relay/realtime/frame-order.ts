export interface FrameOrderInput {
  /** Stops reading further frames while a step takes its time. */
  readonly pause: () => void
  readonly resume: () => void
  readonly onError: (error: unknown) => void
}

/** Hands frames on one after the other, although a step may wait for a search or for the ledger. */
export class FrameOrder {
  readonly #input: FrameOrderInput
  #last: Promise<void> | undefined

  constructor(input: FrameOrderInput) {
    this.#input = input
  }

  /** Runs the step at once if no earlier one is waiting. */
  run(step: () => Promise<void> | undefined): void {
    const work = this.#last === undefined ? step() : this.#last.then(step)
    if (work !== undefined) this.#wait(work)
  }

  #wait(work: Promise<void>): void {
    const { pause, resume, onError } = this.#input
    pause()
    const last = work.catch(onError).finally(() => {
      if (this.#last !== last) return
      this.#last = undefined
      resume()
    })
    this.#last = last
  }
}
