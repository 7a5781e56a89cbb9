import type { LimitDecision } from './limits.ts'

/**
 * Slows tries of one key down: the first few are free, then each has to wait twice as long as the one before. Checking and
 * counting are one step, so tries that come at once are counted one by one.
 */
export interface Backoff {
  /** Counts a try whose time has come, otherwise changes nothing. */
  attempt(key: string): Promise<LimitDecision>
  /** Takes back the latest try: it was none after all. */
  takeBack(key: string): Promise<void>
  /** Forgets the key's tries. */
  reset(key: string): Promise<void>
}

export interface BackoffOptions {
  readonly free: number
  /** After the last free try; doubles with each further one. */
  readonly firstMs: number
  readonly maxMs: number
  /** After this long without a try all is forgotten. */
  readonly forgetMs: number
  /** Bound on memory: beyond it the key that was idle longest is forgotten. */
  readonly keysMax: number
}

/** How long the next try has to wait after `count` tries. */
export function waitAfter(count: number, { free, firstMs, maxMs }: BackoffOptions): number {
  return count < free ? 0 : Math.min(maxMs, firstMs * 2 ** Math.min(count - free, 30))
}
