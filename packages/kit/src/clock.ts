/** Time source, passed in so that tests can control it. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. */
  nowMs(): number
  /** Monotonic time in milliseconds, for durations. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

/** A clock that only moves when it is advanced. */
export class ManualClock implements Clock {
  #nowMs: number

  constructor(startMs = 1_750_000_000_000) {
    this.#nowMs = startMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  advance(ms: number): void {
    this.#nowMs += ms
  }
}
