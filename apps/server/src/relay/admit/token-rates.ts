import type { Coordination } from '@tollgate/coordination/coordination'
import type { LimitDecision, Limiter } from '@tollgate/coordination/limits'
import { problem } from '@tollgate/kit/problem'
import type { TokenEntry } from '../../snapshots/snapshots.ts'

/** Tokens counted ahead of a call, before it is known how many it uses. */
export interface CountedTokens {
  /** How many there were. Only the first time means anything. */
  used(tokens: number): void
}

/** What a token may do in a minute. Every check counts in the same step, so that calls at one time do not slip past. */
export interface TokenRates {
  /** Counts a call, or throws the Problem that tells when there is room again. */
  countCall(token: TokenEntry): Promise<void>
  /** Counts what a call is likely to use, or throws; `undefined` where nothing limits it. */
  countTokens(token: TokenEntry, tokens: number): Promise<CountedTokens | undefined>
}

const MINUTE_MS = 60_000
const TOKENS_MAX = 100_000

export function openTokenRates(
  { limiter }: Pick<Coordination, 'limiter'>,
  onError: (error: unknown) => void,
): TokenRates {
  const options = { limit: 0, windowMs: MINUTE_MS, keysMax: TOKENS_MAX }
  const calls = limiter('token-calls', options)
  const tokens = limiter('token-tokens', options)

  return {
    countCall: async ({ id, limits }) => {
      const limit = limits?.callsPerMinute
      if (limit === undefined) return
      const decision = await calls.consume(String(id), 1, limit)
      if (!decision.allowed)
        throw problem('token_rpm_reached', { count: limit, seconds: secondsOf(decision) })
    },
    countTokens: async ({ id, limits }, needed) => {
      const limit = limits?.tokensPerMinute
      if (limit === undefined) return undefined
      if (needed > limit) throw problem('token_tpm_too_small', { count: limit, needed })
      const decision = await tokens.consume(String(id), needed, limit)
      if (!decision.allowed)
        throw problem('token_tpm_reached', { count: limit, needed, seconds: secondsOf(decision) })
      return new Counted({ limiter: tokens, key: String(id), tokens: needed, onError })
    },
  }
}

interface CountedInput {
  readonly limiter: Limiter
  readonly key: string
  readonly tokens: number
  readonly onError: (error: unknown) => void
}

class Counted implements CountedTokens {
  readonly #input: CountedInput
  #isKnown = false

  constructor(input: CountedInput) {
    this.#input = input
  }

  /** What was used is counted whatever the limit: the calls that follow wait for it. */
  used(tokens: number): void {
    if (this.#isKnown) return
    this.#isKnown = true
    const { limiter, key, onError } = this.#input
    const difference = tokens - this.#input.tokens
    if (difference > 0) limiter.consume(key, difference, Number.MAX_SAFE_INTEGER).catch(onError)
    else if (difference < 0) limiter.refund(key, -difference).catch(onError)
  }
}

function secondsOf({ retryAfterMs }: LimitDecision): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000))
}
