import { sql } from 'kysely'
import type { Database, Db } from '../tables/schema.ts'
import type { Traits } from './traits.ts'

/** Tables whose ids the database assigns. The id column is `id`, except in `price_books`. */
export type NumberedTable = keyof Database

/**
 * Makes the database assign ids larger than every id in the table and larger than `above`. Needed after rows
 * were inserted with their own ids, and to reserve ids for rows that follow later.
 */
export async function raiseNextId(
  db: Db,
  { traits, table, above = 0 }: { traits: Traits; table: NumberedTable; above?: number },
): Promise<void> {
  const { rows } = await sql<{ largest: number | null }>`
    select max(${sql.ref(idColumn(table))}) as largest from ${sql.table(table)}`.execute(db)
  const largest = rows[0]?.largest ?? 0
  const last = Math.max(largest, above)
  const isReserved = traits.engine === 'mysql' && last === largest
  if (last > 0 && !isReserved) await raise[traits.engine](db, table, last)
}

type Raise = (db: Db, table: NumberedTable, last: number) => Promise<unknown>

/**
 * None of these lowers the next id, because another process may have been assigned a larger one meanwhile.
 */
const raise: Readonly<Record<Traits['engine'], Raise>> = {
  sqlite: async (db, table, last) => {
    await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db)
    await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(db)
  },
  postgres: (db, table, last) => {
    const sequence = sql`pg_get_serial_sequence(${table}, ${idColumn(table)})`
    return sql`select setval(${sequence}, greatest(${sql.lit(last)}, nextval(${sequence})))`.execute(db)
  },
  // MySQL never sets `auto_increment` below the largest id in the table.
  mysql: (db, table, last) =>
    sql`alter table ${sql.table(table)} auto_increment = ${sql.lit(last + 1)}`.execute(db),
}

/** The last id that the database assigned, even if its row is gone; zero when there was none. */
export async function readLastId(
  db: Db,
  { traits, table }: { traits: Traits; table: NumberedTable },
): Promise<number> {
  return lastGiven[traits.engine](db, table)
}

type LastGiven = (db: Db, table: NumberedTable) => Promise<number>

const lastGiven: Readonly<Record<Traits['engine'], LastGiven>> = {
  sqlite: async (db, table) => {
    const { rows } = await sql<{ last: number }>`
      select seq as last from sqlite_sequence where name = ${table}`.execute(db)
    return rows[0]?.last ?? 0
  },
  postgres: async (db, table) => {
    const { rows } = await sql<{ last: number | null }>`
      select pg_sequence_last_value(pg_get_serial_sequence(${table}, ${idColumn(table)})::regclass) as last`.execute(
      db,
    )
    return rows[0]?.last ?? 0
  },
  // MySQL's statistics may be a day old; `show create table` has the current value.
  mysql: async (db, table) => {
    const { rows } = await sql<Record<string, string>>`show create table ${sql.table(table)}`.execute(db)
    const next = /\bAUTO_INCREMENT=(\d+)/.exec(rows[0]?.['Create Table'] ?? '')?.[1]
    return next === undefined ? 0 : Number(next) - 1
  },
}

function idColumn(table: NumberedTable): string {
  return table === 'price_books' ? 'version' : 'id'
}
