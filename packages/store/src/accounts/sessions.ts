import type { Insertable } from 'kysely'
import type { Db } from '../tables/schema.ts'
import type { SessionTable } from '../tables/accounts.ts'

/** The value of `proven_by` for a password. Every other value is the name of a sign-in provider. */
export const PROVEN_BY_PASSWORD = 'password'

/** A session that has not expired, with the current data of its user. */
export function findSession(db: Db, input: { idHash: string; nowMs: number }) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'users.id',
      'users.username',
      'users.role',
      'users.status',
      'users.group_name',
      'users.has_default_password',
      'sessions.proven_ms',
      'sessions.proven_by',
      'sessions.seen_ms',
    ])
    .where('sessions.id_hash', '=', input.idHash)
    .where('sessions.expires_ms', '>', input.nowMs)
    .where('users.deleted_ms', 'is', null)
    .executeTakeFirst()
}

export async function insertSession(db: Db, session: Insertable<SessionTable>): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export async function touchSession(
  db: Db,
  { idHash, nowMs }: { idHash: string; nowMs: number },
): Promise<void> {
  await db.updateTable('sessions').set({ seen_ms: nowMs }).where('id_hash', '=', idHash).execute()
}

export async function removeSession(db: Db, idHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('id_hash', '=', idHash).execute()
}

/**
 * Removes a user's sessions after a ban, a demotion, a new password or a deletion, and returns how many. The
 * session `except` is kept.
 */
export async function removeSessionsOf(db: Db, userId: number, except?: string): Promise<number> {
  const result = await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id_hash', '<>', except ?? ''))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Most recently used first. */
export function listSessionsOf(db: Db, { userId, nowMs }: { userId: number; nowMs: number }) {
  return db
    .selectFrom('sessions')
    .select(['id_hash', 'created_ms', 'seen_ms', 'expires_ms', 'address', 'user_agent'])
    .where('user_id', '=', userId)
    .where('expires_ms', '>', nowMs)
    .orderBy('seen_ms', 'desc')
    .orderBy('id_hash')
    .execute()
}

/** Records that the user has just confirmed the password in this session. */
export async function markProven(
  db: Db,
  { idHash, nowMs }: { idHash: string; nowMs: number },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ proven_ms: nowMs, proven_by: PROVEN_BY_PASSWORD })
    .where('id_hash', '=', idHash)
    .execute()
}
