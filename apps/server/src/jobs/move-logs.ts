import { moveLogs } from '@tollgate/store/move-logs'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'
import type { Job } from './job.ts'

const SECOND_MS = 1_000

export interface LogPlaces {
  /** Where rows are written, in the transactions they belong to. */
  readonly from: Kysely<Database>
  /** Where they are kept and read. */
  readonly to: Kysely<Database>
}

/** While the other database is away rows wait where they were written; that is told once. */
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
