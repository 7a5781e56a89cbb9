import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'
import { isUniqueViolation } from './traits.ts'

/** Codes and link tokens that prove an address: hashed, for one purpose and one use. */

export interface NewCode {
  readonly purpose: string
  readonly subject: string
  readonly codeHash: string
  readonly nowMs: number
  readonly expiresMs: number
}

/** Takes the place of an earlier code for the same purpose and subject. */
export async function replaceCode(db: Kysely<Database>, code: NewCode): Promise<void> {
  await replaceOnce(db, code).catch((error: unknown) => {
    // Another node made a code for the same subject, at the same moment: the later one counts.
    if (!isUniqueViolation(error)) throw error
    return replaceOnce(db, code)
  })
}

async function replaceOnce(db: Kysely<Database>, code: NewCode): Promise<void> {
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

/** Uses the code up; of two who try at once one succeeds. A wrong code counts against the one that is waiting. */
export async function takeCode(db: Kysely<Database>, claim: CodeClaim): Promise<boolean> {
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

export async function removeExpiredCodes(db: Kysely<Database>, nowMs: number): Promise<void> {
  await db.deleteFrom('one_time_codes').where('expires_ms', '<=', nowMs).execute()
}
