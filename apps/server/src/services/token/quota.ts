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
  if (ask.isUnlimited ?? now.isUnlimited) return keptBesideFlag(ask, now)
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

/**
 * The quota of an unlimited token limits nothing, and is what remains once it is limited again. A figure that is no quota is
 * not read: the family counts unlimited tokens down without end, and consoles send along what they loaded.
 */
function keptBesideFlag(ask: QuotaAsk, now: QuotaNow): QuotaChange | undefined {
  const { remainQuota, expectedQuota, shownQuota } = ask
  const loaded = BigInt(expectedQuota ?? shownQuota ?? now.available)
  const named = remainQuota !== undefined && isInRange(remainQuota) ? BigInt(remainQuota) : loaded
  const delta = differenceToShown(named - loaded, now)?.delta ?? 0n
  return now.isUnlimited && delta === 0n ? undefined : { delta, unlimited: true }
}

/** No less than nothing can remain: what was spent since cannot be taken as well. */
function differenceToShown(difference: bigint, { available }: QuotaNow): QuotaChange | undefined {
  const remaining = available > 0n ? available : 0n
  const delta = difference < -remaining ? -remaining : difference
  return delta === 0n ? undefined : { delta }
}

function isInRange(quota: number): boolean {
  return quota >= 0 && quota <= TOKEN_QUOTA_MAX
}

function checkRange(quota: number, { isUnlimited, expectedQuota, shownQuota }: QuotaAsk): void {
  if (isUnlimited || quota === (expectedQuota ?? shownQuota)) return
  if (!isInRange(quota)) throw problem('token_quota_out_of_range', { max: TOKEN_QUOTA_MAX })
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
