import type { Db } from '../tables/schema.ts'
import { insertUnlessKnown } from '../database/insert-unless-known.ts'

/** Account events that the console shows to the owner until the owner dismisses them. */

/**
 * Maximum number of notices per user; the oldest are removed first. It keeps the list short, whatever happens
 * to the account.
 */
const NOTICES_MAX = 20

export interface NewAccountNotice {
  readonly cause: string
  readonly userId: number
  readonly event: string
  readonly detail: string
  readonly nowMs: number
}

/** Inserts one notice per `cause`; a second insert with the same cause does nothing. */
export async function insertAccountNotice(db: Db, notice: NewAccountNotice): Promise<void> {
  const { cause, userId, event, detail, nowMs } = notice
  const insert = db
    .insertInto('account_notices')
    .values({ cause, user_id: userId, event, detail, created_ms: nowMs })
  await insertUnlessKnown(db, insert, ['cause'])
  await removeOldest(db, userId)
}

async function removeOldest(db: Db, userId: number): Promise<void> {
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

/** Newest first. */
export function listAccountNotices(db: Db, userId: number) {
  return db
    .selectFrom('account_notices')
    .select(['id', 'event', 'detail', 'created_ms'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(NOTICES_MAX)
    .execute()
}

/** Removes the notices up to the last one that was listed. Notices that came after the list was read stay. */
export async function removeAccountNotices(
  db: Db,
  { userId, upToId }: { userId: number; upToId: number },
): Promise<void> {
  await db.deleteFrom('account_notices').where('user_id', '=', userId).where('id', '<=', upToId).execute()
}
