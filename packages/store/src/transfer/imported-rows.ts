import { type InsertObject, type Insertable, sql } from 'kysely'
import { batchesBySize } from '../database/batches-by-size.ts'
import type { Database, Db } from '../tables/schema.ts'
import type { UserTable } from '../tables/accounts.ts'
import type { UsageLogRow } from '../tables/logs.ts'
import type { UsageHourTable } from '../tables/trade.ts'
import { engineOf } from '../database/traits.ts'

/**
 * Inserts rows of another system with the ids they had there; afterwards call `raiseNextId` (`next-id.ts`).
 * Many rows take several statements, so call these functions in a transaction.
 */

type WithId<Table> = Insertable<Table> & { readonly id: number }

/** Apart from the other tables, because a test lists every statement that writes credentials of users. */
export async function insertUsersWithIds(db: Db, rows: readonly WithId<UserTable>[]): Promise<void> {
  for (const portion of batchesBySize(rows)) await db.insertInto('users').values(portion).execute()
}

/** The tables whose rows are inserted as they are. */
type ImportedTable =
  | 'tokens'
  | 'channels'
  | 'channel_keys'
  | 'redemptions'
  | 'redemption_uses'
  | 'top_ups'
  | 'tasks'

export async function insertImported<Table extends ImportedTable>(
  db: Db,
  table: Table,
  rows: readonly InsertObject<Database, Table>[],
): Promise<void> {
  for (const portion of batchesBySize(rows)) await db.insertInto(table).values(portion).execute()
}

/** Log rows may omit the id; the database then assigns one. */
export async function insertLogs(
  db: Db,
  rows: readonly (UsageLogRow & { readonly id?: number })[],
): Promise<void> {
  for (const portion of batchesBySize(rows)) await db.insertInto('logs').values(portion).execute()
}

/**
 * Inserts one row per hour, user and model, or adds to the existing one. `rows` must not contain the same
 * combination twice.
 */
export async function addUsageHours(db: Db, rows: readonly Insertable<UsageHourTable>[]): Promise<void> {
  if (rows.length === 0) return
  const insert = db.insertInto('usage_hours').values(rows)
  const isMysql = engineOf(db) === 'mysql'
  const sum = (column: 'calls' | 'used_tokens' | 'quota') =>
    isMysql
      ? sql<never>`${sql.ref(`usage_hours.${column}`)} + values(${sql.ref(column)})`
      : sql<never>`${sql.ref(`usage_hours.${column}`)} + ${sql.ref(`excluded.${column}`)}`
  const sums = { calls: sum('calls'), used_tokens: sum('used_tokens'), quota: sum('quota') }
  await (
    isMysql
      ? insert.onDuplicateKeyUpdate(sums)
      : insert.onConflict((conflict) =>
          conflict.columns(['user_id', 'model_name', 'hour_at']).doUpdateSet(sums),
        )
  ).execute()
}

/** Marks the setup as done, once a super admin was imported. A second call changes nothing. */
export async function noteSetup(
  db: Db,
  { version, initializedAt }: { version: string; initializedAt: number },
): Promise<void> {
  const known = await db.selectFrom('setups').select('id').executeTakeFirst()
  if (known) return
  await db.insertInto('setups').values({ id: 1, version, initialized_at: initializedAt }).execute()
}
