import type { Db } from '../tables/schema.ts'

/**
 * Tables whose rows are refused from `expires_ms` on, so that removing them only frees space. A mark in `spent_marks`
 * must not expire before the message that it stands for would be rejected as too old.
 */
export type ExpiringTable = 'sessions' | 'oauth_states' | 'spent_marks' | 'one_time_codes' | 'email_undos'

export async function removeExpired(db: Db, table: ExpiringTable, nowMs: number): Promise<void> {
  await db.deleteFrom(table).where('expires_ms', '<=', nowMs).execute()
}
