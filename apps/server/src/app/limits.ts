import type { Coordination } from '@tollgate/coordination/coordination'
import type { Limiter, LimiterOptions } from '@tollgate/coordination/limits'
import { syncLimiter } from '@tollgate/coordination/memory-limiter'
import type { Clock } from '@tollgate/kit/clock'
import type { Config } from '../config/index.ts'
import type { EdgeLimits } from '../edge/limits.ts'
import {
  createNetworkLimiter,
  createSyncNetworkLimiter,
  type SyncNetworkLimiter,
} from '../edge/network-limiter.ts'
import { type GuessCounters, openGuessCounters } from '../services/session/password-attempts.ts'

const MINUTE_MS = 60_000

/** The window that new-api uses for sign-in and everything else that could be guessed. */
const CRITICAL_MS = 20 * MINUTE_MS
/** More secrets than a person looks at, and far fewer than an attacker with a stolen session would want. */
const REVEAL = { limit: 60, windowMs: 10 * MINUTE_MS }
/**
 * Lists that contain whole keys: enough for a person who turns the pages of a console written for new-api.
 */
const KEY_LISTS = { limit: 60, windowMs: MINUTE_MS }
/** Each of these requests calls an upstream. */
const PROBE = { limit: 60, windowMs: MINUTE_MS }
/** Enough for a payment gateway after a busy hour; it resends callbacks that were refused. */
const CALLBACK = { limit: 1200, windowMs: MINUTE_MS }

/** Unknown API keys per client address: a misconfigured client sends this many before it is noticed. */
const WRONG_KEYS = { limit: 60, windowMs: MINUTE_MS }

/** Emails to one address, regardless of who requests them: enough for a person whose first email got lost. */
const ADDRESS_MAILS = { limit: 5, windowMs: 30 * MINUTE_MS }

/** Failed redemption attempts per user. */
const REDEEM_FAILURES = { limit: 10, windowMs: 60 * MINUTE_MS }

export interface AppLimits extends EdgeLimits {
  /** Counted in this process alone, so that a wrong key is refused without waiting. */
  readonly wrongKeys: SyncNetworkLimiter
  readonly guesses: GuessCounters
  readonly addressMails: Limiter
  readonly redeemFailures: Limiter
  readonly keyLists: Limiter
}

export function openLimits(
  config: Config,
  { limiter, backoff }: Pick<Coordination, 'limiter' | 'backoff'>,
  clock: Clock,
): AppLimits {
  const { isApiLimited, apiLimit, apiLimitMs, isWebLimited, webLimit, webLimitMs, criticalLimit } = config
  const byNetwork = (name: string, options: LimiterOptions) =>
    createNetworkLimiter(limiter(name, options), options.limit)
  return {
    api: isApiLimited ? byNetwork('api', { limit: apiLimit, windowMs: apiLimitMs }) : undefined,
    web: isWebLimited ? byNetwork('web', { limit: webLimit, windowMs: webLimitMs }) : undefined,
    critical: byNetwork('critical', { limit: criticalLimit, windowMs: CRITICAL_MS }),
    reveal: limiter('reveal', REVEAL),
    probe: limiter('probe', PROBE),
    callback: byNetwork('callback', CALLBACK),
    wrongKeys: createSyncNetworkLimiter(syncLimiter(WRONG_KEYS, clock), WRONG_KEYS.limit),
    guesses: openGuessCounters({ limiter, backoff }),
    addressMails: limiter('address-mails', ADDRESS_MAILS),
    keyLists: limiter('key-lists', KEY_LISTS),
    redeemFailures: limiter('redeem-failures', REDEEM_FAILURES),
  }
}
