import type { Store } from '@tollgate/store/open-store'
import { type RawBuilder, sql } from 'kysely'

/** What says how far the schema has come. */
const SCHEMA = 'schema_migration'
/** Others refer to its rows: it goes last. */
const REFERRED = 'account'

/**
 * Makes a database of ours as if it had just been made: no rows, and numbers that begin with 1 again. On a server that
 * is a tenth of the work of making one. Nobody else may be in a transaction over it.
 */
export async function emptyTables({ db, traits }: Store): Promise<void> {
  const names = (await db.introspection.getTables()).map(({ name }) => name).filter((name) => name !== SCHEMA)
  const questions = names.map(
    (name) =>
      sql`select ${sql.lit(name)} as name, case when exists (select 1 from ${sql.table(name)}) then 'yes' else 'no' end as filled`,
  )
  const all = sql<{ name: string; filled: string }>`${sql.join(questions, sql` union all `)}`
  const filled = (await all.execute(db)).rows.filter((row) => row.filled === 'yes').map(({ name }) => name)
  for (const name of filled.toSorted((a, b) => Number(a === REFERRED) - Number(b === REFERRED)))
    for (const statement of emptying[traits.engine](name)) await statement.execute(db)
}

const emptying: Readonly<Record<Store['traits']['engine'], (name: string) => RawBuilder<unknown>[]>> = {
  sqlite: (name) => [
    sql`delete from ${sql.table(name)}`,
    sql`delete from sqlite_sequence where name = ${name}`,
  ],
  postgres: (name) => [sql`truncate ${sql.table(name)} restart identity cascade`],
  mysql: (name) => [
    sql`delete from ${sql.table(name)}`,
    sql`alter table ${sql.table(name)} auto_increment = 1`,
  ],
}
