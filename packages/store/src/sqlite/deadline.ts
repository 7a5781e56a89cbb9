import type { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../database/errors.ts'

/** SQLite's error code for an interrupted statement. */
export const TOO_LATE = 9

/**
 * Defines `in_time(ms)`: it returns 1 until that wall-clock time and then makes the statement fail. It is not
 * declared deterministic, so SQLite evaluates it for each row.
 */
export function defineInTime(database: DatabaseSync): void {
  database.function('in_time', (atMs) => {
    if (Date.now() > Number(atMs))
      throw new StoreError('busy', 'the statement took too long', { code: TOO_LATE })
    return 1
  })
}
