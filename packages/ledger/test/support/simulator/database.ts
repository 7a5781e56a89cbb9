import { StoreError } from '@tollgate/store/database/errors'
import { ACCOUNT_FIELDS, ENTRY_FIELDS, HOLD_CHANGED, HOLD_FIELDS } from '../../../src/server/statements.ts'
import { ACCOUNT_COLUMNS, ENTRY_COLUMNS, HOLD_COLUMNS, toAccount } from '../../../src/rows/ledger-rows.ts'
import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import { type Row, pick, readRows } from './rows.ts'
import { type TableName, Tables, Transaction } from './tables.ts'

export interface Request {
  readonly name: string
  readonly parameters: readonly unknown[]
}

export interface Result {
  readonly rows: readonly (readonly SqliteValue[])[]
  readonly changes: bigint
}

/** Returned when the statement has to wait for rows that another transaction has locked. */
export const BLOCKED = Symbol('blocked')

/** State of one connection in the database. */
export interface Holder {
  transaction: Transaction | undefined
}

/** SQLite's error code, which the store recognises on every engine. */
const UNIQUE_VIOLATION = { code: 2067 }

/**
 * A database server reduced to the features that the ledger uses: transactions that see committed data, row
 * locks held until the end of the transaction, and unique keys that wait for a transaction that wrote the
 * same key.
 */
export class SimulatedDatabase {
  readonly tables = new Tables()
  readonly #locks = new Map<string, Holder>()
  nowMs = 1_750_000_000_000
  /** Called at the commit of a batch. */
  onCommit: (batch: { instanceId: string; number: number }) => void = () => undefined
  readonly #noted = new Map<Holder, { instanceId: string; number: number }>()

  /**
   * Executes the statement, or returns BLOCKED when it has to wait. Throws the error that a server would
   * return.
   */
  execute(holder: Holder, { name, parameters }: Request): Result | typeof BLOCKED {
    if (name === 'begin') return this.#begin(holder)
    if (name === 'commit') return this.#commit(holder)
    if (name === 'rollback') return this.#end(holder)
    if (holder.transaction?.hasFailed) throw new StoreError('bug', 'the transaction has failed before')
    const isAlone = holder.transaction === undefined
    const transaction = (holder.transaction ??= new Transaction())
    try {
      const handler = this.#handlers[name]
      if (!handler) throw new StoreError('bug', `unknown statement ${name}`)
      const result = handler(holder, transaction, parameters)
      if (isAlone && result !== BLOCKED) transaction.commit(this.tables)
      if (isAlone) this.#end(holder)
      return result
    } catch (error) {
      transaction.hasFailed = true
      if (isAlone) this.#end(holder)
      throw error
    }
  }

  /** Rolls back when the connection is gone. */
  abandon(holder: Holder): void {
    this.#end(holder)
  }

