import type { ImportResult } from './run-import.ts'

/** The report as JSON for programs. Amounts are strings because they may exceed the range of JSON numbers. */
export function jsonReport(
  { report, sourceId, sourceName, audit, sideFile }: ImportResult,
  { isDryRun }: { isDryRun: boolean },
): string {
  const content = {
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
  return `${JSON.stringify(content, exact, 2)}\n`
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
