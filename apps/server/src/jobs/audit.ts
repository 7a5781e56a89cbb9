import type { Ledger } from '@tollgate/ledger/ledger'
import type { Job, JobsLog } from './job.ts'

const DAY_MS = 86_400_000
/** After a start, when the first callers have been served and a dead process's turn has ended. */
const FIRST_MS = 60_000

/** Whether the books balance: daily, and after a start. A difference is told, and never mended by itself. */
export function auditJob({ ledger, log }: { ledger: Pick<Ledger, 'audit'>; log: JobsLog }): Job {
  return {
    name: 'audit',
    everyMs: DAY_MS,
    firstMs: FIRST_MS,
    runs: 'once',
    run: async () => {
      const { findings, durationMs, accounts, entries } = await ledger.audit()
      const figures = { findings: findings.length, durationMs, accounts, entries }
      if (findings.length === 0) log.info(figures, 'the books balance')
      else log.error({ ...figures, first: findings.slice(0, 10) }, 'the audit found differences')
    },
  }
}
