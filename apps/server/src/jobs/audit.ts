import type { Ledger } from '@tollgate/ledger/ledger'
import type { Job, JobsLog } from './job.ts'

export const AUDIT_JOB = 'audit'

const DAY_MS = 86_400_000
/**
 * Long enough after a start that the first callers have been served and the lease of a dead process has
 * ended.
 */
const FIRST_MS = 60_000

/** Audits the ledger daily and after a start. A difference is logged and never corrected automatically. */
export function auditJob({ ledger, log }: { ledger: Pick<Ledger, 'audit'>; log: JobsLog }): Job {
  return {
    name: AUDIT_JOB,
    everyMs: DAY_MS,
    firstMs: FIRST_MS,
    runs: 'once',
    run: async () => {
      const { findings, durationMs, accounts, entries } = await ledger.audit()
      const figures = { findings: findings.length, durationMs, accounts, entries }
      if (findings.length === 0) log.info(figures, 'ledger audit: everything balances')
      else log.error({ ...figures, first: findings.slice(0, 10) }, 'ledger audit found differences')
      return { findings: findings.length, accounts, entries }
    },
  }
}

/** Differences that a run found, from its recorded figures; 0 until the first audit. */
export function findingsOf(figures: string | undefined): number {
  if (figures === undefined || figures === '') return 0
  const { findings }: Record<string, unknown> = JSON.parse(figures)
  return typeof findings === 'number' ? findings : 0
}
