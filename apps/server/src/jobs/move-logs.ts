import { moveLogs } from '@tollgate/store/logs/move-logs'
import type { Db } from '@tollgate/store/tables/schema'
import type { Job } from './job.ts'

const SECOND_MS = 1_000

export interface LogPlaces {
  /** The database in which rows are written, in the transactions they belong to. */
  readonly from: Db
  /** The database in which the rows are kept and read. */
  readonly to: Db
}

/**
 * Moves log rows to a separate log database. While that database is unavailable the rows stay where they were
 * written; this is logged once.
 */
export function moveLogsJob({ from, to }: LogPlaces): Job {
  let isAway = false

  async function moveAll(): Promise<void> {
    while ((await moveLogs(from, to)) > 0);
    isAway = false
  }

  return {
    name: 'move-logs',
    everyMs: SECOND_MS,
    firstMs: 0,
    runs: 'once',
    run: () =>
      moveAll().catch((error: unknown) => {
        if (isAway) return
        isAway = true
        throw error
      }),
  }
}
