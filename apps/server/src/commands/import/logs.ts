import { mapLog } from '@tollgate/importer/map-log'
import { knowsCheckIns } from '@tollgate/importer/shape'
import type { Source } from '@tollgate/importer/source'
import { insertLogs } from '@tollgate/store/transfer/imported-rows'
import { raiseNextId } from '@tollgate/store/database/next-id'
import type { Db } from '@tollgate/store/tables/schema'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import { BATCH_ROWS, type ImportContext, doneMark } from './import-context.ts'

const TABLE = 'logs'

/** A database with log rows: the main one, or the separate one that the source split its log off to. */
export interface LogSource {
  readonly source: Source
  /** Becomes part of the request ids, so that rows of the two databases do not collide. */
  readonly name: string
  /** Added to the ids of the rows. */
  readonly offset: number
}

export async function logSources(main: Source, split: Source | undefined): Promise<readonly LogSource[]> {
  const first = { source: main, name: 'logs', offset: 0 }
  return split ? [first, { source: split, name: 'split-logs', offset: await main.largestId(TABLE) }] : [first]
}

/**
 * Reserves the ids of the source's log rows while the log here is empty. Lists are ordered by id, so rows
 * that are imported later still come before the new ones.
 */
export async function reserveLogIds(context: ImportContext, sources: readonly LogSource[]): Promise<void> {
  const { db, writing } = context
  const name = doneMark(context, RESERVED)
  if (!writing || (await readWatermark(db, name)) > 0 || (await hasLogs(db))) return
  const ends = await Promise.all(sources.map(async (one) => one.offset + (await one.source.largestId(TABLE))))
  const above = Math.max(0, ...ends)
  if (above === 0) return
  await raiseNextId(db, { traits: writing.traits, table: TABLE, above })
  await writeWatermark(db, { name, position: above })
}

const RESERVED = 'reserved-log-ids'

async function hasLogs(db: Db): Promise<boolean> {
  return (await db.selectFrom('logs').select('id').limit(1).executeTakeFirst()) !== undefined
}

/**
 * Imports log rows and continues where an earlier run stopped. Each batch and its watermark are written in
 * one transaction.
 */
export async function importLogs(context: ImportContext, sources: readonly LogSource[]): Promise<void> {
  const reserved = await readWatermark(context.db, doneMark(context, RESERVED))
  for (const one of sources) await passOne(context, one, reserved)
}

async function passOne(
  context: ImportContext,
  { source, name, offset }: LogSource,
  reserved: number,
): Promise<void> {
  const { db, report, progress, writing } = context
  const tally = report.tally(TABLE)
  const mark = doneMark(context, name)
  const done = await readWatermark(db, mark)
  const total = await source.count(TABLE)
  tally.read += total
  const options = { sourceId: `${context.sourceId}:${name}`, knowsCheckIns: knowsCheckIns(context.source) }
  let passed = 0
  progress.start(TABLE, total)
  for await (const rows of source.pages(TABLE, { after: done, rowsMax: BATCH_ROWS })) {
    const mapped = rows.map((row) => {
      const id = offset + Number(row['id'])
      return { ...mapLog(row, options), ...(id <= reserved && { id }) }
    })
    if (writing)
      await db.transaction().execute(async (transaction) => {
        await insertLogs(transaction, mapped)
        await writeWatermark(transaction, { name: mark, position: Number(rows.at(-1)?.['id'] ?? done) })
      })
    passed += rows.length
    progress.advance(rows.length)
  }
  progress.end()
  tally.written += passed
  tally.known += total - passed
  if (writing) await raiseNextId(db, { traits: writing.traits, table: TABLE })
}
