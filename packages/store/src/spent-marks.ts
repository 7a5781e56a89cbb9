import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { isUniqueViolation } from './traits.ts'

/** True for the first call with this mark; of two at once one is first. */
export async function spendMark(
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

/** Before they are removed, what they mark has to be too old to be used. */
export async function removeExpiredMarks(db: Kysely<Database>, nowMs: number): Promise<void> {
  await db.deleteFrom('spent_marks').where('expires_ms', '<=', nowMs).execute()
}
