import type { Budget, TokenLimits } from '../ledger.ts'
import type { OutcomeOf } from './command.ts'
import type { AccountState } from './state.ts'

/** What a token may do beside its quota: so many calls at a time, and so much in a period. */

type Refusal = Exclude<OutcomeOf['reserve'], { type: 'reserved' }>

/** Why its limits keep a token from one more call of this amount. */
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

/** Calls that cost nothing need no budget. */
export function isWithin(token: AccountState, amount: bigint, { units, sinceMs }: Budget): boolean {
  return amount === 0n || spentSince(token, sinceMs) + amount <= units
}

/**
 * Begins the period that the call says is running. Of two nodes whose clocks differ the later one is right: a period
 * that has begun is not begun again.
 */
export function inPeriod(token: AccountState, { sinceMs }: Budget): AccountState {
  if (sinceMs <= token.budgetSinceMs) return token
  return { ...token, budgetSinceMs: sinceMs, budgetBase: token.used }
}

/** What was used or is held; refunds count in the period in which they are made. */
function spentSince({ used, reserved, budgetBase, budgetSinceMs }: AccountState, sinceMs: number): bigint {
  return sinceMs > budgetSinceMs ? reserved : used - budgetBase + reserved
}
