import type { Coordination } from '@tollgate/coordination/coordination'
import type { LimitDecision, Limiter } from '@tollgate/coordination/limits'
import { problem } from '@tollgate/problems/problem'
import type { TokenEntry } from '../../../snapshots/snapshots.ts'

/** Tokens counted for a call in advance, before it is known how many it uses. */
export interface CountedTokens {
  /** Corrects the count to the tokens really used. Only the first call has an effect. */
  used(tokens: number): void
}

/**
 * The limits per minute of a token. Checking and counting are one step, so simultaneous calls cannot exceed a
 * limit.
 */
export interface TokenRates {
  /** Counts a call, or throws the Problem that says when there is room again. */
  countCall(token: TokenEntry): Promise<void>
  /** Counts the tokens a call is likely to use, or throws; `undefined` when the token has no token limit. */
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

  /**
   * Tokens used beyond the estimate are counted even above the limit; later calls wait until the window has
   * room again.
   */
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
