import type { Backoff, BackoffOptions } from './backoff.ts'
import type { Limiter, LimiterOptions } from './limits.ts'
import type { Notices } from './notices.ts'
import type { OneTime } from './one-time.ts'
import type { TtlCache, TtlCacheOptions } from './ttl-cache.ts'

/** What the processes of one installation share besides their database. Nothing here decides about money. */
export interface Coordination {
  readonly notices: Notices
  readonly oneTime: OneTime
  /** The same name and options everywhere are one limit. */
  readonly limiter: (name: string, options: LimiterOptions) => Limiter
  /** The same name and options everywhere slow the same tries down. */
  readonly backoff: (name: string, options: BackoffOptions) => Backoff
  /** The same name and options everywhere are one shelf. */
  readonly ttlCache: (name: string, options: TtlCacheOptions) => TtlCache
  health(): CoordinationHealth
  close(): Promise<void>
}

export interface CoordinationHealth {
  /** False: each process has to do by itself for now. */
  readonly isShared: boolean
  /** How often it was lost since the start. */
  readonly losses: number
}
