import type { Insertable, Kysely } from 'kysely'
import type { ChannelTable, Database, TokenTable, UsageLogRow, UserTable } from './schema.ts'

/** Rows of another system, which bring their ids along. Afterwards see `next-id.ts`. */

type WithId<Table> = Insertable<Table> & { readonly id: number }

export async function insertUsersWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<UserTable>[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('users').values(rows).execute()
}

export async function insertTokensWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<TokenTable>[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('tokens').values(rows).execute()
}

export async function insertChannelsWithIds(
  db: Kysely<Database>,
  rows: readonly WithId<ChannelTable>[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('channels').values(rows).execute()
}

/** Log rows may leave their ids to the database. */
export async function insertLogs(
  db: Kysely<Database>,
  rows: readonly (UsageLogRow & { readonly id?: number })[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('logs').values(rows).execute()
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
