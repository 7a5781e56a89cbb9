import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'
import { isUniqueViolation } from '../database/traits.ts'

/**
 * Codes and link tokens that verify an address. They are stored as hashes and are valid for one purpose and
 * one use.
 */

export interface NewCode {
  readonly purpose: string
  readonly subject: string
  readonly codeHash: string
  readonly nowMs: number
  readonly expiresMs: number
}

/** Replaces an earlier code for the same purpose and subject. */
export async function replaceCode(db: Db, code: NewCode): Promise<void> {
  await replaceOnce(db, code).catch((error: unknown) => {
    // Another node inserted a code for the same subject at the same moment. The later one replaces it.
    if (!isUniqueViolation(error)) throw error
    return replaceOnce(db, code)
  })
}

async function replaceOnce(db: Db, code: NewCode): Promise<void> {
  const { purpose, subject, codeHash, nowMs, expiresMs } = code
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('one_time_codes')
      .where('purpose', '=', purpose)
      .where('subject', '=', subject)
      .execute()
    await transaction
      .insertInto('one_time_codes')
      .values({
        purpose,
        subject,
        code_hash: codeHash,
        failures: 0,
        created_ms: nowMs,
        expires_ms: expiresMs,
      })
      .execute()
  })
}

export interface CodeClaim {
  readonly purpose: string
  readonly subject: string
  readonly codeHash: string
  readonly nowMs: number
  readonly failuresMax: number
}

/**
 * Uses up the code; of two concurrent calls, one succeeds. A wrong code counts as a failure of the stored
 * one.
 */
export async function takeCode(db: Db, claim: CodeClaim): Promise<boolean> {
  const taken = await db
    .deleteFrom('one_time_codes')
    .where('purpose', '=', claim.purpose)
    .where('subject', '=', claim.subject)
    .where('code_hash', '=', claim.codeHash)
    .where('expires_ms', '>', claim.nowMs)
    .where('failures', '<', claim.failuresMax)
    .executeTakeFirst()
  if (taken.numDeletedRows > 0n) return true
  await db
    .updateTable('one_time_codes')
    .set({ failures: sql<number>`failures + 1` })
    .where('purpose', '=', claim.purpose)
    .where('subject', '=', claim.subject)
    .execute()
  return false
}
