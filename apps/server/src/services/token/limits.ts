import type { Token } from '@tollgate/contract/token'
import { periodAt } from '@tollgate/kit/calendar-period'
import { problem } from '@tollgate/problems/problem'
import type { TokenChange, TokenRow } from '@tollgate/store/accounts/tokens'
import { periodOf } from '../../snapshots/token-rules.ts'
import { wireQuota } from '../wire-quota.ts'

/** The limit fields of a token that a caller may set; a missing field stays unchanged. */
export interface LimitFields {
  readonly rpm_limit?: number | undefined
  readonly tpm_limit?: number | undefined
  readonly max_parallel_requests?: number | undefined
  readonly budget_quota?: number | undefined
  readonly budget_period?: Token['budget_period'] | undefined
}

/** The current values of the token. */
export type StoredBudget = Pick<TokenRow, 'budget_quota' | 'budget_period'>

export const NO_BUDGET: StoredBudget = { budget_quota: 0n, budget_period: '' }

/** Returns the columns to write. The schema checks each number; this checks that they fit together. */
export function readLimits(fields: LimitFields, stored: StoredBudget): TokenChange {
  const { rpm_limit, tpm_limit, max_parallel_requests, budget_period } = fields
  const budget_quota = fields.budget_quota === undefined ? undefined : BigInt(fields.budget_quota)
  const period = budget_period ?? stored.budget_period
  if (period !== '' && (budget_quota ?? stored.budget_quota) === 0n) throw problem('token_budget_missing')
  return {
    ...(rpm_limit !== undefined && { rpm_limit }),
    ...(tpm_limit !== undefined && { tpm_limit }),
    ...(max_parallel_requests !== undefined && { max_parallel_requests }),
    ...(budget_quota !== undefined && { budget_quota }),
    ...(budget_period !== undefined && { budget_period }),
  }
}

type Limits = Pick<
  Token,
  | 'rpm_limit'
  | 'tpm_limit'
  | 'max_parallel_requests'
  | 'open_requests'
  | 'budget_quota'
  | 'budget_period'
  | 'budget_used'
  | 'budget_reset_time'
>

/** A token's limits and their current usage. */
export function wireLimits(row: TokenRow, nowMs: number): Limits {
  const kind = periodOf(row.budget_period)
  const period = kind && periodAt(kind, nowMs)
  return {
    rpm_limit: row.rpm_limit,
    tpm_limit: row.tpm_limit,
    max_parallel_requests: row.max_parallel_requests,
    open_requests: row.open_holds ?? 0,
    budget_quota: wireQuota(row.budget_quota),
    budget_period: kind ?? '',
    budget_used: period ? wireQuota(spentSince(row, period.sinceMs)) : 0,
    budget_reset_time: period ? Math.floor(period.untilMs / 1000) : 0,
  }
}

/**
 * Usage of the budget as the ledger counts it, but never negative: a refund for an earlier period may exceed
 * it.
 */
function spentSince(row: TokenRow, sinceMs: number): bigint {
  const reserved = row.reserved ?? 0n
  const isCounted = (row.budget_since_ms ?? 0) >= sinceMs
  const spent = isCounted ? (row.used ?? 0n) - (row.budget_base ?? 0n) + reserved : reserved
  return spent > 0n ? spent : 0n
}
