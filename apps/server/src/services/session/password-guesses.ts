import type { Backoff, BackoffOptions } from '@tollgate/coordination/backoff'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { Limiter } from '@tollgate/coordination/limits'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/kit/problem'
import { usernameKey } from '@tollgate/store/user-spellings'
import { limitKey } from '../../edge/client-address.ts'
import type { KnownNetworks } from './known-networks.ts'

/**
 * Guesses of passwords, counted by account and network. An account is found by its id, so that all spellings of its name
 * and its e-mail address share one count; a name that nobody has is counted by its folded spelling, alike in everything
 * that a caller can see.
 *
 * A network that the account has signed in from is slowed by its own failures alone, so strangers lock nobody out. Other
 * networks also share {@link STRANGE_DAY} for each account.
 */
export interface PasswordGuesses {
  /** Throws a Problem when the guess has to wait; otherwise it is counted as a failure until it proves to be none. */
  begin(claim: GuessClaim): Promise<Guess>
}

export interface GuessClaim {
  /** `undefined`: nobody has the name. */
  readonly userId: number | undefined
  /** As typed. */
  readonly name: string
  readonly address: string
  /** Somebody who is signed in proves their password again; strangers cannot use up these guesses. */
  readonly isSignedIn: boolean
  /** A human check was passed for this guess. */
  readonly isHuman: boolean
}

export interface Guess {
  /** It was right. */
  succeed(): Promise<void>
  /** Nobody looked at it. */
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
 * Three sets, so that nobody makes another one forget by filling it: networks that have signed in, other networks, and
 * names that nobody has, of which a caller can invent as many as they like.
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

export interface PasswordGuessesParts {
  readonly counters: GuessCounters
  readonly networks: KnownNetworks
  /** Whether a new password can be set through a mail. */
  readonly canReset: () => boolean
}

export function openPasswordGuesses({ counters, networks, canReset }: PasswordGuessesParts): PasswordGuesses {
  async function countersFor({ userId, address }: GuessClaim) {
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
      // Somebody with a human check goes on beyond the day's share, at the pace of their network.
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

/** Whether it was counted. Throws when the day's guesses are used up and no human check was passed. */
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

function subjectOf({ userId, name, isSignedIn }: GuessClaim): string {
  if (userId === undefined) return sha256Hex(usernameKey(name.trim()))
  return isSignedIn ? `${userId} signed in` : String(userId)
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
