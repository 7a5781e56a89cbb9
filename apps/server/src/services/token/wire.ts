import { NEVER_EXPIRES, type Token } from '@tollgate/contract/token'
import type { Clock } from '@tollgate/kit/clock'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import type { TokenRow } from '@tollgate/store/accounts/tokens'
import { wireQuota } from '../wire-quota.ts'
import { wireLimits } from './limits.ts'
import type { TokenRefusal } from './refused-today.ts'

/**
 * A stored token in new-api's response format. The key is the preview; `shown-keys.ts` decides who gets more.
 */
export function toWireToken(row: TokenRow, clock: Clock, refused?: TokenRefusal): Token {
  const { rest, overrun } = splitRest(availableQuota(row))
  return {
    id: row.id,
    user_id: row.user_id,
    key: row.key_preview,
    status: tokenStatus(row, clock),
    name: row.name,
    created_time: row.created_time,
    accessed_time: Math.max(row.accessed_time, Math.floor((row.last_ms ?? 0) / 1000)),
    expired_time: row.expired_time,
    remain_quota: wireQuota(rest),
    overrun_quota: row.unlimited_quota === 1 ? 0 : wireQuota(overrun),
    unlimited_quota: row.unlimited_quota === 1,
    model_limits_enabled: row.model_limits_enabled === 1,
    model_limits: row.model_limits,
    allow_ips: row.allow_ips,
    used_quota: wireQuota(row.used ?? 0n),
    group: row.group_name,
    group_order: row.group_order,
    auto_groups: row.group_order === '' ? null : row.group_order.split(','),
    cross_group_retry: row.cross_group_retry === 1,
    ...wireLimits(row, clock.nowMs()),
    refused_today: refused?.count ?? 0,
    refused_reason: refused?.reason ?? '',
    DeletedAt: null,
  }
}

/** What can be spent, and what was spent beyond that: one of them is zero. */
export function splitRest(available: bigint): { readonly rest: bigint; readonly overrun: bigint } {
  return available < 0n ? { rest: 0n, overrun: -available } : { rest: available, overrun: 0n }
}

/** Quota that can be spent now; negative while a debt is open. */
export function availableQuota(row: Pick<TokenRow, 'remaining' | 'debt'>): bigint {
  return (row.remaining ?? 0n) - (row.debt ?? 0n)
}

type StatusInput = Pick<
  TokenRow,
  'status' | 'expired_time' | 'unlimited_quota' | 'remaining' | 'reserved' | 'debt'
>

/**
 * Expired and exhausted are derived from the current time and balance, so a list never shows a dead token as
 * enabled.
 */
export function tokenStatus(row: StatusInput, clock: Clock): number {
  if (row.status !== TOKEN_STATUS.enabled) return row.status
  if (isExpired(row, clock)) return TOKEN_STATUS.expired
  return isExhausted(row) ? TOKEN_STATUS.exhausted : TOKEN_STATUS.enabled
}

export function isExpired({ expired_time: time }: Pick<TokenRow, 'expired_time'>, clock: Clock): boolean {
  return time !== NEVER_EXPIRES && time * 1000 <= clock.nowMs()
}

/** Quota held for calls in flight is not spent yet, so a token with holds is not exhausted. */
export function isExhausted(row: Omit<StatusInput, 'status' | 'expired_time'>): boolean {
  return row.unlimited_quota === 0 && availableQuota(row) + (row.reserved ?? 0n) <= 0n
}
