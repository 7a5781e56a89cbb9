import { setTimeout as sleep } from 'node:timers/promises'
import { periodAt } from '@tollgate/kit/calendar-period'
import type { Ledger, ReserveInput, ReserveResult, TokenLimits } from '@tollgate/ledger/ledger'
import type { TokenEntry } from '../../snapshots/snapshots.ts'

/** What of a token's limits the ledger decides, as it is at this moment. */
export function ledgerLimits(token: TokenEntry | undefined, nowMs: number): TokenLimits | undefined {
  if (token?.limits === undefined) return undefined
  const { parallelCalls, budget } = token.limits
  if (parallelCalls === undefined && budget === undefined) return undefined
  return {
    ...(parallelCalls !== undefined && { parallelCalls }),
    ...(budget && { budget: { units: budget.units, sinceMs: periodAt(budget.period, nowMs).sinceMs } }),
  }
}

/** A client that makes one call after the other begins the next while the books of the last are being closed. */
const PLACE_MS = 50

/** Sets aside what a call may cost. Where other calls stand in its way, it is asked once more after a moment. */
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
 * Whether it is the user's other calls that stand in the way, and not an empty balance. What an account that is not
 * trusted holds for one call can be nearly all it has.
 */
export function isBesideOthers(result: ReserveResult, isTrusted: boolean): boolean {
  if (result.type !== 'refused' || result.isAlone !== false) return false
  return result.by === 'overdraft' || (result.by === 'user' && !isTrusted)
}
