import { sortNotes } from './note-order.ts'
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
    notes: sortNotes(report.notes).map(([code, { count, examples }]) => ({
      code,
      count,
      examples,
    })),
    losses: report.losses,
    sideFile,
    findings: audit?.findings,
  }
}
