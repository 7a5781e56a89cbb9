import type { ImportResult } from './run-import.ts'

/** The report for programs. */
export function jsonReport(
  { report, sourceId, sourceName, audit, sideFile }: ImportResult,
  { isDryRun }: { isDryRun: boolean },
): unknown {
  return {
    isDryRun,
    sourceId,
    sourceName,
    tables: Object.fromEntries(report.tables),
    derived: Object.fromEntries(report.derived),
    opened: Object.fromEntries(report.opened),
    notes: [...report.notes].map(([code, { count, examples }]) => ({ code, count, examples })),
    unread: Object.fromEntries(report.unread),
    sideFile,
    findings: audit?.findings,
  }
}
