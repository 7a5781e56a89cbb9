import type { FieldWord, WrittenTable } from '../rows/table.ts'

/** The ledger's statements in the SQL of one engine. Rows are read as arrays, see `../rows/tables.ts`. */
export interface Statements {
  /**
   * Whether the commit may be pipelined with the changes. That requires an engine where a failed statement
   * turns the commit into a rollback.
   */
  readonly commitsWithChanges: boolean
  /** Encodes ids or keys as the single parameter of the next four statements. */
  list(values: readonly (string | number)[]): string
  /** Locks in id order. */
  readonly lockAccounts: Statement
  readonly readHolds: Statement
  readonly readEntries: Statement
  /** Locks in id order, after the accounts. */
  readonly lockTasks: Statement
  /** Takes account ids. The accounts' locks protect the rows. */
  readonly readAllotments: Statement
  /** Locks in order of the file ids, after the accounts. */
  readonly lockJournals: Statement

  // Each statement takes its rows as JSON. If it checks the number of changed rows itself, that number is its
  // second parameter.
  readonly insertAccounts: Statement
  readonly updateAccounts: Statement
  /** Skips prices that are known. */
  readonly insertPrices: Statement
  readonly insertHolds: Statement
  readonly updateHolds: Statement
  readonly deleteHolds: Statement
  readonly insertAllotments: Statement
  readonly updateAllotments: Statement
  readonly deleteAllotments: Statement
  readonly insertEntries: Statement
  /**
   * A late settlement replaces the log row of the recovery. A row without names gets the names of its owner
   * and token.
   */
  readonly writeLogs: Statement
  readonly insertTasks: Statement
  readonly endTasks: Statement
  /** Skips notices whose cause is already queued. */
  readonly queueNotices: Statement
  readonly insertTally: Statement
  readonly insertJournals: Statement
  readonly updateJournals: Statement
  readonly insertRejected: Statement

  // Statements for instances. All heartbeats use the clock of the database, because the clocks of nodes
  // differ.
  /** Parameters: `(id, now of this node)`. */
  readonly enter: Statement
  /**
   * Parameters: `(number, id)`. Stores the batch number and a heartbeat. Affects no row when the instance was
   * declared dead.
   */
  readonly note: Statement
  /**
   * Parameters: `(id)`. Returns the number of the last batch; waits for a transaction of the instance that is
   * still open.
   */
  readonly lastBatch: Statement
  /** Parameters: `(id)`. */
  readonly leave: Statement
  /** Parameters: `(silent for ms)`. Returns the ids of instances whose heartbeat is too old. */
  readonly silentInstances: Statement
  /**
   * Parameters: `(id, silent for ms)`. Affects one row for the node that is first to declare the instance
   * dead.
   */
  readonly declareDead: Statement
  /**
   * Parameters: `(after id, limit)`. Returns id and accounts of holds whose instance is not alive, in id
   * order.
   */
  readonly orphanedHolds: Statement
  /** Parameters: `(limit)`. Returns instance and account of allotments whose instance is not alive. */
  readonly orphanedAllotments: Statement
}

/** The name lets an engine cache the prepared statement. */
export interface Statement {
  readonly name: string
  readonly sql: string
  /**
   * The statement takes the expected number of rows as its second parameter and fails when it affects another
   * number.
   */
  readonly checksRows?: boolean
  /**
   * The rows as one list of objects (the default), as one list of rows that are lists of cells, or as one list for
   * each column of the table.
   */
  readonly takes?: 'objects' | 'lists' | 'columns'
}

export type Fields = Readonly<Record<string, FieldWord>>

/** Column names as a comma-separated list, each with the prefix. */
export function listed(names: readonly string[], prefix = ''): string {
  return names.map((name) => prefix + name).join(', ')
}

/** `a = x.a, b = x.b`, with the table's name before each column if given. */
export function assigned(names: readonly string[], { to = '' }: { readonly to?: string } = {}): string {
  return names.map((name) => `${to}${name} = x.${name}`).join(', ')
}

/** The condition that finds the row of `x`: by its keys, and by the version before. */
export function isRowOf<Row>({ keys, isVersioned }: WrittenTable<Row>, table: string): string {
  const version = isVersioned ? [`${table}.version = x.version - 1`] : []
  return [...keys.map((key) => `${table}.${key} = x.${key}`), ...version].join(' and ')
}
