import type { WebSocket } from 'ws'

/** Hands frames on one after the other, although a step may wait for a search or for the ledger. */
export class FrameOrder {
  readonly #caller: Pick<WebSocket, 'pause' | 'resume'>
  readonly #onError: (error: unknown) => void
  #last: Promise<void> | undefined

  /** The caller's frames are not read while a step takes its time. */
  constructor(caller: Pick<WebSocket, 'pause' | 'resume'>, onError: (error: unknown) => void) {
    this.#caller = caller
    this.#onError = onError
  }

  /** Runs the step at once if no earlier one is waiting. */
  run(step: () => Promise<void> | undefined): void {
    const work = this.#last === undefined ? step() : this.#last.then(step)
    if (work !== undefined) this.#wait(work)
  }

  #wait(work: Promise<void>): void {
    this.#caller.pause()
    const last = work.catch(this.#onError).finally(() => {
      if (this.#last !== last) return
      this.#last = undefined
      this.#caller.resume()
    })
    this.#last = last
  }
}
