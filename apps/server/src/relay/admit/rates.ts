import type { Coordination } from '@tollgate/coordination/coordination'
import type { Limiter } from '@tollgate/coordination/limits'
import { problem } from '@tollgate/kit/problem'

/** How many calls each user may make, as the operator settled. */
export interface CallLimits {
  readonly minutes: number
  /** All calls in a window; `undefined`: no bound. */
  readonly calls: number | undefined
  /** Those that succeed. */
  readonly successes: number
}

/** A call that was counted as a success before it is known to be one. */
export interface CountedCall {
  /** It failed: it leaves the count again. Only the first time means anything. */
  failed(): void
}

export interface Rates {
  /** Counts a call, or throws the Problem that tells when there is room again. */
  count(userId: number, limits: CallLimits): Promise<CountedCall>
}

const MINUTE_MS = 60_000
const USERS_MAX = 100_000

/**
 * Counts calls by user. Both counts are checked and made in one step each: a call takes its place among the successes at
 * once and gives it back when it fails, so that no number of calls at the same time gets past the limit.
 */
export function openRates(
  { limiter }: Pick<Coordination, 'limiter'>,
  onError: (error: unknown) => void,
): Rates {
  const known = new Map<string, Limiter>()

  /** One for each set of limits that was ever settled; a change begins a new window. */
  function limiterFor(kind: string, limit: number, minutes: number): Limiter {
    const name = `${kind}:${limit}:${minutes}`
    const found = known.get(name)
    if (found !== undefined) return found
    const opened = limiter(name, { limit, windowMs: minutes * MINUTE_MS, keysMax: USERS_MAX })
    known.set(name, opened)
    return opened
  }

  async function count(userId: number, { minutes, calls, successes }: CallLimits): Promise<CountedCall> {
    const key = String(userId)
    if (calls !== undefined) {
      const { allowed, retryAfterMs } = await limiterFor('calls', calls, minutes).consume(key)
      if (!allowed) throw problem('too_many_calls_in_window', about(minutes, calls, retryAfterMs))
    }
    const succeeding = limiterFor('successes', successes, minutes)
    const { allowed, retryAfterMs } = await succeeding.consume(key)
    if (!allowed) throw problem('too_many_successes_in_window', about(minutes, successes, retryAfterMs))
    let isCounted = true
    return {
      failed: () => {
        if (!isCounted) return
        isCounted = false
        succeeding.refund(key).catch(onError)
      },
    }
  }

  return { count }
}

function about(minutes: number, count: number, retryAfterMs: number) {
  return { minutes, count, seconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) }
}
