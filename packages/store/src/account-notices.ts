import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { engineOf, isUniqueViolation } from './traits.ts'

/** What owners are told about their accounts in the console, until they dismiss it. */

/** So that a row is small and the list is short, whatever is done to an account; the oldest go first. */
const NOTICES_MAX = 20

export interface NewAccountNotice {
  readonly cause: string
  readonly userId: number
  readonly event: string
  readonly detail: string
  readonly nowMs: number
}

/** One cause is one notice, however often it is written. */
export async function insertAccountNotice(db: Kysely<Database>, notice: NewAccountNotice): Promise<void> {
  const { cause, userId, event, detail, nowMs } = notice
  const insert = db
    .insertInto('account_notices')
    .values({ cause, user_id: userId, event, detail, created_ms: nowMs })
  if (engineOf(db) === 'mysql')
    await insert.execute().catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error
    })
  else await insert.onConflict((conflict) => conflict.column('cause').doNothing()).execute()
  await removeOldest(db, userId)
}

async function removeOldest(db: Kysely<Database>, userId: number): Promise<void> {
  const last = await db
    .selectFrom('account_notices')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .offset(NOTICES_MAX)
    .limit(1)
    .executeTakeFirst()
  if (last) await removeAccountNotices(db, { userId, upToId: last.id })
}

/** The newest first. */
export function listAccountNotices(db: Kysely<Database>, userId: number) {
  return db
    .selectFrom('account_notices')
    .select(['id', 'event', 'detail', 'created_ms'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(NOTICES_MAX)
    .execute()
}

/** Those that were there when the list was read; what came meanwhile stays. */
export async function removeAccountNotices(
  db: Kysely<Database>,
  { userId, upToId }: { userId: number; upToId: number },
): Promise<void> {
  await db.deleteFrom('account_notices').where('user_id', '=', userId).where('id', '<=', upToId).execute()
}
