import type { Budget, TokenLimits } from '../inputs.ts'
import type { OutcomeOf } from './command.ts'
import type { AccountState } from './state.ts'

/** Limits of a token besides its quota: parallel calls, and a budget per period. */

type Refusal = Exclude<OutcomeOf['reserve'], { type: 'reserved' }>

/** The reason why the token's limits do not admit one more call of this amount, or `undefined`. */
export function refusedByLimits(
  token: AccountState,
  amount: bigint,
  { parallelCalls, budget }: TokenLimits,
): Refusal | undefined {
  if (parallelCalls !== undefined && token.openHolds >= parallelCalls) return { type: 'crowded' }
  if (budget === undefined || isWithin(token, amount, budget)) return undefined
  const left = budget.units - spentSince(token, budget.sinceMs)
  return { type: 'refused', by: 'budget', remaining: left > 0n ? left : 0n }
}

/** Free calls need no budget. */
export function isWithin(token: AccountState, amount: bigint, { units, sinceMs }: Budget): boolean {
  return amount === 0n || spentSince(token, sinceMs) + amount <= units
}

/**
 * Starts the budget period given by the call. When the clocks of two nodes differ, the later period wins: a
 * period that has started is never restarted.
 */
export function inPeriod(token: AccountState, { sinceMs }: Budget): AccountState {
  if (sinceMs <= token.budgetSinceMs) return token
  return { ...token, budgetSinceMs: sinceMs, budgetBase: token.used }
}

/** Used and held quota of the period. A refund counts in the period in which it is made. */
function spentSince({ used, reserved, budgetBase, budgetSinceMs }: AccountState, sinceMs: number): bigint {
  return sinceMs > budgetSinceMs ? reserved : used - budgetBase + reserved
}
