import type { LimitDecision } from './limits.ts'

/**
 * Slows down repeated attempts for one key: the first few are free, then each has to wait twice as long as
 * the one before. Check and count are atomic, so concurrent attempts are counted one by one.
 */
export interface Backoff {
  /** Counts an attempt if the waiting time is over; otherwise changes nothing. */
  attempt(key: string): Promise<LimitDecision>
  /** Uncounts the latest attempt, for one that should not have counted. */
  takeBack(key: string): Promise<void>
  reset(key: string): Promise<void>
}

export interface BackoffOptions {
  readonly free: number
  /** Waiting time after the last free attempt; doubles with each further attempt. */
  readonly firstMs: number
  readonly maxMs: number
  /** The attempts for a key are forgotten after this long without another. */
  readonly forgetMs: number
  /** Memory bound: beyond this many keys the least recently used one is forgotten. */
  readonly keysMax: number
}

/** How long the next attempt has to wait after `count` attempts. */
export function waitAfter(count: number, { free, firstMs, maxMs }: BackoffOptions): number {
  return count < free ? 0 : Math.min(maxMs, firstMs * 2 ** Math.min(count - free, 30))
}
