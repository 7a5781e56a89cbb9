import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'
import type { LogTextTable } from '../tables/logs.ts'
import { engineOf } from '../database/traits.ts'

/**
 * Prompts and responses of calls, stored beside the rows of the usage log in the same database. They are
 * encrypted, and this module cannot decrypt them.
 */

/** The context string that binds an encrypted text to its request. */
export function logTextContext(requestId: string): string {
  return `log-text:${requestId}`
}

/** A call that already has a text keeps it. */
export async function insertLogTexts(db: Db, rows: readonly LogTextTable[]): Promise<void> {
  if (rows.length === 0) return
  const insert = db.insertInto('log_texts').values([...rows])
  const unlessKnown =
    engineOf(db) === 'mysql'
      ? insert.onDuplicateKeyUpdate({ request_id: sql.ref('request_id') })
      : insert.onConflict((conflict) => conflict.column('request_id').doNothing())
  await unlessKnown.execute()
}

/** Encrypted texts by request id. Calls without a text are not in the map. */
export async function readLogTexts(
  db: Db,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (requestIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('log_texts')
    .select(['request_id', 'sealed'])
    .where('request_id', 'in', requestIds)
    .execute()
  return new Map(rows.map(({ request_id: id, sealed }) => [id, sealed]))
}

/**
 * Removes the oldest texts from before a time, at most `limit`, and returns how many. Repeat until fewer than
 * `limit` were removed.
 */
export async function removeLogTextsBefore(
  db: Db,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom('log_texts')
    .select('request_id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  if (rows.length === 0) return 0
  const ids = rows.map(({ request_id: id }) => id)
  await db.deleteFrom('log_texts').where('request_id', 'in', ids).execute()
  return rows.length
}

export interface TextsOf {
  readonly userIds: readonly number[]
  /** In seconds. Everything older was already processed. */
  readonly from: number
  readonly limit: number
}

/**
 * Removes the oldest texts of some users from a time on, at most `limit`. Returns the time to continue from,
 * or `undefined` at the end.
 */
export async function removeLogTextsOf(
  db: Db,
  { userIds, from, limit }: TextsOf,
): Promise<number | undefined> {
  const rows = await db
    .selectFrom('log_texts')
    .select(['request_id', 'created_at'])
    .where('created_at', '>=', from)
    .where('user_id', 'in', userIds)
    .orderBy('created_at')
    .limit(limit)
    .execute()
  if (rows.length === 0) return undefined
  const ids = rows.map(({ request_id: id }) => id)
  await db.deleteFrom('log_texts').where('request_id', 'in', ids).execute()
  return rows.length < limit ? undefined : rows.at(-1)?.created_at
}
