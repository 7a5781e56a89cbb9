import type { Coordination } from '@tollgate/coordination/coordination'
import type { Limiter } from '@tollgate/coordination/limits'
import { type SyncLimiter, syncLimiter } from '@tollgate/coordination/memory-limiter'
import type { Clock } from '@tollgate/kit/clock'
import type { Config } from '../config.ts'
import type { EdgeLimits } from '../edge/limits.ts'
import { type GuessCounters, openGuessCounters } from '../services/session/password-guesses.ts'

const MINUTE_MS = 60_000

/** The family's window for sign-in and everything that could be guessed. */
const CRITICAL_MS = 20 * MINUTE_MS
/** More than a person reads; far fewer than a stolen session would like. */
const REVEAL = { limit: 60, windowMs: 10 * MINUTE_MS }
/** Lists of whole keys: somebody turning pages in an old console. */
const KEY_LISTS = { limit: 60, windowMs: MINUTE_MS }
/** Each goes out to an upstream. */
const PROBE = { limit: 60, windowMs: MINUTE_MS }
/** A payment gateway after a busy hour; it repeats what is refused. */
const CALLBACK = { limit: 1200, windowMs: MINUTE_MS }

/** API keys that nobody has, of one address: more than a misconfigured client needs to be noticed. */
const WRONG_KEYS = { limit: 60, windowMs: MINUTE_MS }

/** Mails to one address, whoever asks for them: enough for somebody whose first one went astray. */
const ADDRESS_MAILS = { limit: 5, windowMs: 30 * MINUTE_MS }

/** Codes that were no good, of one user. */
const REDEEM_FAILURES = { limit: 10, windowMs: 60 * MINUTE_MS }

export interface Limits extends EdgeLimits {
  /** Within this process: a wrong key is answered at once. */
  readonly wrongKeys: SyncLimiter
  readonly guesses: GuessCounters
  readonly addressMails: Limiter
  readonly redeemFailures: Limiter
  readonly keyLists: Limiter
}

export function openLimits(
  config: Config,
  { limiter, backoff }: Pick<Coordination, 'limiter' | 'backoff'>,
  clock: Clock,
): Limits {
  const { isApiLimited, apiLimit, apiLimitMs, isWebLimited, webLimit, webLimitMs, criticalLimit } = config
  return {
    api: isApiLimited ? limiter('api', { limit: apiLimit, windowMs: apiLimitMs }) : undefined,
    web: isWebLimited ? limiter('web', { limit: webLimit, windowMs: webLimitMs }) : undefined,
    critical: limiter('critical', { limit: criticalLimit, windowMs: CRITICAL_MS }),
    reveal: limiter('reveal', REVEAL),
    probe: limiter('probe', PROBE),
    callback: limiter('callback', CALLBACK),
    wrongKeys: syncLimiter(WRONG_KEYS, clock),
    guesses: openGuessCounters({ limiter, backoff }),
    addressMails: limiter('address-mails', ADDRESS_MAILS),
    keyLists: limiter('key-lists', KEY_LISTS),
    redeemFailures: limiter('redeem-failures', REDEEM_FAILURES),
  }
}
