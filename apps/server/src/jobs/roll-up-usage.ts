import type { Clock } from '@tollgate/kit/clock'
import type { Db } from '@tollgate/store/tables/schema'
import { rollUpUsage } from '@tollgate/store/usage/roll-up'
import type { Job } from './job.ts'

const MINUTE_MS = 60_000
/** Leaves the first moments of a process to its callers. */
const FIRST_MS = 10_000
/** A long history is summed in several runs, so that a shutdown does not have to wait for it. */
const TURN_MS = 20_000

/** Sums the usage log by the hour, in the database where the log is kept. */
export function rollUpUsageJob({ logs, clock }: { logs: Db; clock: Clock }): Job {
  return {
    name: 'roll-up-usage',
    everyMs: MINUTE_MS,
    firstMs: FIRST_MS,
    runs: 'once',
    run: async () => {
      const endsMs = clock.monotonicMs() + TURN_MS
      const nowSeconds = Math.floor(clock.nowMs() / 1000)
      const hours = await rollUpUsage(logs, { nowSeconds, isStopped: () => clock.monotonicMs() >= endsMs })
      return { hours }
    },
  }
}
