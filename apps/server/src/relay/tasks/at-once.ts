import { problem } from '@tollgate/problems/problem'

/** Runs at most `max` pieces of work at a time, and refuses the others at once. */
export class AtOnce {
  readonly #max: number
  #underWay = 0

  constructor(max: number) {
    this.#max = max
  }

  async run(work: () => Promise<void>): Promise<void> {
    if (this.#underWay >= this.#max) throw problem('gateway_busy')
    this.#underWay++
    try {
      await work()
    } finally {
      this.#underWay--
    }
  }
}
