import type { Kysely } from 'kysely'
import { type NewAudit, insertAudit } from './audit-log.ts'
import type { Database } from './schema.ts'
import { touchSession } from './sessions.ts'

export interface AuditCount {
  /** Of the session whose answers are counted: its row is locked, so that two answers at once make one row. */
  readonly idHash: string
  readonly row: Omit<NewAudit, 'before_json' | 'after_json'>
  /** An earlier row of the same actor, action and entity is counted on when it is no older than this. */
  readonly sinceMs: number
  /** The text of the row, from that of the row that is counted on. */
  readonly count: (afterJson: string | undefined) => string
}

/** One audit row for many answers of a session: written with the first of them, counted up with each of the others. */
export async function countInAudit(
  db: Kysely<Database>,
  { idHash, row, sinceMs, count }: AuditCount,
): Promise<void> {
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
