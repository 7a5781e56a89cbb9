import { setTimeout as sleep } from 'node:timers/promises'
import type { HeldElsewhere } from '../results.ts'

/** A call of another process may just have ended: its quota is returned within this time. */
const JUST_ENDED_MS = 50
const FIRST_PAUSE_MS = 10
const PAUSE_MS_MAX = 250

/** How long a refused call waits for other processes to return free quota before it is refused for good. */
export class Patience {
  readonly #untilMs: number
  #pauseMs = FIRST_PAUSE_MS
  #isLast = false

  /** `limitMs`: the time in which other processes notice a recall. */
  constructor(limitMs: number) {
    this.#untilMs = performance.now() + limitMs
  }

  /** Resolves to true when the call is worth another try. */
  async wait({ mayReturn }: HeldElsewhere): Promise<boolean> {
    if (this.#isLast) return false
    const leftMs = this.#untilMs - performance.now()
    this.#isLast = !mayReturn || leftMs <= this.#pauseMs
    await sleep(mayReturn ? Math.max(0, Math.min(this.#pauseMs, leftMs)) : JUST_ENDED_MS)
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MS_MAX)
    return true
  }
}
