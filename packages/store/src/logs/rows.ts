import { sql } from 'kysely'
import { batchesBySize } from '../database/batches-by-size.ts'
import type { Db } from '../tables/schema.ts'
import type { UsageLogRow } from '../tables/logs.ts'
import { engineOf } from '../database/traits.ts'

/**
 * Inserts rows that have no ledger entry: calls that were rejected before they had a hold. A row whose
 * request id exists is left unchanged.
 */
export async function insertLogRows(db: Db, rows: readonly UsageLogRow[]): Promise<void> {
  for (const portion of batchesBySize([...rows])) await insertPortion(db, portion)
}

async function insertPortion(db: Db, rows: readonly UsageLogRow[]): Promise<void> {
  const insert = db.insertInto('logs').values([...rows])
  const unlessKnown =
    engineOf(db) === 'mysql'
      ? // `insert ignore` would also truncate values that are too long. This update changes nothing and runs only when the row exists.
        insert.onDuplicateKeyUpdate({ request_id: sql.ref('request_id') })
      : insert.onConflict((conflict) => conflict.column('request_id').doNothing())
  await unlessKnown.execute()
}

/** The columns that only calls fill, for rows of something else. */
export const rowWithoutCall = {
  token_id: 0,
  token_name: '',
  model_name: '',
  quota: 0n,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  is_stream: 0,
  channel_id: 0,
} as const
