import type { ServerConnection } from '@tollgate/store/server/connection'

/** Sums and cleaning in the SQL of one engine. Several nodes may do it at once. */
export interface Upkeep {
  /** Takes the next rows of the tally into the totals, in one transaction; returns how many. */
  takeTally(connection: ServerConnection, limit: number): Promise<number>
  /** Removes the next entries of calls older than this, keeping their sums, in one transaction; returns how many. */
  clean(connection: ServerConnection, beforeMs: number, limit: number): Promise<number>
  /** How the first parameter is written. */
  readonly mark: '$1' | '?'
  /** Statements after which every read sees the same moment. */
  readonly beginSnapshot: readonly string[]
  /** Subjects whose total is not what entries, cleaned periods and the tally say. */
  readonly wrongTotals: string
}
