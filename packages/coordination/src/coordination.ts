import type { Backoff, BackoffOptions } from './backoff.ts'
import type { Limiter, LimiterOptions } from './limits.ts'
import type { Notices } from './notices.ts'
import type { OneTime } from './one-time.ts'
import type { TtlCache, TtlCacheOptions } from './ttl-cache.ts'

/**
 * State that the processes of one installation share besides their database. Nothing here decides about
 * money.
 */
export interface Coordination {
  readonly notices: Notices
  readonly oneTime: OneTime
  /** Calls with the same name and options in different processes share one limit. */
  readonly limiter: (name: string, options: LimiterOptions) => Limiter
  /** Calls with the same name and options in different processes share one backoff. */
  readonly backoff: (name: string, options: BackoffOptions) => Backoff
  /** Calls with the same name and options in different processes share one cache. */
  readonly ttlCache: (name: string, options: TtlCacheOptions) => TtlCache
  health(): CoordinationHealth
  close(): Promise<void>
}

export interface CoordinationHealth {
  /** False: each process currently works with its own memory alone. */
  readonly isShared: boolean
  /** How many times the connection was lost since the start. */
  readonly losses: number
}
