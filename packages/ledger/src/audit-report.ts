import type { AccountId, Balance } from './account.ts'

/**
 * Rules that the audit checks:
 * - I1: granted + debt = remaining + reserved + used.
 * - I2: no part is negative, and there is no debt while quota remains.
 * - I3: reserved quota, open holds and granted quota match the holds, allotments and entries, whose accounts exist.
 * - I4: used quota and totals match the entries.
 * - I5: operation keys are unique.
 * - I6: no charge exceeds its ceiling without being flagged, and exposed quota matches the holds.
 * - I8: no hold outlives its call, and no allotment its process.
 * - I9: a settled entry recomputes to the charged amount from its own JSON.
 * - I10: amounts are not negative, and a hold is within its ceiling.
 * - I11: a process without calls in flight, which has folded nothing for a while, can spend all that is set aside for it.
 * I7 (an operation is durable before its reply) cannot be checked from the tables.
 */
export type AuditRule = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I8' | 'I9' | 'I10' | 'I11'

export interface AuditFinding {
  readonly rule: AuditRule
  readonly account?: AccountId
  readonly detail: string
}

export interface AuditReport {
  readonly accounts: number
  readonly entries: number
  readonly holds: number
  readonly totals: Omit<Balance, 'allotted' | 'free' | 'exposed' | 'hasPaid' | 'unlimited' | 'version'>
  readonly findings: readonly AuditFinding[]
  readonly durationMs: number
}
