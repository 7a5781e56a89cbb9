import type { Note, NoteCode } from '@tollgate/importer/note'
import type { SourceRow } from '@tollgate/importer/source'
import type { Db } from '@tollgate/store/tables/schema'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import { BATCH_ROWS, type ImportContext, doneMark } from './import-context.ts'

/** A row of the source on its way to this database, or the reason why it is left out. */
export interface Candidate<Row> {
  readonly id: number
  readonly row: Row
  readonly refusal: NoteCode | undefined
  /** Identifies the row to a person who reads the report. */
  readonly name: string
  readonly notes: readonly Note[]
}

export interface RowImport<Row> {
  /** Table name in the source. */
  readonly table: string
  readonly map: (row: SourceRow) => Candidate<Row>
  /** The table is part of every source, and of the report also when it is empty. */
  readonly isMain?: boolean
  /** Called before a batch is written, with its rows that are not left out, also those of an earlier run. */
  readonly onBatch?: (rows: readonly Row[]) => Promise<void>
  /** Finds rows in this database that conflict, each described in a few words. */
  readonly findForeign: (db: Db, fresh: readonly Row[]) => Promise<readonly string[]>
  readonly insert: (db: Db, fresh: readonly Row[]) => Promise<void>
}

/**
 * Imports rows that are written once and never updated. Each batch and its watermark are one transaction, so
 * that an interrupted run continues where it stopped. Rows that are left out are reported and written to the
 * side file at every run.
 */
export async function importRows<Row>(context: ImportContext, pass: RowImport<Row>): Promise<void> {
  const { source, db, report, progress } = context
  const { table } = pass
  const total = await source.count(table)
  if (total === 0 && !pass.isMain) return
  const mark = doneMark(context, table)
  const done = await readWatermark(db, mark)
  const tally = report.tally(table)
  progress.start(table, total)
  for await (const rows of source.pages(table, { rowsMax: BATCH_ROWS })) {
    const kept = await sort(context, pass, rows)
    const fresh = kept.filter(({ id }) => id > done)
    await refuseForeign(context, pass, fresh)
    await pass.onBatch?.(kept.map(({ row }) => row))
    await write(context, pass, { fresh, mark })
    tally.read += rows.length
    tally.skipped += rows.length - kept.length
    tally.written += fresh.length
    tally.known += kept.length - fresh.length
    progress.advance(rows.length)
  }
  progress.end()
}

async function sort<Row>(
  { report, writing }: ImportContext,
  { table, map }: RowImport<Row>,
  rows: readonly SourceRow[],
): Promise<readonly Candidate<Row>[]> {
  const kept: Candidate<Row>[] = []
  for (const row of rows) {
    const candidate = map(row)
    const { id, refusal, name } = candidate
    if (refusal === undefined) {
      report.note(...candidate.notes)
      kept.push(candidate)
    } else {
      report.note({ table, id, code: refusal, detail: name })
      await writing?.sideFile.add(table, row, refusal)
    }
  }
  return kept
}

async function refuseForeign<Row>(
  { db, report }: ImportContext,
  { findForeign }: RowImport<Row>,
  fresh: readonly Candidate<Row>[],
): Promise<void> {
  if (fresh.length === 0) return
  const rows = fresh.map(({ row }) => row)
  report.obstacles.push(...(await findForeign(db, rows)))
}

async function write<Row>(
  { db, writing }: ImportContext,
  { insert }: RowImport<Row>,
  { fresh, mark }: { fresh: readonly Candidate<Row>[]; mark: string },
): Promise<void> {
  const last = fresh.at(-1)
  if (!writing || !last) return
  const rows = fresh.map(({ row }) => row)
  await db.transaction().execute(async (transaction) => {
    await insert(transaction, rows)
    await writeWatermark(transaction, { name: mark, position: last.id })
  })
}
