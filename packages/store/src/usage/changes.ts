import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'
import {
  type SumRow,
  type SumTable,
  type SumsAt,
  SUM_COLUMNS,
  keyColumns,
  nameOf,
  readSums,
  refs,
} from './aggregation.ts'
import type { RollupLock } from './rollup-lock.ts'

/**
 * Updates tables of sums to the wanted rows, in slices. Each row is replaced as a whole: between two slices,
 * and after a crash, every sum has either its old or its new value, and repeating the update does the rest.
 */

/**
 * Number of rows changed in one transaction. It takes a few milliseconds, during which calls that hold or
 * settle may have to wait.
 */
const ROWS_AT_ONCE = 200

export interface SumChange {
  readonly table: SumTable
  readonly at: number
  readonly key: SumRow['key']
  /** Whether a row with this key exists and has to be deleted. */
  readonly isThere: boolean
  /** The new sums; `undefined` when the row is only deleted. */
  readonly sums: SumRow['sums'] | undefined
}

interface Wanted extends SumsAt {
  readonly table: SumTable
  readonly rows: readonly SumRow[]
}

/** The changes after which the table has exactly `rows` for that time and those users. */
export async function changesTo(db: Db, { table, at, userIds, rows }: Wanted): Promise<readonly SumChange[]> {
  const known = await readSums(db, table, { at, userIds })
  const there = new Map(known.map(({ key, sums }) => [nameOf(key), { key, sums }]))
  const changes: SumChange[] = []
  for (const { key, sums } of rows) {
    const name = nameOf(key)
    const old = there.get(name)
    there.delete(name)
    if (!old || old.sums.some((sum, place) => sum !== sums[place]))
      changes.push({ table, at, key, isThere: old !== undefined, sums })
  }
  for (const { key } of there.values()) changes.push({ table, at, key, isThere: true, sums: undefined })
  return changes
}

export interface ChangeSteps {
  readonly changes: readonly SumChange[]
  /** Runs in the transaction of the first slice. If it returns false, nothing is changed. */
  readonly mayBegin?: (transaction: Db) => Promise<boolean>
  /** Runs in the transaction of the last slice. */
  readonly finish?: (transaction: Db) => Promise<void>
}

export async function applyChanges(
  lock: RollupLock,
  { changes, mayBegin, finish }: ChangeSteps,
): Promise<void> {
  let from = 0
  do {
    const slice = changes.slice(from, from + ROWS_AT_ONCE)
    const [isFirst, isLast] = [from === 0, from + ROWS_AT_ONCE >= changes.length]
    const isRefused = await lock.run(async (transaction) => {
      if (isFirst && mayBegin && !(await mayBegin(transaction))) return true
      await applySlice(transaction, slice)
      if (isLast) await finish?.(transaction)
      return false
    })
    if (isRefused) return
    from += ROWS_AT_ONCE
  } while (from < changes.length)
}

async function applySlice(transaction: Db, slice: readonly SumChange[]): Promise<void> {
  for (const change of slice) if (change.isThere) await removeRow(transaction, change)
  for (const table of new Set(slice.map((change) => change.table))) {
    const rows = slice.filter((change) => change.table === table).flatMap(valuesOf)
    if (rows.length > 0)
      await sql`insert into ${sql.table(table)} (hour_at, ${refs([...keyColumns(table), ...SUM_COLUMNS])})
        values ${sql.join(rows)}`.execute(transaction)
  }
}

function valuesOf({ at, key, sums }: SumChange) {
  return sums ? [sql`(${sql.join([at, ...key, ...sums])})`] : []
}

async function removeRow(transaction: Db, { table, at, key }: SumChange): Promise<void> {
  const matches = keyColumns(table).map((name, place) => sql`${sql.ref(name)} = ${key[place]}`)
  await sql`delete from ${sql.table(table)} where hour_at = ${at} and ${sql.join(matches, sql` and `)}`.execute(
    transaction,
  )
}
