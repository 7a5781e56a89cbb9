import { setTimeout as sleep } from 'node:timers/promises'
import type { HoldAmounts } from '@tollgate/billing/hold'
import type { Price } from '@tollgate/billing/price'
import { priceToJson } from '@tollgate/billing/recompute'
import { periodAt } from '@tollgate/kit/calendar-period'
import { invariant } from '@tollgate/kit/invariant'
import { problem, type Problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import type { OverdraftRule, ReserveInput, TokenLimits } from '@tollgate/ledger/inputs'
import type { ReserveResult } from '@tollgate/ledger/results'
import type { RelaySettings } from '../../../snapshots/relay-settings.ts'
import type { TokenEntry } from '../../../snapshots/snapshots.ts'
import { isTrusted } from '../../../snapshots/trust.ts'
import type { NamedPrice } from '../../prices/further-models.ts'
import type { App } from '../../app.ts'
import type { CallLedger } from '../../call-ledger.ts'
import type { Admitted } from '../admit/admitted.ts'
import type { Caller } from '../admit/caller.ts'

/** The token's limits that the ledger enforces, at this moment. */
export function ledgerLimits(token: TokenEntry | undefined, nowMs: number): TokenLimits | undefined {
  if (token?.limits === undefined) return undefined
  const { parallelCalls, budget } = token.limits
  if (parallelCalls === undefined && budget === undefined) return undefined
  return {
    parallelCalls,
    budget: budget && { units: budget.units, sinceMs: periodAt(budget.period, nowMs).sinceMs },
  }
}

interface Reserving {
  readonly price: Price
  readonly namedPrices?: readonly NamedPrice[]
  readonly amounts: Pick<HoldAmounts, 'hold' | 'ceiling'>
  readonly limits: TokenLimits | undefined
  readonly overdraft: OverdraftRule
}

/** The hold of a call or of a task submission. */
export function reserveInput(
  { call, caller }: Pick<Admitted, 'call' | 'caller'>,
  { price, namedPrices = [], amounts, limits, overdraft }: Reserving,
): ReserveInput {
  return {
    holdId: call.id,
    userAccount: accountId('user', caller.owner.id),
    tokenAccount: caller.token && accountId('token', caller.token.id),
    amount: amounts.hold,
    ceiling: amounts.ceiling,
    priceJson: priceToJson(price),
    ...(namedPrices.length > 0 && { furtherPrices: namedPrices.map((named) => priceToJson(named.price)) }),
    limits,
    overdraft,
  }
}

interface Linked<Held> {
  readonly next?: Held
}

/** The same call in each of its groups, each linked to the one to try after it. */
export function linked<Held extends Linked<Held>>(first: Held, others: readonly Held[]): Held {
  const next = others.reduceRight<Held | undefined>(
    (after, other) => (after === undefined ? other : { ...other, next: after }),
    undefined,
  )
  return next === undefined ? first : { ...first, next }
}

/**
 * A client that makes its calls one after the other can begin the next while the previous one is still being
 * settled.
 */
const PLACE_MS = 50

export interface ToReserve {
  readonly ledger: Pick<CallLedger, 'reserve'>
  readonly input: ReserveInput
  readonly isOfTrusted: boolean
}

/**
 * Places a hold for what a call may cost, and passes the result to `onResult`. If other calls of the user are in the
 * way, tries once more after a short pause.
 */
export function reserve<Next>(
  { ledger, input, isOfTrusted }: ToReserve,
  onResult: (result: ReserveResult) => Next | Promise<Next>,
): Next | Promise<Next> {
  const onceMore = (result: ReserveResult): Next | Promise<Next> => {
    if (result.type !== 'crowded' && !isBesideOthers(result, isOfTrusted)) return onResult(result)
    return sleep(PLACE_MS)
      .then(() => ledger.reserve(input))
      .then(onResult)
  }
  const first = ledger.reserve(input)
  return first instanceof Promise ? first.then(onceMore) : onceMore(first)
}

/**
 * Whether the user's other calls are the reason for the refusal, rather than an empty balance. The hold for
 * one call of an untrusted account can take nearly its whole balance.
 */
function isBesideOthers(result: ReserveResult, isOfTrusted: boolean): boolean {
  if (result.type !== 'refused' || result.isAlone !== false) return false
  return result.by === 'overdraft' || (result.by === 'user' && !isOfTrusted)
}

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
/** The journal is folded, and a database that is away is asked again, several times a second. */
const UNAVAILABLE_SECONDS = 1

/** The Problem for a hold that was refused. */
export function refusalOf(result: Refusal, { caller, settings, needed, app }: Refused): Problem {
  if (result.type === 'unavailable') return problem('ledger_unavailable', { seconds: UNAVAILABLE_SECONDS })
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
