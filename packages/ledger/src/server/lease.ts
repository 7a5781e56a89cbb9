import type { Clock } from '@tollgate/kit/clock'

/**
 * How long this process may admit calls within its allotments. Others declare it dead when its heartbeat is too old
 * for them, so it stops well before that. Its age is counted from before the heartbeat was sent, and by both clocks:
 * the monotonic one stands still while a machine is suspended, and the wall clock can be set.
 */
export class Lease {
  readonly #clock: Clock
  readonly #limitMs: number
  #sent: Moment | undefined

  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock
    this.#limitMs = limitMs
  }

  now(): Moment {
    return { wallMs: this.#clock.nowMs(), monotonicMs: this.#clock.monotonicMs() }
  }

  /** A heartbeat that was sent at this moment, or later, is in the database. */
  confirm(sent: Moment): void {
    if (this.#sent === undefined || sent.monotonicMs > this.#sent.monotonicMs) this.#sent = sent
  }

  isHeld(): boolean {
    if (this.#sent === undefined) return false
    const { wallMs, monotonicMs } = this.now()
    return monotonicMs - this.#sent.monotonicMs < this.#limitMs && wallMs - this.#sent.wallMs < this.#limitMs
  }
}

export interface Moment {
  readonly wallMs: number
  readonly monotonicMs: number
}
