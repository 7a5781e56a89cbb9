import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../errors.ts'

/** SQLite's own number for a statement that was interrupted. */
export const TOO_LATE = 9

/** `in_time(ms)`: 1, until that wall time is over; then the statement fails. Not deterministic, so it is asked for each row. */
export function defineInTime(database: DatabaseSync): void {
  database.function('in_time', (atMs) => {
    if (Date.now() > Number(atMs))
      throw new StoreError('busy', 'the statement took too long', { code: TOO_LATE })
    return 1
  })
}
