import type { Backoff, BackoffOptions } from '@tollgate/coordination/backoff'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { Limiter } from '@tollgate/coordination/limits'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { usernameKey } from '@tollgate/store/accounts/user-normalization'
import { limitKey } from '../../edge/client-address.ts'
import type { KnownNetworks } from './known-networks.ts'

/**
 * Limits password attempts per account and network. Accounts are counted by id, so that all spellings of a
 * name and the email address share one count. Unknown names are counted by their folded spelling, in such a
 * way that a caller sees no difference.
 *
 * A network from which the account has signed in is slowed only by its own failures, so that strangers cannot
 * lock the owner out. All other networks also share {@link STRANGE_DAY} per account.
 */
export interface PasswordAttempts {
  /**
   * Throws a `Problem` when the attempt has to wait. Otherwise the attempt counts as a failure until
   * `succeed` or `takeBack` is called.
   */
  begin(claim: AttemptClaim): Promise<Guess>
}

export interface AttemptClaim {
  /** `undefined`: no account has this name. */
  readonly userId: number | undefined
  /** As typed. */
  readonly name: string
  readonly address: string
  /**
   * A signed-in user verifies their password again. Such attempts have their own count, which strangers
   * cannot use up.
   */
  readonly isSignedIn: boolean
  /** A CAPTCHA check was passed for this attempt. */
  readonly isHuman: boolean
}

export interface Guess {
  /** Reports that the password was right. */
  succeed(): Promise<void>
  /** Reports that the password was not checked. */
  takeBack(): Promise<void>
}

export interface GuessCounters {
  readonly known: Backoff
  readonly strange: Backoff
  readonly strangeDay: Limiter
  readonly unknown: Backoff
  readonly unknownDay: Limiter
}

const DAY_MS = 86_400_000
const STRANGE_DAY = { limit: 100, windowMs: DAY_MS, keysMax: 20_000 }
const PACE: BackoffOptions = { free: 5, firstMs: 1000, maxMs: 60_000, forgetMs: DAY_MS, keysMax: 20_000 }

/**
 * Three separate sets of counters, so that filling one cannot evict entries of another: networks that have
 * signed in, other networks, and unknown names, of which a caller can invent any number.
 */
export function openGuessCounters({
  backoff,
  limiter,
}: Pick<Coordination, 'backoff' | 'limiter'>): GuessCounters {
  return {
    known: backoff('guesses-known', PACE),
    strange: backoff('guesses-strange', PACE),
    strangeDay: limiter('guesses-strange-day', STRANGE_DAY),
    unknown: backoff('guesses-unknown', PACE),
    unknownDay: limiter('guesses-unknown-day', STRANGE_DAY),
  }
}

export interface PasswordAttemptsParts {
  readonly counters: GuessCounters
  readonly networks: KnownNetworks
  /** Whether a user can reset their password by email. */
  readonly canReset: () => boolean
}

export function openPasswordAttempts({
  counters,
  networks,
  canReset,
}: PasswordAttemptsParts): PasswordAttempts {
  async function countersFor({ userId, address }: AttemptClaim) {
    const isKnown = await networks.has(userId ?? 0, address)
    if (userId === undefined) return { pace: counters.unknown, day: counters.unknownDay }
    return isKnown
      ? { pace: counters.known, day: undefined }
      : { pace: counters.strange, day: counters.strangeDay }
  }

  return {
    begin: async (claim) => {
      const { pace, day } = await countersFor(claim)
      const subject = subjectOf(claim)
      const paceKey = `${subject} ${limitKey(claim.address)}`
      // A caller who passed a CAPTCHA may continue beyond the daily limit, at the pace of their network.
      const isCounted = await countDay(day, { subject, isHuman: claim.isHuman, canReset })
      const refundDay = async (): Promise<void> => {
        if (isCounted) await day?.refund(subject)
      }
      const decision = await pace.attempt(paceKey)
      if (!decision.allowed) {
        await refundDay()
        throw problem('too_many_requests', { seconds: secondsOf(decision.retryAfterMs) })
      }
      return {
        succeed: async () => {
          await pace.reset(paceKey)
          await refundDay()
        },
        takeBack: async () => {
          await pace.takeBack(paceKey)
          await refundDay()
        },
      }
    },
  }
}

/**
 * Returns whether the attempt was counted. Throws when the daily limit is used up and no CAPTCHA was passed.
 */
async function countDay(
  day: Limiter | undefined,
  { subject, isHuman, canReset }: { subject: string; isHuman: boolean; canReset: () => boolean },
): Promise<boolean> {
  const decision = await day?.consume(subject)
  if (decision?.allowed !== false) return day !== undefined
  if (isHuman) return false
  const seconds = secondsOf(decision.retryAfterMs)
  const minutes = Math.ceil(seconds / 60)
  throw problem(canReset() ? 'password_guesses_used_up_reset' : 'password_guesses_used_up', {
    seconds,
    minutes,
  })
}

function subjectOf({ userId, name, isSignedIn }: AttemptClaim): string {
  if (userId === undefined) return sha256Hex(usernameKey(name.trim()))
  return isSignedIn ? `${userId} signed in` : String(userId)
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
