/** The ledger's statements in the SQL of one engine. Rows are read as arrays, see `../rows/ledger-rows.ts`. */
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

  // Each statement takes its rows as JSON. If it checks the number of changed rows itself, that number is its
  // second parameter.
  readonly insertAccounts: Statement
  readonly updateAccounts: Statement
  readonly insertHolds: Statement
  readonly updateHolds: Statement
  readonly deleteHolds: Statement
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
}

/** Columns of the rows that are passed to statements, with their types. */
export const ACCOUNT_FIELDS = {
  id: 'int8',
  kind: 'key',
  owner_id: 'int8',
  granted: 'int8',
  remaining: 'int8',
  reserved: 'int8',
  used: 'int8',
  debt: 'int8',
  followed: 'int8',
  unlimited: 'int4',
  version: 'int8',
  open_holds: 'int8',
  budget_since_ms: 'int8',
  budget_base: 'int8',
  exposed: 'int8',
  paid: 'int4',
} as const

export const HOLD_FIELDS = {
  id: 'key',
  user_acct: 'int8',
  token_acct: 'int8',
  token_followed: 'int4',
  amount: 'int8',
  ceiling: 'int8',
  checkpoint: 'int8',
  price_json: 'text',
  channel_id: 'int8',
  instance_id: 'key',
  created_ms: 'int8',
} as const

export const ENTRY_FIELDS = {
  op_key: 'key',
  kind: 'key',
  request_id: 'key',
  task_id: 'key',
  user_acct: 'int8',
  token_acct: 'int8',
  channel_id: 'int8',
  amount: 'int8',
  flags: 'text',
  waived: 'int8',
  balance_after: 'int8',
  price_json: 'text',
  usage_json: 'text',
  note: 'text',
  created_ms: 'int8',
} as const

export const LOG_FIELDS = {
  request_id: 'key',
  user_id: 'int8',
  created_at: 'int8',
  type: 'int4',
  content: 'text',
  username: 'text',
  token_id: 'int8',
  token_name: 'text',
  model_name: 'text',
  quota: 'int8',
  prompt_tokens: 'int8',
  completion_tokens: 'int8',
  use_time: 'int8',
  duration_ms: 'int8',
  first_byte_ms: 'int8',
  is_stream: 'int4',
  channel_id: 'int8',
  group_name: 'text',
  ip: 'text',
  other: 'text',
  cost: 'int8',
  session: 'text',
  client: 'text',
  client_version: 'text',
  cached_tokens: 'int8',
  cache_saved: 'int8',
} as const

export const TALLY_FIELDS = { subject: 'key', used: 'int8', calls: 'int8', last_ms: 'int8' } as const

export type FieldWord = 'int8' | 'int4' | 'key' | 'text'
export type Fields = Readonly<Record<string, FieldWord>>

/** Column names as a comma-separated list, each with the prefix. */
export function listed(names: readonly string[], prefix = ''): string {
  return names.map((name) => prefix + name).join(', ')
}

/** Assignments for an update: `a = x.a, b = x.b`. */
export function assigned(names: readonly string[]): string {
  return names.map((name) => `${name} = x.${name}`).join(', ')
}

export const ACCOUNT_CHANGED = [
  'granted',
  'remaining',
  'reserved',
  'used',
  'debt',
  'followed',
  'unlimited',
  'version',
  'open_holds',
  'budget_since_ms',
  'budget_base',
  'exposed',
  'paid',
] as const
export const HOLD_CHANGED = ['token_followed', 'amount', 'ceiling', 'checkpoint', 'channel_id'] as const
