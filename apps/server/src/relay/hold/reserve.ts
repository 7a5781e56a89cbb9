import { setTimeout as sleep } from 'node:timers/promises'
import { periodAt } from '@tollgate/kit/calendar-period'
import type { Ledger, ReserveInput, ReserveResult, TokenLimits } from '@tollgate/ledger/ledger'
import type { TokenEntry } from '../../books/books.ts'

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

/** Sets aside what a call may cost. Where its token has no place left, it is asked once more after a moment. */
export async function reserve(ledger: Pick<Ledger, 'reserve'>, input: ReserveInput): Promise<ReserveResult> {
  const result = await ledger.reserve(input)
  if (result.type !== 'crowded') return result
  await sleep(PLACE_MS)
  return ledger.reserve(input)
}
