import type { Clock } from '@tollgate/kit/clock'
import type { Db } from '@tollgate/store/tables/schema'
import { closeTopUps } from '@tollgate/store/trade/top-ups'
import type { Job } from './job.ts'

const HOUR_MS = 3_600_000
/** Longer than any payment page stays open. A payment that arrives later is still credited. */
const PAYABLE_SECONDS = 24 * 3600

/** Closes orders that were not paid in time. */
export function closeOrdersJob({ db, clock }: { db: Db; clock: Clock }): Job {
  return {
    name: 'close-orders',
    everyMs: HOUR_MS,
    runs: 'once',
    run: () => closeTopUps(db, Math.floor(clock.nowMs() / 1000) - PAYABLE_SECONDS),
  }
}
