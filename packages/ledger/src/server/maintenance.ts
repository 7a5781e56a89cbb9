import type { ServerConnection } from '@tollgate/store/server/connection'

/** Totals and cleaning, in the SQL of one engine. Several nodes may run them at once. */
export interface Maintenance {
  /** Moves the next rows of the tally into the totals, in one transaction; returns how many. */
  takeTally(connection: ServerConnection, limit: number): Promise<number>
  /**
   * Removes the next entries of calls older than this and keeps their sums, in one transaction; returns how
   * many.
   */
  clean(connection: ServerConnection, beforeMs: number, limit: number): Promise<number>
  /** Placeholder of the first parameter. */
  readonly mark: '$1' | '?'
  /** Statements that start a snapshot transaction. */
  readonly beginSnapshot: readonly string[]
  /** Selects the subjects whose total differs from the sum of entries, rolled-up periods and tally. */
  readonly wrongTotals: string
}
