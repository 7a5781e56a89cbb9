import { TOKEN_QUOTA_MAX } from '@tollgate/contract/token'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/kit/problem'
import { type AdjustInput, type AdjustResult, type Ledger, accountId } from '@tollgate/ledger/ledger'
import { randomToken } from '@tollgate/kit/ids'
import { wireQuota } from '../wire-quota.ts'

export interface QuotaAsk {
  readonly remainQuota?: number | undefined
  readonly isUnlimited?: boolean | undefined
  /** What the form loaded. */
  readonly expectedQuota?: number | undefined
  /** What its owner was shown last, for a caller that does not say what it loaded. */
  readonly shownQuota?: number | undefined
}

export interface QuotaNow {
  readonly available: bigint
  readonly isUnlimited: boolean
}

export type QuotaChange = Pick<AdjustInput, 'delta' | 'expected' | 'unlimited'>

/**
 * What an absolute quota means as a ledger operation; `undefined` when nothing changes. A caller that says what it
 * loaded gets exactly its own difference, or a refusal when the value has moved. One that does not, as consoles of the
 * family, gets the difference to what it was shown; it could do nothing about a refusal, and a token in use moves all the
 * time. One that was never shown the token sets the value it names.
 */
export function quotaChange(ask: QuotaAsk, now: QuotaNow): QuotaChange | undefined {
  if (ask.remainQuota !== undefined) checkRange(ask.remainQuota, ask)
  if (ask.isUnlimited ?? now.isUnlimited) {
    return now.isUnlimited ? undefined : { delta: 0n, unlimited: true }
  }
  if (now.isUnlimited) {
    const delta = BigInt(ask.remainQuota ?? 0) - now.available
    return { delta, expected: now.available, unlimited: false }
  }
  if (ask.remainQuota === undefined || ask.remainQuota === ask.expectedQuota) return undefined
  if (ask.expectedQuota === undefined && ask.shownQuota !== undefined)
    return differenceToShown(BigInt(ask.remainQuota) - BigInt(ask.shownQuota), now)
  const expected = ask.expectedQuota === undefined ? now.available : BigInt(ask.expectedQuota)
  const delta = BigInt(ask.remainQuota) - expected
  return delta === 0n ? undefined : { delta, expected }
}

/** No less than nothing can remain: what was spent since cannot be taken as well. */
function differenceToShown(difference: bigint, { available }: QuotaNow): QuotaChange | undefined {
  const remaining = available > 0n ? available : 0n
  const delta = difference < -remaining ? -remaining : difference
  return delta === 0n ? undefined : { delta }
}

/** Older consoles send along whatever they loaded for an unlimited token; that figure is not read. */
function checkRange(quota: number, { isUnlimited, expectedQuota, shownQuota }: QuotaAsk): void {
  if (isUnlimited || quota === (expectedQuota ?? shownQuota)) return
  if (quota < 0 || quota > TOKEN_QUOTA_MAX)
    throw problem('token_quota_out_of_range', { max: TOKEN_QUOTA_MAX })
}

/** Throws when the quota has moved since the form loaded it. `key` makes a repeated call harmless. */
export async function changeQuota(
  ledger: Ledger,
  input: { tokenId: number; change: QuotaChange; note: string; key?: string },
): Promise<void> {
  const { tokenId, change, note, key = `token:${tokenId}:${randomToken(16)}` } = input
  const result = await ledger.adjust({ key, account: accountId('token', tokenId), note, ...change })
  if (result.type === 'adjusted') return
  throw problem('token_quota_changed', {
    actual: actualQuota(result),
    expected: wireQuota(change.expected ?? 0n),
  })
}

type Refusal = Exclude<AdjustResult, { type: 'adjusted' }>

function actualQuota(refusal: Refusal): number {
  invariant(refusal.type !== 'conflict', 'an adjustment of a token has a key of its own')
  return wireQuota(refusal.type === 'changed' ? refusal.actual : refusal.remaining)
}
