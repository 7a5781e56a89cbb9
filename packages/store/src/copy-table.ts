import { type Kysely, sql } from 'kysely'
import type { CopiedTable } from './copied-tables.ts'
import { portions } from './portions.ts'
import type { Database } from './schema.ts'

/** A row as the store reads and writes it on every engine. */
export type CopiedRow = Readonly<Record<string, unknown>>

type Table = Pick<CopiedTable, 'name' | 'by' | 'isGrouped' | 'rowsAtOnce'>

export interface TableCopy {
  readonly from: Kysely<Database>
  readonly to: Kysely<Database>
  readonly table: Table
  /** What becomes of a row on its way; its place in the order stays. */
  readonly change?: ((row: CopiedRow) => CopiedRow) | undefined
  readonly onRows: (count: number) => void
}

/**
 * Copies a table in its order. Begun again after it was cut off, it goes on behind what is there; the source must be the
 * same and nobody else may write the target.
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

export async function countRows(db: Kysely<Database>, table: keyof Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(table)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** The largest value of the column by which the table is read; nothing when it is empty. */
export async function lastOf(db: Kysely<Database>, { name, by }: Pick<Table, 'name' | 'by'>) {
  const { rows } = await sql<{ last: string | number | null }>`
    select max(${sql.ref(by)}) as last from ${sql.table(name)}`.execute(db)
  return rows[0]?.last ?? undefined
}

/** All of them have the columns of the first. */
export async function insertRows(
  db: Kysely<Database>,
  table: keyof Database,
  rows: readonly CopiedRow[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  const columns = names.map((name) => sql.ref(name))
  for (const portion of portions(rows)) {
    const values = portion.map((row) => sql`(${sql.join(names.map((name) => row[name]))})`)
    await sql`insert into ${sql.table(table)} (${sql.join(columns)}) values ${sql.join(values)}`.execute(db)
  }
}

function same(row: CopiedRow): CopiedRow {
  return row
}

/** It may have been cut off in the middle. */
async function removeLastGroup(db: Kysely<Database>, table: Table): Promise<void> {
  const last = await lastOf(db, table)
  if (last === undefined) return
  await sql`delete from ${sql.table(table.name)} where ${sql.ref(table.by)} = ${last}`.execute(db)
}

/** Whole groups, so that the next rows begin behind the last of these. */
async function nextRows(db: Kysely<Database>, table: Table, after: unknown): Promise<readonly CopiedRow[]> {
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
