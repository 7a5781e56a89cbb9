import { type Kysely, sql } from 'kysely'
import type { Database, UsageLogRow } from './schema.ts'
import { engineOf } from './traits.ts'

/** Rows that no ledger entry brings: calls refused before they had a hold. A request id already there is left alone. */
export async function insertLogRows(db: Kysely<Database>, rows: readonly UsageLogRow[]): Promise<void> {
  if (rows.length === 0) return
  const insert = db.insertInto('logs').values([...rows])
  const unlessKnown =
    engineOf(db) === 'mysql'
      ? // `insert ignore` would also trim what is too long; this changes nothing, and only where the row is known.
        insert.onDuplicateKeyUpdate({ request_id: sql.ref('request_id') })
      : insert.onConflict((conflict) => conflict.column('request_id').doNothing())
  await unlessKnown.execute()
}
