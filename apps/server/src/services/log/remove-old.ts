import type { logRoutes } from '@tollgate/contract/log'
import { problem } from '@tollgate/problems/problem'
import { removeLogTextsBefore } from '@tollgate/store/logs/texts'
import { removeLogsBefore } from '@tollgate/store/logs/logs'
import { freezeUsage, rollUpUsage, usageThrough } from '@tollgate/store/usage/roll-up'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'

/** The clock of who asks may be ahead by this much. */
const CLOCK_SKEW_SECONDS = 60
const ROWS_AT_ONCE = 2000
/** Limit for one call; the response contains the number of rows removed, and another call continues. */
const ROUNDS_MAX = 500

/**
 * Removes old rows of the log that the console reads. Ledger entries and the audit trail are not logs and are
 * kept.
 */
export function removeOldLogs(services: Services): Handler<typeof logRoutes.removeOld> {
  return async (call) => {
    const { target_timestamp: before } = call.query
    if (before <= 0) throw problem('log_target_missing')
    // A time in milliseconds is far in the future, and would remove everything.
    const now = Math.floor(services.clock.nowMs() / 1000)
    if (before > now + CLOCK_SKEW_SECONDS) throw problem('log_target_future')
    const removed = await removeInRounds(services, before)
    await services.audit(call, {
      action: 'remove',
      entity: 'log',
      entityId: 'several',
      before: { target_timestamp: before, rows: removed },
    })
    return removed
  }
}

/** Removes the rows in small batches, so that calls can be settled in between. */
async function removeInRounds({ store, logs = store, clock }: Services, until: number): Promise<number> {
  await rollUpUsage(logs, { nowSeconds: Math.floor(clock.nowMs() / 1000) })
  // Hours that are not summed yet keep their rows; without them they would be missing in the charts for good.
  const before = Math.min(until, await usageThrough(logs))
  await freezeUsage(logs, before)
  let removed = logs === store ? 0 : await removeFrom(store, before)
  removed += await removeFrom(logs, before)
  return removed
}

async function removeFrom(logs: Services['store'], before: number): Promise<number> {
  for (let round = 0; round < ROUNDS_MAX; round++)
    if ((await removeLogTextsBefore(logs, { before, limit: ROWS_AT_ONCE })) < ROWS_AT_ONCE) break
  let removed = 0
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const rows = await removeLogsBefore(logs, { before, limit: ROWS_AT_ONCE })
    removed += rows
    if (rows < ROWS_AT_ONCE) break
  }
  return removed
}
