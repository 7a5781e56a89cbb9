import { type Insertable, type Kysely, sql } from 'kysely'
import { portions } from './portions.ts'
import type { ChannelTable, Database, TokenTable, UsageLogRow, UserTable } from './schema.ts'
import type {
  RedemptionTable,
  RedemptionUseTable,
  TaskTable,
  TopUpTable,
  UsageHourTable,
} from './trade-tables.ts'
import { engineOf } from './traits.ts'

/**
 * Rows of another system, which bring their ids along. Afterwards see `next-id.ts`. Large ones take several statements: call
 * these in a transaction.
 */

type WithId<Table> = Insertable<Table> & { readonly id: number }

export async function insertUsersWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<UserTable>[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('users').values(portion).execute()
}

export async function insertTokensWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<TokenTable>[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('tokens').values(portion).execute()
}

export async function insertChannelsWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<ChannelTable>[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('channels').values(portion).execute()
}

/** Log rows may leave their ids to the database. */
export async function insertLogs(
  db: Kysely<Database>,
  rows: readonly (UsageLogRow & { readonly id?: number })[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('logs').values(portion).execute()
}

export async function insertRedemptionsWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<RedemptionTable>[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('redemptions').values(portion).execute()
}

export async function insertRedemptionUses(
  db: Kysely<Database>,
  rows: readonly Insertable<RedemptionUseTable>[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('redemption_uses').values(portion).execute()
}

export async function insertTopUpsWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<TopUpTable>[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('top_ups').values(portion).execute()
}

export async function insertTasks(
  db: Kysely<Database>,
  rows: readonly Insertable<TaskTable>[],
): Promise<void> {
  for (const portion of portions(rows)) await db.insertInto('tasks').values(portion).execute()
}

/** Each hour of a user and a model at most once; what is there already is added to. */
export async function addUsageHours(
  db: Kysely<Database>,
  rows: readonly Insertable<UsageHourTable>[],
): Promise<void> {
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

/** The setup is done when somebody who may do everything has come along. A second call changes nothing. */
export async function noteSetup(
  db: Kysely<Database>,
  { version, initializedAt }: { version: string; initializedAt: number },
): Promise<void> {
  const known = await db.selectFrom('setups').select('id').executeTakeFirst()
  if (known) return
  await db.insertInto('setups').values({ id: 1, version, initialized_at: initializedAt }).execute()
}
