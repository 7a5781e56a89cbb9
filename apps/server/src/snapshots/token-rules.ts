import type { PeriodKind } from '@tollgate/kit/calendar-period'
import type { TokenSnapshotRow } from '@tollgate/store/operations/snapshot-reads'
import type { TokenRules } from './snapshots.ts'

type Row = Pick<
  TokenSnapshotRow,
  'rpm_limit' | 'tpm_limit' | 'max_parallel_requests' | 'budget_quota' | 'budget_period'
>

/** `undefined` for tokens without any such limit, which are the majority. */
export function tokenRules(row: Row): TokenRules | undefined {
  const period = periodOf(row.budget_period)
  const rules: TokenRules = {
    callsPerMinute: row.rpm_limit || undefined,
    tokensPerMinute: row.tpm_limit || undefined,
    parallelCalls: row.max_parallel_requests || undefined,
    budget: period && { units: row.budget_quota, period },
  }
  return Object.values(rules).some((rule) => rule !== undefined) ? rules : undefined
}

/** `undefined` when the token has no budget. */
export function periodOf(text: string): PeriodKind | undefined {
  return text === 'day' || text === 'week' || text === 'month' ? text : undefined
}
