import type { Db } from '../tables/schema.ts'

/** Links that restore a previous e-mail address. They are stored as hashes, work once, and expire. */

export interface NewEmailUndo {
  readonly tokenHash: string
  readonly userId: number
  readonly email: string
  readonly nowMs: number
  readonly expiresMs: number
}

export async function insertEmailUndo(db: Db, undo: NewEmailUndo): Promise<void> {
  await db
    .insertInto('email_undos')
    .values({
      token_hash: undo.tokenHash,
      user_id: undo.userId,
      email: undo.email,
      created_ms: undo.nowMs,
      expires_ms: undo.expiresMs,
    })
    .execute()
}

/**
 * Uses up a link. Of two concurrent calls, one succeeds. The links of later address changes are deleted too,
 * because an attacker who made those changes holds their links. Links of earlier changes stay valid. Call it
 * within the transaction that restores the address.
 */
export async function takeEmailUndo(
  db: Db,
  { tokenHash, nowMs }: { tokenHash: string; nowMs: number },
): Promise<{ readonly userId: number; readonly email: string } | undefined> {
  const row = await db
    .selectFrom('email_undos')
    .select(['id', 'user_id', 'email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_ms', '>', nowMs)
    .executeTakeFirst()
  if (!row) return undefined
  const own = await db.deleteFrom('email_undos').where('id', '=', row.id).executeTakeFirst()
  if (own.numDeletedRows === 0n) return undefined
  await db.deleteFrom('email_undos').where('user_id', '=', row.user_id).where('id', '>', row.id).execute()
  return { userId: row.user_id, email: row.email }
}
