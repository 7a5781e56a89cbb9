import { periodAt } from '@tollgate/kit/calendar-period'
import { invariant } from '@tollgate/kit/invariant'
import { problem, type Problem } from '@tollgate/problems/problem'
import type { ReserveResult } from '@tollgate/ledger/results'
import type { TokenEntry } from '../../../snapshots/snapshots.ts'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import { isTrusted } from '../../../snapshots/trust.ts'
import type { App } from '../../app.ts'
import type { Caller } from '../admit/caller.ts'
import { isBesideOthers } from './reserve.ts'

interface Refused {
  readonly caller: Caller
  readonly settings: Pick<RelaySettings, 'isSelfUse'>
  readonly needed: bigint
  readonly app: Pick<App, 'clock' | 'onTokenExhausted'>
}

type Refusal = Exclude<ReserveResult, { type: 'reserved' }>

/**
 * Retry time given to a caller whose other calls block this one. Shorter than most calls take, so that
 * clients that retry only twice succeed.
 */
const ANSWER_SECONDS = 5

/** The Problem for a hold that was refused. */
export function refusalOf(result: Refusal, { caller, settings, needed, app }: Refused): Problem {
  if (result.type === 'unavailable') return problem('ledger_unavailable')
  if (result.type === 'busy') return problem(result.scope === 'user' ? 'too_many_calls' : 'gateway_busy')
  const { token } = caller
  if (result.type === 'crowded')
    return problem('token_parallel_reached', { count: token?.limits?.parallelCalls ?? 0, seconds: 1 })
  if (isBesideOthers(result, isTrusted(caller.owner, settings)))
    return problem('too_many_calls_for_balance', { seconds: ANSWER_SECONDS })
  const { remaining, by } = result
  if (by === 'user' || token === undefined) return problem('insufficient_user_quota', { remaining, needed })
  if (by === 'budget') return budgetReached(token, { remaining, needed, nowMs: app.clock.nowMs() })
  if (remaining > 0n) return problem('pre_consume_token_quota_failed', { remaining, needed })
  app.onTokenExhausted(token.id)
  return problem('token_exhausted', { preview: token.preview })
}

interface Short {
  readonly remaining: bigint
  readonly needed: bigint
  readonly nowMs: number
}

function budgetReached({ limits }: TokenEntry, { remaining, needed, nowMs }: Short): Problem {
  invariant(limits?.budget, 'only a budget refuses by it')
  const { units, period } = limits.budget
  const { untilMs } = periodAt(period, nowMs)
  return problem('token_budget_reached', {
    remaining,
    budget: units,
    needed,
    reset: new Date(untilMs).toISOString(),
    seconds: Math.max(1, Math.ceil((untilMs - nowMs) / 1000)),
  })
}
