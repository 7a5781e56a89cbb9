/** Allows at most `limit` units per key in any window. Check and count are atomic. */
export interface Limiter {
  /**
   * Counts `cost` (default 1) if it fits, otherwise changes nothing. A key with a limit of its own passes it
   * as `limit`; units counted before that limit changed stay counted.
   */
  consume(key: string, cost?: number, limit?: number): Promise<LimitDecision>
  /** Uncounts what `consume` has just counted, for limits that count only certain outcomes. */
  refund(key: string, cost?: number): Promise<void>
}

export interface LimitDecision {
  readonly allowed: boolean
  /** Milliseconds until the rejected cost would fit; 0 when allowed. */
  readonly retryAfterMs: number
}

export interface LimiterOptions {
  readonly limit: number
  readonly windowMs: number
  /** Memory bound: beyond this many keys the least recently used one is forgotten. */
  readonly keysMax?: number
}
