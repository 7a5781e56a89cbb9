import { setTimeout as sleep } from 'node:timers/promises'
import type { HoldAmounts } from '@tollgate/billing/hold'
import type { Price } from '@tollgate/billing/price'
import { priceToJson } from '@tollgate/billing/recompute'
import { periodAt } from '@tollgate/kit/calendar-period'
import { accountId } from '@tollgate/ledger/account'
import type { OverdraftRule, ReserveInput, TokenLimits } from '@tollgate/ledger/inputs'
import type { Ledger } from '@tollgate/ledger/ledger'
import type { ReserveResult } from '@tollgate/ledger/results'
import type { TokenEntry } from '../../../snapshots/snapshots.ts'
import type { Admitted } from '../admit/admitted.ts'

/** The token's limits that the ledger enforces, at this moment. */
export function ledgerLimits(token: TokenEntry | undefined, nowMs: number): TokenLimits | undefined {
  if (token?.limits === undefined) return undefined
  const { parallelCalls, budget } = token.limits
  if (parallelCalls === undefined && budget === undefined) return undefined
  return {
    ...(parallelCalls !== undefined && { parallelCalls }),
    ...(budget && { budget: { units: budget.units, sinceMs: periodAt(budget.period, nowMs).sinceMs } }),
  }
}

interface Reserving {
  readonly price: Price
  readonly amounts: Pick<HoldAmounts, 'hold' | 'ceiling'>
  readonly limits: TokenLimits | undefined
  readonly overdraft: OverdraftRule
}

/** The hold of a call or of a task submission. */
export function reserveInput(
  { call, caller }: Pick<Admitted, 'call' | 'caller'>,
  { price, amounts, limits, overdraft }: Reserving,
): ReserveInput {
  return {
    holdId: call.id,
    userAccount: accountId('user', caller.owner.id),
    ...(caller.token && { tokenAccount: accountId('token', caller.token.id) }),
    amount: amounts.hold,
    ceiling: amounts.ceiling,
    priceJson: priceToJson(price),
    ...(limits && { limits }),
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

/**
 * Places a hold for what a call may cost. If other calls of the user are in the way, tries once more after a
 * short pause.
 */
export async function reserve(
  ledger: Pick<Ledger, 'reserve'>,
  input: ReserveInput,
  isTrusted: boolean,
): Promise<ReserveResult> {
  const result = await ledger.reserve(input)
  if (result.type !== 'crowded' && !isBesideOthers(result, isTrusted)) return result
  await sleep(PLACE_MS)
  return ledger.reserve(input)
}

/**
 * Whether the user's other calls are the reason for the refusal, rather than an empty balance. The hold for
 * one call of an untrusted account can take nearly its whole balance.
 */
export function isBesideOthers(result: ReserveResult, isTrusted: boolean): boolean {
  if (result.type !== 'refused' || result.isAlone !== false) return false
  return result.by === 'overdraft' || (result.by === 'user' && !isTrusted)
}