  #begin(holder: Holder): Result {
    holder.transaction = new Transaction()
    return NOTHING
  }

  #commit(holder: Holder): Result {
    const { transaction } = holder
    const noted = this.#noted.get(holder)
    if (transaction?.hasFailed) {
      this.#end(holder)
      throw new StoreError('bug', 'the transaction had failed and was rolled back')
    }
    transaction?.commit(this.tables)
    this.#end(holder)
    if (noted) this.onCommit(noted)
    return NOTHING
  }

  #end(holder: Holder): Result {
    holder.transaction = undefined
    this.#noted.delete(holder)
    for (const [key, owner] of this.#locks) if (owner === holder) this.#locks.delete(key)
    return NOTHING
  }

  /** Returns false when another transaction holds the lock. */
  #lock(holder: Holder, table: TableName, key: string): boolean {
    const name = `${table} ${key}`
    const owner = this.#locks.get(name)
    if (owner && owner !== holder) return false
    this.#locks.set(name, holder)
    return true
  }

  #lockAll(holder: Holder, table: TableName, keys: readonly string[]): boolean {
    return keys.every((key) => this.#lock(holder, table, key))
  }

  readonly #handlers: Readonly<Record<string, Handler | undefined>> = {
    note: (holder, transaction, [number, id]) => {
      const key = String(id)
      if (!this.#lock(holder, 'instance', key)) return BLOCKED
      const row = transaction.get(this.tables, 'instance', key)
      if (row?.['state'] !== 'alive') return NOTHING
      transaction.put('instance', key, { ...row, last_batch: Number(number), heartbeat_ms: this.nowMs })
      this.#noted.set(holder, { instanceId: key, number: Number(number) })
      return { rows: [], changes: 1n }
    },
    lockAccounts: (holder, transaction, [list]) => {
      const keys = listOf(list).filter((key) => this.tables.of('account').has(key))
      if (!this.#lockAll(holder, 'account', keys)) return BLOCKED
      return found(this.#seen(transaction, 'account', keys), ACCOUNT_COLUMNS)
    },
    readHolds: (_holder, transaction, [list]) =>
      found(this.#seen(transaction, 'hold', listOf(list)), HOLD_COLUMNS),
    readEntries: (_holder, transaction, [list]) =>
      found(this.#seen(transaction, 'entry', listOf(list)), ENTRY_COLUMNS),
    insertAccounts: (...call) =>
      this.#insert('account', 'id', readRows(String(call[2][0]), ACCOUNT_FIELDS), call),
    insertHolds: (...call) => this.#insert('hold', 'id', readRows(String(call[2][0]), HOLD_FIELDS), call),
    insertEntries: (...call) =>
      this.#insert('entry', 'op_key', readRows(String(call[2][0]), ENTRY_FIELDS), call),
    updateAccounts: (holder, transaction, [parameter, expected]) => {
      const rows = readRows(String(parameter), ACCOUNT_FIELDS)
      return this.#change({ holder, transaction, table: 'account', rows, expected }, (before, row) =>
        before['version'] === Number(row['version']) - 1 ? row : undefined,
      )
    },
    updateHolds: (holder, transaction, [parameter, expected]) => {
      const rows = readRows(String(parameter), HOLD_FIELDS)
      return this.#change({ holder, transaction, table: 'hold', rows, expected }, (before, row) => ({
        ...before,
        ...Object.fromEntries(HOLD_CHANGED.map((name) => [name, row[name] ?? null])),
      }))
    },
    deleteHolds: (holder, transaction, [parameter, expected]) => {
      const rows = readRows(String(parameter), { id: 'key' })
      return this.#change({ holder, transaction, table: 'hold', rows, expected }, () => 'gone')
    },
    writeLogs: () => NOTHING,
    insertTally: (_holder, _transaction, [parameter]) => ({
      rows: [],
      changes: BigInt(readRows(String(parameter), { subject: 'key' }).length),
    }),
    enter: (_holder, transaction, [id, startedMs]) => {
      const row = { id: String(id), started_ms: Number(startedMs), heartbeat_ms: this.nowMs, state: 'alive' }
      transaction.put('instance', String(id), { ...row, last_batch: 0 })
      return { rows: [], changes: 1n }
    },
    lastBatch: (holder, transaction, [id]) => {
      if (!this.#lock(holder, 'instance', String(id))) return BLOCKED
      const row = transaction.get(this.tables, 'instance', String(id))
      return { rows: row ? [[row['last_batch'] ?? null]] : [], changes: 0n }
    },
    silentInstances: (_holder, _transaction, [ms]) => ({
      rows: [...this.tables.of('instance').values()]
        .filter((row) => this.#isSilent(row, Number(ms)))
        .map((row) => [row['id'] ?? null]),
      changes: 0n,
    }),
    declareDead: (holder, transaction, [id, ms]) => {
      if (!this.#lock(holder, 'instance', String(id))) return BLOCKED
      const row = transaction.get(this.tables, 'instance', String(id))
      if (!row || !this.#isSilent(row, Number(ms))) return NOTHING
      transaction.put('instance', String(id), { ...row, state: 'dead' })
      return { rows: [], changes: 1n }
    },
    orphanedHolds: (_holder, _transaction, [afterId, limit]) => {
      const instances = this.tables.of('instance')
      const orphans = [...this.tables.of('hold').values()]
        .filter((hold) => String(hold['id']) > String(afterId))
        .filter((hold) => instances.get(String(hold['instance_id']))?.['state'] !== 'alive')
        .sort((left, right) => (String(left['id']) < String(right['id']) ? -1 : 1))
      return found(orphans.slice(0, Number(limit)), 'id, user_acct, token_acct')
    },
  }

  #seen(transaction: Transaction, table: TableName, keys: readonly string[]): readonly Row[] {
    return keys.map((key) => transaction.get(this.tables, table, key)).filter((row) => row !== undefined)
  }

  #isSilent(row: Row, ms: number): boolean {
    return row['state'] === 'alive' && Number(row['heartbeat_ms']) < this.nowMs - ms
  }

  #insert(
    table: TableName,
    keyColumn: string,
    rows: readonly Row[],
    [holder, transaction]: Parameters<Handler>,
  ): Result | typeof BLOCKED {
    const keys = rows.map((row) => String(row[keyColumn]))
    if (!this.#lockAll(holder, table, keys)) return BLOCKED
    for (const [index, key] of keys.entries()) {
      if (transaction.get(this.tables, table, key))
        throw new StoreError('constraint', `${table} ${key} is there already`, UNIQUE_VIOLATION)
      const row = rows[index]
      if (row) check(table, row)
      transaction.put(table, key, row)
    }
    return { rows: [], changes: BigInt(rows.length) }
  }

  #change(
    { holder, transaction, table, rows, expected }: Change,
    next: (before: Row, row: Row) => Row | 'gone' | undefined,
  ): Result | typeof BLOCKED {
    const keys = rows.map((row) => String(row['id']))
    if (!this.#lockAll(holder, table, keys)) return BLOCKED
    let hits = 0
    for (const [index, key] of keys.entries()) {
      const before = transaction.get(this.tables, table, key)
      const row = rows[index]
      const after = before && row && next(before, row)
      if (after === undefined) continue
      hits++
      if (after !== 'gone') check(table, after)
      transaction.put(table, key, after === 'gone' ? undefined : after)
    }
    if (expected !== undefined && hits !== expected) throw new StoreError('bug', 'division by zero')
    return { rows: [], changes: BigInt(hits) }
  }
}

type Handler = (
  holder: Holder,
  transaction: Transaction,
  parameters: readonly unknown[],
) => Result | typeof BLOCKED

interface Change {
  readonly holder: Holder
  readonly transaction: Transaction
  readonly table: TableName
  readonly rows: readonly Row[]
  readonly expected: unknown
}

const NOTHING: Result = { rows: [], changes: 0n }

function listOf(list: unknown): readonly string[] {
  const values: unknown = JSON.parse(String(list))
  return Array.isArray(values) ? values.map(String) : []
}

function found(rows: readonly Row[], columns: string): Result {
  return { rows: rows.map((row) => pick(row, columns)), changes: 0n }
}

/**
 * Constraints of the account table: granted + debt = remaining + reserved + used, no negative part, no debt
 * while quota remains, and no negative exposure.
 */
function check(table: TableName, row: Row): void {
  if (table !== 'account') return
  const { granted, remaining, reserved, used, debt, exposed } = toAccount(pick(row, ACCOUNT_COLUMNS))
  const isSound =
    granted + debt === remaining + reserved + used &&
    [remaining, reserved, used, debt, exposed].every((part) => part >= 0n) &&
    (remaining === 0n || debt === 0n)
  if (!isSound) throw new StoreError('constraint', 'a check of the account table failed')
}
