/** At most `limit` units for one key in any window. Checking and counting are one step. */
export interface Limiter {
  /**
   * Counts `cost` (1 unless told) when it fits, otherwise changes nothing. Keys with a limit of their own tell it; what
   * was counted before it changed stays counted.
   */
  consume(key: string, cost?: number, limit?: number): Promise<LimitDecision>
  /** Takes back what `consume` counted just before, for limits that count only some outcomes. */
  refund(key: string, cost?: number): Promise<void>
}

export interface LimitDecision {
  readonly allowed: boolean
  /** When the refused cost would fit; 0 when allowed. */
  readonly retryAfterMs: number
}

export interface LimiterOptions {
  readonly limit: number
  readonly windowMs: number
  /** Bound on memory: beyond it the key that was idle longest is forgotten. */
  readonly keysMax?: number
}
