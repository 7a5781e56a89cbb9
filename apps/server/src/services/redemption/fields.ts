import { UNIX_SECONDS_MAX } from '@tollgate/contract/envelope'
import {
  REDEMPTION_COUNT_MAX,
  REDEMPTION_KEY_CHARACTERS_MAX,
  REDEMPTION_NAME_CHARACTERS_MAX,
  REDEMPTION_QUOTA_MAX,
  UNLIMITED_USES,
} from '@tollgate/contract/redemption'
import { problem } from '@tollgate/problems/problem'

/** Validates the fields of a redemption code; each function throws a problem that names its field. */

export function readName(text: string): string {
  const name = text.trim()
  const { length } = Array.from(name)
  if (length < 1 || length > REDEMPTION_NAME_CHARACTERS_MAX) {
    throw problem('redemption_name_length', { max: REDEMPTION_NAME_CHARACTERS_MAX })
  }
  return name
}

/** The quota of a code must be positive. */
export function readQuota(quota: number): bigint {
  if (quota < 1 || quota > REDEMPTION_QUOTA_MAX)
    throw problem('redemption_quota_out_of_range', { max: REDEMPTION_QUOTA_MAX })
  return BigInt(quota)
}

interface Dates {
  readonly from: number
  readonly until: number
}

/**
 * 0 means no limit. An end in the past is rejected because nobody could redeem the code, unless it is the
 * stored value.
 */
export function checkDates({ from, until }: Dates, stored: Dates, nowSeconds: number): void {
  const isChanged = from !== stored.from || until !== stored.until
  if (isChanged && Math.max(from, until) > UNIX_SECONDS_MAX) throw problem('redemption_date_invalid')
  if (isChanged && from > 0 && until > 0 && from >= until) throw problem('redemption_dates_reversed')
  if (until !== stored.until && until > 0 && until <= nowSeconds) throw problem('redemption_already_over')
}

interface SentEnd {
  readonly valid_until?: number | undefined
  readonly expired_time?: number | undefined
}

/**
 * The end that a body names, under our name or under new-api's; `undefined` when it names none. A console of
 * new-api sends the whole row back with one of the two changed, so the one that differs from the stored end counts.
 */
export function readCodeEnd(
  { valid_until: own, expired_time: other }: SentEnd,
  stored: number,
): number | undefined {
  if (own === undefined || other === undefined || own === other) return own ?? other
  if (own === stored) return other
  if (other === stored) return own
  throw problem('redemption_ends_differ')
}

/** How many users may redeem a gift code; 0 is rejected as a mistake. */
export function readMaxUses(isGift: boolean, maxUses: number): number {
  if (!isGift) return UNLIMITED_USES
  if (maxUses !== UNLIMITED_USES && maxUses < 1) throw problem('redemption_max_uses_invalid')
  return maxUses
}

/** `undefined`: the server generates the keys. */
export function readCustomKey(text: string | undefined): string | undefined {
  const key = text?.trim() ?? ''
  if (key === '') return undefined
  if (Array.from(key).length > REDEMPTION_KEY_CHARACTERS_MAX)
    throw problem('redemption_key_too_long', { max: REDEMPTION_KEY_CHARACTERS_MAX })
  return key
}

export function readCount(count: number): number {
  if (count < 1) throw problem('redemption_count_missing')
  if (count > REDEMPTION_COUNT_MAX) throw problem('redemption_count_exceeded', { max: REDEMPTION_COUNT_MAX })
  return count
}
