import type { Db } from '../tables/schema.ts'
import { readWatermark, writeWatermark } from '../operations/watermarks.ts'

/**
 * Leadership over the sums of the usage log: one process at a time may change them, always the one that
 * started last.
 */

const TURNS = 'usage-turns'

/** Another process has started since and will do the rest. */
export class RollupLockLost extends Error {}

export interface RollupLock {
  /** Runs `work` in its own transaction. Throws {@link RollupLockLost} when another process has taken over. */
  run<Answer>(work: (transaction: Db) => Promise<Answer>): Promise<Answer>
}

export async function takeRollupLock(db: Db): Promise<RollupLock> {
  const number = await db.transaction().execute(async (transaction) => {
    await waitForOthers(transaction)
    const position = (await readWatermark(transaction, TURNS)) + 1
    await writeWatermark(transaction, { name: TURNS, position })
    return position
  })
  return {
    run: (work) =>
      db.transaction().execute(async (transaction) => {
        await waitForOthers(transaction)
        if ((await readWatermark(transaction, TURNS)) !== number)
          throw new RollupLockLost('another turn has begun')
        return work(transaction)
      }),
  }
}

/** Locks the row until the transaction ends; other processes wait here. */
async function waitForOthers(transaction: Db): Promise<void> {
  await transaction
    .updateTable('watermarks')
    .set((where) => ({ position: where.ref('position') }))
    .where('name', '=', TURNS)
    .execute()
}
