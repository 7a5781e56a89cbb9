import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'
import type { Traits } from './traits.ts'

export type NumberedTable = 'users' | 'tokens' | 'channels' | 'logs' | 'redemptions' | 'top_ups'

/**
 * Ids that the database gives out from now on are larger than every id in the table and larger than `above`. Needed after
 * rows with ids of their own, and to keep room for some that come later.
 */
export async function raiseNextId(
  db: Kysely<Database>,
  { traits, table, above = 0 }: { traits: Traits; table: NumberedTable; above?: number },
): Promise<void> {
  const { largest } = await db
    .selectFrom(table)
    .select((select) => select.fn.max<number | null>('id').as('largest'))
    .executeTakeFirstOrThrow()
  const last = Math.max(largest ?? 0, above)
  const isKept = traits.engine === 'mysql' && last === largest
  if (last > 0 && !isKept) await raise[traits.engine](db, table, last)
}

type Raise = (db: Kysely<Database>, table: NumberedTable, last: number) => Promise<unknown>

/** None of them lowers the number: others may have been given larger ids meanwhile. */
const raise: Readonly<Record<Traits['engine'], Raise>> = {
  sqlite: async (db, table, last) => {
    await sql`insert into sqlite_sequence (name, seq) select ${table}, 0
      where not exists (select 1 from sqlite_sequence where name = ${table})`.execute(db)
    await sql`update sqlite_sequence set seq = max(seq, ${last}) where name = ${table}`.execute(db)
  },
  postgres: (db, table, last) => {
    const sequence = sql`pg_get_serial_sequence(${table}, 'id')`
    return sql`select setval(${sequence}, greatest(${sql.lit(last)}, nextval(${sequence})))`.execute(db)
  },
  // Above what the table holds the engine keeps it by itself.
  mysql: (db, table, last) =>
    sql`alter table ${sql.table(table)} auto_increment = ${sql.lit(last + 1)}`.execute(db),
}
