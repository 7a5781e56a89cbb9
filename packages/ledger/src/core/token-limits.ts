import type { Budget, TokenLimits } from '../inputs.ts'
import { type AccountUse, callsInFlight, heldDurably, sumOf } from './account-use.ts'
import type { OutcomeOf } from './command.ts'
import type { AccountState } from './state.ts'

/** Limits of a token besides its quota: parallel calls, and a budget per period. */

type Refusal = Exclude<OutcomeOf['reserve'], { type: 'reserved' }>

/** The reason why the token's limits do not admit one more call of this amount, or `undefined`. */
export function refusedByLimits(
  token: AccountUse,
  amount: bigint,
  { parallelCalls, budget }: TokenLimits,
): Refusal | undefined {
  if (parallelCalls !== undefined && callsInFlight(token) >= parallelCalls) return { type: 'crowded' }
  if (budget === undefined || isWithin(token, amount, budget)) return undefined
  const left = budgetLeft(token, budget)
  return { type: 'refused', by: 'budget', remaining: left > 0n ? left : 0n }
}

/** Free calls need no budget. */
export function isWithin(token: AccountUse, amount: bigint, budget: Budget): boolean {
  return amount === 0n || amount <= budgetLeft(token, budget)
}

/**
 * Starts the budget period given by the call. When the clocks of two nodes differ, the later period wins: a
 * period that has started is never restarted.
 */
export function inPeriod(token: AccountState, { sinceMs }: Budget): AccountState {
  if (sinceMs <= token.budgetSinceMs) return token
  return { ...token, budgetSinceMs: sinceMs, budgetBase: token.used }
}

/** Negative when the budget was lowered below what is spent. */
export function budgetLeft(token: AccountUse, { units, sinceMs }: Budget): bigint {
  return units - spentSince(token, sinceMs)
}

/**
 * Quota of the period that is used, held by single calls, or allotted to processes. A refund counts in the
 * period in which it is made.
 */
function spentSince(token: AccountUse, sinceMs: number): bigint {
  const { used, budgetBase, budgetSinceMs } = token.account
  const held = heldDurably(token)
  if (sinceMs > budgetSinceMs) return held
  const allotted = token.allotments.filter((row) => row.budgetSinceMs === budgetSinceMs)
  return used - budgetBase + held + sumOf(allotted, 'budgetAmount')
}
