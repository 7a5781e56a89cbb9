import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'
import { readWatermark, writeWatermark } from './watermarks.ts'

/** Who may change the sums of the usage log: one at a time, and always the one that began last. */

const TURNS = 'usage-turns'

/** Another process has begun since. What is not done yet is its work now. */
export class RollupLockLost extends Error {}

export interface RollupLock {
  /** In a transaction of its own, unless somebody else's turn has begun. */
  run<Answer>(work: (transaction: Kysely<Database>) => Promise<Answer>): Promise<Answer>
}

export async function takeRollupLock(db: Kysely<Database>): Promise<RollupLock> {
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

/** Nobody else passes here until the transaction has ended. */
async function waitForOthers(transaction: Kysely<Database>): Promise<void> {
  await transaction
    .updateTable('watermarks')
    .set((where) => ({ position: where.ref('position') }))
    .where('name', '=', TURNS)
    .execute()
}
