import type { Clock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import type { LimitDecision, Limiter, LimiterOptions } from './limits.ts'
import { SlidingCount } from './sliding-count.ts'

const KEYS_MAX = 10_000
const ALLOWED: LimitDecision = { allowed: true, retryAfterMs: 0 }

/** A limiter for code that cannot await; within one process. */
export interface SyncLimiter {
  consume(key: string, cost?: number, limit?: number): LimitDecision
  refund(key: string, cost?: number): void
}

export function memoryLimiter(options: LimiterOptions, clock: Clock): Limiter {
  const counts = syncLimiter(options, clock)
  return {
    consume: (key, cost, limit) => Promise.resolve(counts.consume(key, cost, limit)),
    refund: (key, cost) => Promise.resolve(counts.refund(key, cost)),
  }
}

/**
 * Keys come from callers, so their number is bounded. A key has no timer: an expired count is dropped when
 * its key is the oldest.
 */
export function syncLimiter(options: LimiterOptions, clock: Clock): SyncLimiter {
  const { windowMs, keysMax = KEYS_MAX } = options
  invariant(Number.isSafeInteger(options.limit) && options.limit >= 0, 'a limit is a whole number')
  invariant(windowMs > 0 && keysMax > 0, 'a limiter has a window and room for a key')
  // Insertion order is order of use: the first key is the least recently used one.
  const counts = new Map<string, SlidingCount>()

  function countOf(key: string): SlidingCount {
    const count = counts.get(key) ?? new SlidingCount(windowMs)
    counts.delete(key)
    counts.set(key, count)
    return count
  }

  function forgetIdle(nowMs: number): void {
    for (const [key, count] of counts) {
      if (counts.size <= keysMax && count.total(nowMs) > 0) return
      counts.delete(key)
    }
  }

  function consume(key: string, cost: number, limit: number): LimitDecision {
    const nowMs = clock.monotonicMs()
    const count = countOf(key)
    const isAllowed = count.total(nowMs) + cost <= limit
    if (isAllowed) count.add(cost, nowMs)
    const decision = isAllowed
      ? ALLOWED
      : { allowed: false, retryAfterMs: count.fitsAfterMs(limit - cost, nowMs) }
    forgetIdle(nowMs)
    return decision
  }

  return {
    consume: (key, cost = 1, limit = options.limit) => consume(key, cost, limit),
    refund: (key, cost = 1) => counts.get(key)?.remove(cost),
  }
}
