import { NOTE_CODES, type Note } from '@tollgate/importer/note'
import type { AccountKind } from '@tollgate/ledger/account'
import type { ImportResult } from './run-import.ts'
import type { Report } from './report.ts'
import { printLossLines, printRestLines } from './print-losses.ts'
import { sortNotes } from './note-order.ts'

const EXAMPLES_SHOWN = 5

/** Formats for the terminal what an import did, or on a dry run what it would do. */
export function printReport(result: ImportResult, { isDryRun }: { isDryRun: boolean }): readonly string[] {
  const { report, sourceId, sourceName, audit } = result
  return [
    `${isDryRun ? 'This is what an import would do. ' : ''}From ${sourceName}, installation ${sourceId}`,
    '',
    ...tableLines(report, isDryRun),
    ...openedLines(report, isDryRun),
    ...noteLines(report),
    ...leftOutLines(result),
    '',
    ...(audit ? [auditLine(audit)] : ['Nothing was written.']),
    ...(!isDryRun && !report.hasWritten ? ['Everything was here already: nothing changed.'] : []),
  ]
}

function tableLines({ tables, derived }: Report, isDryRun: boolean): readonly string[] {
  const titles = ['', 'read', isDryRun ? 'new' : 'written', 'here already', 'left out']
  const rows = [...tables].map(([table, { read, written, known, skipped }]) => [
    table,
    ...[read, written, known, skipped].map(digits),
  ])
  const made = [...derived].map(([table, count]) => `${table}: ${digits(count)} rows, made anew here`)
  return [...[titles, ...rows].map(columns), ...made]
}

function columns([first = '', ...others]: readonly string[]): string {
  return [first.padEnd(16), ...others.map((text) => text.padStart(14))].join('')
}

const KINDS: Readonly<Record<AccountKind, string>> = {
  user: 'users',
  token: 'tokens',
  affiliate: 'rewards',
}

function openedLines({ opened }: Report, isDryRun: boolean): readonly string[] {
  const verb = isDryRun ? 'would be opened with' : 'opened, each read back and equal to the source:'
  return [...opened].map(
    ([kind, { accounts, remaining, used }]) =>
      `${digits(accounts)} accounts of ${KINDS[kind]} ${verb} ${digits(remaining)} units to spend, ${digits(used)} used`,
  )
}

function noteLines({ notes, losses }: Report): readonly string[] {
  const lost = printLossLines(losses)
  if (notes.size === 0 && lost.length === 0) return []
  const lines = sortNotes(notes).flatMap(([code, { count, examples }]) => [
    `- ${digits(count)} ${NOTE_CODES[code]}`,
    ...examples.slice(0, EXAMPLES_SHOWN).map((note) => `    ${describe(note)}`),
    ...(count > EXAMPLES_SHOWN ? [`    … and ${digits(count - EXAMPLES_SHOWN)} more`] : []),
  ])
  return ['', 'To look at:', ...lost, ...lines]
}

function describe({ table, id, detail }: Note): string {
  return `${table} ${id}: ${detail}`
}

function leftOutLines({ report: { losses }, sideFile }: ImportResult): readonly string[] {
  return [
    ...printRestLines(losses),
    ...(sideFile === undefined
      ? []
      : [`Whatever was left out is in ${sideFile}. It holds secrets: keep it safe.`]),
  ]
}

function auditLine({ accounts, entries, findings }: NonNullable<ImportResult['audit']>): string {
  const size = `${digits(accounts)} accounts, ${digits(entries)} entries`
  return findings.length === 0
    ? `The books balance: ${size}.`
    : `The books do not balance: ${findings.length} findings over ${size}; see tollgate audit.`
}

function digits(value: number | bigint): string {
  return value.toLocaleString('en')
}
