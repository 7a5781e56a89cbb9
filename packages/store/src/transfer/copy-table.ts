import { sql } from 'kysely'
import type { CopiedTable } from './copied-tables.ts'
import { batchesBySize } from '../database/batches-by-size.ts'
import type { Database, Db } from '../tables/schema.ts'

/** A row as the store reads and writes it on every engine. */
export type CopiedRow = Readonly<Record<string, unknown>>

type Table = Pick<CopiedTable, 'name' | 'by' | 'isGrouped' | 'rowsAtOnce'>

export interface TableCopy {
  readonly from: Db
  readonly to: Db
  readonly table: Table
  /** Transforms a row before it is inserted. It must not change the order of the rows. */
  readonly change?: ((row: CopiedRow) => CopiedRow) | undefined
  readonly onRows: (count: number) => void
}

/**
 * Copies a table in the order of its `by` column. A copy that was interrupted can be run again: it continues
 * after the last row in the target. The source must be the same, and no other process may write to the
 * target.
 */
export async function copyTable({ from, to, table, change = same, onRows }: TableCopy): Promise<void> {
  if (table.isGrouped) await removeLastGroup(to, table)
  let after: unknown = await lastOf(to, table)
  if (after !== undefined) onRows(await countRows(to, table.name))
  for (;;) {
    const rows = await nextRows(from, table, after)
    const last = rows.at(-1)
    if (!last) return
    for (let start = 0; start < rows.length; start += table.rowsAtOnce) {
      const batch = rows.slice(start, start + table.rowsAtOnce)
      await insertRows(to, table.name, batch.map(change))
      onRows(batch.length)
    }
    after = last[table.by]
  }
}

export async function countRows(db: Db, table: keyof Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The largest value of the column by which the table is read; `undefined` when the table is empty. */
export async function lastOf(db: Db, { name, by }: Pick<Table, 'name' | 'by'>) {
  const { rows } = await sql<{ last: string | number | null }>`
    select max(${sql.ref(by)}) as last from ${sql.table(name)}`.execute(db)
  return rows[0]?.last ?? undefined
}

/** All rows must have the columns of the first one. */
export async function insertRows(db: Db, table: keyof Database, rows: readonly CopiedRow[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  const columns = names.map((name) => sql.ref(name))
  for (const portion of batchesBySize(rows)) {
    const values = portion.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`)
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values ${sql.join(values)}`.execute(db)
  }
}

function same(row: CopiedRow): CopiedRow {
  return row
}

/** Removes the last group, because an interrupted copy may have inserted only a part of it. */
async function removeLastGroup(db: Db, table: Table): Promise<void> {
  const last = await lastOf(db, table)
  if (last === undefined) return
  await sql`delete from ${sql.table(table.name)} where ${sql.ref(table.by)} = ${last}`.execute(db)
}

/** Returns whole groups only, so that the next read starts after the last group of this one. */
async function nextRows(db: Db, table: Table, after: unknown): Promise<readonly CopiedRow[]> {
  const { isGrouped, rowsAtOnce, name, by } = table
  const column = sql.ref(by)
  const condition = after === undefined ? sql`` : sql`where ${column} > ${after}`
  const { rows } = await sql<CopiedRow>`
    select * from ${sql.table(name)} ${condition} order by ${column} limit ${rowsAtOnce}`.execute(db)
  const last = rows.at(-1)?.[by]
  if (!isGrouped || rows.length < rowsAtOnce) return rows
  const group = await sql<CopiedRow>`
    select * from ${sql.table(name)} where ${column} = ${last}`.execute(db)
  return [...rows.filter((row) => row[by] !== last), ...group.rows]
}
