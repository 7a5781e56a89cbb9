/** The ledger's statements in the SQL of one engine. Rows are read as arrays, see `../sqlite/rows.ts`. */
export interface Statements {
  /** Whether the commit may leave with the changes: where a failed statement turns it into a rollback. */
  readonly commitsWithChanges: boolean
  /** Several ids or keys as the one parameter that the next four take. */
  list(values: readonly (string | number)[]): string
  /** Locks in the order of ids. */
  readonly lockAccounts: Statement
  readonly readHolds: Statement
  readonly readEntries: Statement
  /** In the order of ids, after the accounts. */
  readonly lockTasks: Statement

  // Each takes rows as JSON, and where rows are changed the number it must hit as well if it checks that itself.
  readonly insertAccounts: Statement
  readonly updateAccounts: Statement
  readonly insertHolds: Statement
  readonly updateHolds: Statement
  readonly deleteHolds: Statement
  readonly insertEntries: Statement
  /** A late settlement replaces the row of the recovery. A row without names gets those of its owner and token. */
  readonly writeLogs: Statement
  readonly insertTasks: Statement
  readonly endTasks: Statement
  /** Leaves out what has a known cause. */
  readonly queueNotices: Statement
  readonly insertTally: Statement

  // Instances. All times are the database's own: clocks of nodes differ.
  /** `(id, now of this node)` */
  readonly enter: Statement
  /** `(number, id)`: notes that this batch is the last, and that its instance lives. No row when it was declared dead. */
  readonly note: Statement
  /** `(id)` → number of the last batch; waits for a transaction of it that is still open. */
  readonly lastBatch: Statement
  /** `(id)` */
  readonly leave: Statement
  /** `(silent for ms)` → ids of instances that live no more, by their heartbeat. */
  readonly silentInstances: Statement
  /** `(id, silent for ms)`: one row for the one who declared it dead. */
  readonly declareDead: Statement
  /** `(after id, limit)` → id and accounts of holds whose instance lives no more, in the order of ids. */
  readonly orphanedHolds: Statement
}

/** A name makes an engine keep the prepared statement. */
export interface Statement {
  readonly name: string
  readonly sql: string
  /** It takes the number of rows as its second parameter and fails when it hits another. */
  readonly checksRows?: boolean
}

/** Columns of the rows that go into statements, with their types. */
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
} as const

export const TALLY_FIELDS = { subject: 'key', used: 'int8', calls: 'int8', last_ms: 'int8' } as const

export type FieldWord = 'int8' | 'int4' | 'key' | 'text'
export type Fields = Readonly<Record<string, FieldWord>>

/** Names as a list, each with a prefix. */
export function listed(names: readonly string[], prefix = ''): string {
  return names.map((name) => prefix + name).join(', ')
}

/** `a = x.a, b = x.b` */
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
