import { sql } from 'kysely'
import type { Db } from '../tables/schema.ts'
import { isInserted } from '../database/insert-unless-known.ts'
import { readWatermark } from './watermarks.ts'

/**
 * Change notices in the database, numbered without gaps in commit order. Writing one locks the counter's row
 * until the commit, so no reader sees number 8 before number 7.
 */

const COUNTER = 'changes'

export interface NewChange {
  readonly entity: string
  /** "" means any or all rows. */
  readonly rowId: string
  /** Id of the process that wrote the change. */
  readonly origin: string
  readonly nowMs: number
}

/** The number of the latest change. */
export function lastChange(db: Db): Promise<number> {
  return readWatermark(db, COUNTER)
}

export async function recordChange(db: Db, change: NewChange): Promise<void> {
  if (await insertChange(db, change)) return
  await startCounting(db)
  await insertChange(db, change)
}

/** Returns false when the counter row does not exist yet. */
function insertChange(db: Db, { entity, rowId, origin, nowMs }: NewChange): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('watermarks')
      .set({ position: sql<number>`position + 1` })
      .where('name', '=', COUNTER)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    const number = await lastChange(transaction)
    const row = { number, entity, row_id: rowId, origin, noted_ms: nowMs }
    await transaction.insertInto('changes').values(row).execute()
    return true
  })
}

/** If two processes do this at once, one inserts the row and the other ignores the conflict. */
async function startCounting(db: Db): Promise<void> {
  await isInserted(db.insertInto('watermarks').values({ name: COUNTER, position: 0 }).execute())
}

/** At most `limit` changes, in order. */
export function listChanges(db: Db, { after, limit }: { after: number; limit: number }) {
  return db
    .selectFrom('changes')
    .select(['number', 'entity', 'row_id', 'origin'])
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** Removes old notices. A process that was disconnected for longer has to reload everything. */
export async function removeOldChanges(db: Db, beforeMs: number): Promise<void> {
  await db.deleteFrom('changes').where('noted_ms', '<', beforeMs).execute()
}
