import type { Coordination } from '@tollgate/coordination/coordination'
import type { Limiter } from '@tollgate/coordination/limits'
import { problem } from '@tollgate/problems/problem'

/** How many calls each user may make, as set by the operator. */
export interface CallLimits {
  readonly minutes: number
  /** The limit for all calls in a window; `undefined` means no limit. */
  readonly calls: number | undefined
  /** The limit for successful calls in a window. */
  readonly successes: number
}

/** A call counted as a success before its result is known. */
export interface CountedCall {
  /** Removes the call from the count because it failed. Only the first call has an effect. */
  failed(): void
}

export interface Rates {
  /** Counts a call, or throws the Problem that says when there is room again. */
  count(userId: number, limits: CallLimits): Promise<CountedCall>
}

const MINUTE_MS = 60_000
const USERS_MAX = 100_000

/**
 * Counts calls per user, against a limit for all calls and one for successful calls. Checking and counting
 * are one step: a call is counted as a success at once and refunded when it fails, so simultaneous calls
 * cannot exceed the limit together.
 */
export function openRates(
  { limiter }: Pick<Coordination, 'limiter'>,
  onError: (error: unknown) => void,
): Rates {
  const known = new Map<string, Limiter>()

  /** One limiter for each distinct limit; changing a limit therefore starts a new window. */
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
