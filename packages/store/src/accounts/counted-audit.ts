import { type NewAudit, insertAudit } from './audit-log.ts'
import type { Db } from '../tables/schema.ts'
import { touchSession } from './sessions.ts'

export interface AuditCount {
  /**
   * Hash of the session's id. The session's row is locked, so that two concurrent requests produce one audit
   * row.
   */
  readonly idHash: string
  readonly row: Omit<NewAudit, 'before_json' | 'after_json'>
  /**
   * Oldest `created_ms` at which an existing row of the same actor, action and entity is still updated
   * instead of inserting a new one.
   */
  readonly sinceMs: number
  /** Returns the new text of the row from the text of the existing row, if there is one. */
  readonly count: (afterJson: string | undefined) => string
}

/**
 * Writes one audit row for many responses in a session: the first response inserts it, the later ones
 * increase its count.
 */
export async function countInAudit(db: Db, { idHash, row, sinceMs, count }: AuditCount): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await touchSession(transaction, { idHash, nowMs: row.created_ms })
    const known = await transaction
      .selectFrom('audit_log')
      .select(['id', 'after_json'])
      .where('entity', '=', row.entity)
      .where('entity_id', '=', row.entity_id)
      .where('action', '=', row.action)
      .where('actor_id', '=', row.actor_id)
      .where('created_ms', '>=', sinceMs)
      .orderBy('id', 'desc')
      .executeTakeFirst()
    const after_json = count(known?.after_json ?? undefined)
    if (known)
      await transaction.updateTable('audit_log').set({ after_json }).where('id', '=', known.id).execute()
    else await insertAudit(transaction, { ...row, before_json: null, after_json })
  })
}
