import type { Redemption } from '@tollgate/contract/redemption'
import type { Cipher } from '@tollgate/kit/cipher'
import type { RedemptionRow } from '@tollgate/store/trade/redemptions'
import { wireQuota } from '../wire-quota.ts'
import { openCode } from './code.ts'

/** A stored code in new-api's response format, with its key in clear. */
export function toWireRedemption(row: RedemptionRow, cipher: Cipher): Redemption {
  const { key_hash, key_sealed, is_gift, quota, used_username, ...plain } = row
  return {
    ...plain,
    key: openCode({ key_hash, key_sealed }, cipher),
    quota: wireQuota(quota),
    expired_time: row.valid_until,
    is_gift: is_gift === 1,
    used_username: used_username ?? '',
    count: 0,
    DeletedAt: null,
  }
}

/** The code for the audit trail, without its key. */
export function shownRedemption({ name, quota, status, valid_from, valid_until }: RedemptionRow) {
  return { name, quota, status, valid_from, valid_until }
}
