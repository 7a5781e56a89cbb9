import { periodAt } from '@tollgate/kit/calendar-period'
import { sumTokenRefusals } from '@tollgate/store/accounts/token-refusals'
import type { Services } from '../services.ts'

/** How many calls of a token were refused since midnight at the site, and the code of the most frequent reason. */
export interface TokenRefusal {
  readonly count: number
  readonly reason: string
}

/** Looks up by the id of the token. */
export async function readRefusedToday(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  tokenIds: readonly number[],
): Promise<ReadonlyMap<number, TokenRefusal>> {
  const since = Math.floor(periodAt('day', clock.nowMs()).sinceMs / 1000)
  const refusals = new Map<number, TokenRefusal>()
  for (const { tokenId, code, refused } of await sumTokenRefusals(store, { tokenIds, since })) {
    const { count, reason } = refusals.get(tokenId) ?? { count: 0, reason: code }
    refusals.set(tokenId, { count: count + refused, reason })
  }
  return refusals
}
