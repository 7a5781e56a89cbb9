import { TOKEN_QUOTA_MAX } from '@tollgate/contract/token'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/problems/problem'
import type { AdjustInput } from '@tollgate/ledger/inputs'
import type { AdjustResult } from '@tollgate/ledger/results'
import type { Ledger } from '@tollgate/ledger/ledger'
import { accountId } from '@tollgate/ledger/account'
import { randomToken } from '@tollgate/kit/ids'
import { wireQuota } from '../wire-quota.ts'
import { splitRest } from './wire.ts'

export interface QuotaAsk {
  readonly remainQuota?: number | undefined
  readonly isUnlimited?: boolean | undefined
  /** The value that the form loaded. */
  readonly expectedQuota?: number | undefined
  /** The value that the owner was shown last, for callers that do not send `expectedQuota`. */
  readonly shownQuota?: number | undefined
}

export interface QuotaNow {
  readonly available: bigint
  readonly isUnlimited: boolean
}

export type QuotaChange = Pick<AdjustInput, 'delta' | 'expected' | 'unlimited'>

/**
 * Converts an absolute quota into a ledger operation; `undefined` when nothing changes.
 *
 * A caller that sends the value it loaded gets exactly that difference applied, or a refusal when the balance
 * has moved. A caller that does not, such as a console written for new-api, gets the difference to the value
 * it was last shown: it could not react to a refusal, and the balance of a token in use moves all the time.
 * For a caller that was never shown the token, the requested value is set.
 */
export function quotaChange(ask: QuotaAsk, now: QuotaNow): QuotaChange | undefined {
  if (ask.remainQuota !== undefined) checkRange(ask.remainQuota, ask)
  if (ask.isUnlimited ?? now.isUnlimited) return keptBesideFlag(ask, now)
  if (now.isUnlimited) {
    const delta = BigInt(ask.remainQuota ?? 0) - now.available
    return { delta, expected: now.available, unlimited: false }
  }
  if (ask.remainQuota === undefined || ask.remainQuota === ask.expectedQuota) return undefined
  if (ask.expectedQuota === undefined && ask.shownQuota !== undefined) {
    if (ask.remainQuota === ask.shownQuota) return undefined
    return differenceToShown(BigInt(ask.remainQuota) - readShown(ask.shownQuota, now), now)
  }
  const expected = ask.expectedQuota === undefined ? now.available : readShown(ask.expectedQuota, now)
  const delta = BigInt(ask.remainQuota) - expected
  return delta === 0n ? undefined : { delta, expected }
}

/**
 * An unlimited token has a quota too: it limits nothing, and becomes the remaining quota when the token is
 * limited again. A value outside the valid range is ignored, because new-api counts unlimited tokens down
 * without bound and its consoles send back what they loaded.
 */
function keptBesideFlag(ask: QuotaAsk, now: QuotaNow): QuotaChange | undefined {
  const { remainQuota, expectedQuota, shownQuota } = ask
  const loaded = BigInt(expectedQuota ?? shownQuota ?? now.available)
  const named = remainQuota !== undefined && isInRange(remainQuota) ? BigInt(remainQuota) : loaded
  const delta = differenceToShown(named - loaded, now)?.delta ?? 0n
  return now.isUnlimited && delta === 0n ? undefined : { delta, unlimited: true }
}

/** A token that is overrun is shown with a rest of 0; a new rest is what remains when the overrun is paid. */
function readShown(shown: number, { available }: QuotaNow): bigint {
  return shown === 0 && available < 0n ? available : BigInt(shown)
}

/** The remaining quota cannot become negative: quota that was spent meanwhile cannot be removed as well. */
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

/** Throws when the quota has moved since the form loaded it. `key` makes a repeated call idempotent. */
export async function changeQuota(
  ledger: Ledger,
  input: { tokenId: number; change: QuotaChange; note: string; key?: string },
): Promise<void> {
  const { tokenId, change, note, key = `token:${tokenId}:${randomToken(16)}` } = input
  const result = await ledger.adjust({ key, account: accountId('token', tokenId), note, ...change })
  if (result.type === 'adjusted') return
  throw problem('token_quota_changed', {
    actual: actualQuota(result),
    expected: wireQuota(splitRest(change.expected ?? 0n).rest),
  })
}

type Refusal = Exclude<AdjustResult, { type: 'adjusted' }>

function actualQuota(refusal: Refusal): number {
  invariant(refusal.type !== 'conflict', 'an adjustment of a token has a key of its own')
  return wireQuota(splitRest(refusal.type === 'changed' ? refusal.actual : refusal.remaining).rest)
}
