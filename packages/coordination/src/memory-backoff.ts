import type { Clock } from '@tollgate/kit/clock'
import { type Backoff, type BackoffOptions, waitAfter } from './backoff.ts'
import type { LimitDecision } from './limits.ts'

interface Tries {
  readonly count: number
  /** Monotonic time of the next allowed attempt. */
  readonly readyMs: number
  readonly forgetMs: number
}

/**
 * A backoff within one process, with bounded memory: a key has no timer, and is dropped when there are too
 * many keys and it is the oldest.
 */
export function memoryBackoff(options: BackoffOptions, clock: Clock): Backoff {
  // Insertion order is order of use: the first key is the least recently used one.
  const tries = new Map<string, Tries>()

  function put(key: string, count: number, nowMs: number): void {
    tries.delete(key)
    if (count > 0) {
      const readyMs = nowMs + waitAfter(count, options)
      tries.set(key, { count, readyMs, forgetMs: nowMs + options.forgetMs })
    }
    for (const [oldest, { forgetMs }] of tries) {
      if (tries.size <= options.keysMax && forgetMs > nowMs) return
      tries.delete(oldest)
    }
  }

  function known(key: string, nowMs: number): Tries | undefined {
    const found = tries.get(key)
    return found && found.forgetMs > nowMs ? found : undefined
  }

  function attempt(key: string): LimitDecision {
    const nowMs = clock.monotonicMs()
    const { count = 0, readyMs = nowMs } = known(key, nowMs) ?? {}
    if (readyMs > nowMs) return { allowed: false, retryAfterMs: Math.ceil(readyMs - nowMs) }
    put(key, count + 1, nowMs)
    return { allowed: true, retryAfterMs: 0 }
  }

  function takeBack(key: string): void {
    const nowMs = clock.monotonicMs()
    const found = known(key, nowMs)
    if (!found) return
    put(key, found.count - 1, nowMs)
    const left = tries.get(key)
    if (left) tries.set(key, { ...left, readyMs: nowMs })
  }

  return {
    attempt: (key) => Promise.resolve(attempt(key)),
    takeBack: (key) => Promise.resolve(takeBack(key)),
    reset: (key) => Promise.resolve(void tries.delete(key)),
  }
}
