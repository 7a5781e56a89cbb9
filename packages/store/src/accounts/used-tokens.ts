import type { Kysely } from 'kysely'
import type { Database } from '../tables/schema.ts'
import { isUniqueViolation } from '../database/traits.ts'

/** Returns true for the first call with this mark only, also when calls are concurrent. */
export async function useOnce(
  db: Kysely<Database>,
  { markHash, expiresMs }: { markHash: string; expiresMs: number },
): Promise<boolean> {
  try {
    await db.insertInto('spent_marks').values({ mark_hash: markHash, expires_ms: expiresMs }).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

/**
 * Removes expired marks. A mark must not expire before the message it stands for would be rejected as too
 * old.
 */
export async function removeExpiredMarks(db: Kysely<Database>, nowMs: number): Promise<void> {
  await db.deleteFrom('spent_marks').where('expires_ms', '<=', nowMs).execute()
}
