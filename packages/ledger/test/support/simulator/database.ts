import { StoreError } from '@tollgate/store/database/errors'
import {
  accountTable,
  allotmentTable,
  entryTable,
  holdTable,
  journalTable,
  priceTable,
  rejectedTable,
} from '../../../src/rows/tables.ts'
import type { RowTable } from '../../../src/rows/table.ts'
import { check, keyOf, listOf } from './row-rules.ts'
import { type Row, pick, readRows } from './rows.ts'
import { BLOCKED, type Holder, type Request, type Result } from './database-types.ts'
import { type TableName, Tables, Transaction } from './tables.ts'

/** SQLite's error code, known on every engine. */
const UNIQUE_VIOLATION = { code: 2067 }

/**
 * A database server reduced to what the ledger uses: transactions that see committed data, row locks until the
 * end of the transaction, and unique keys that wait for a transaction that wrote the same key.
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
      return found(this.#seen(transaction, 'account', keys), accountTable.columns)
    },
    readHolds: (_holder, transaction, [list]) =>
      found(this.#priced(transaction, this.#seen(transaction, 'hold', listOf(list))), holdTable.columns),
    readEntries: (_holder, transaction, [list]) =>
      found(this.#priced(transaction, this.#seen(transaction, 'entry', listOf(list))), entryTable.columns),
    readAllotments: (_holder, transaction, [list]) => {
      const accounts = new Set(listOf(list))
      const keys = transaction.keys(this.tables, 'allotment')
      const rows = this.#seen(transaction, 'allotment', keys)
      return found(
        rows.filter((row) => accounts.has(String(row['account_id']))),
        allotmentTable.columns,
      )
    },
    lockJournals: (holder, transaction, [list]) => {
      const keys = listOf(list).filter((key) => this.tables.of('journal').has(key))
      if (!this.#lockAll(holder, 'journal', keys)) return BLOCKED
      return found(this.#seen(transaction, 'journal', keys), journalTable.columns)
    },
    insertAccounts: this.#inserting('account', accountTable),
    insertPrices: (holder, transaction, [parameter]) => {
      const rows = readRows(String(parameter), priceTable.words)
      const keys = rows.map((row) => keyOf(row, priceTable.keys))
      if (!this.#lockAll(holder, 'price', keys)) return BLOCKED
      for (const [index, key] of keys.entries()) transaction.put('price', key, rows[index])
      return NOTHING
    },
    insertHolds: this.#inserting('hold', holdTable),
    insertEntries: this.#inserting('entry', entryTable, ['op_key']),
    insertAllotments: this.#inserting('allotment', allotmentTable),
    insertJournals: this.#inserting('journal', journalTable),
    insertRejected: this.#inserting('journal_rejected', rejectedTable, ['file_id', 'position']),
    updateAccounts: this.#updating('account', accountTable),
    updateHolds: this.#updating('hold', holdTable),
    updateAllotments: this.#updating('allotment', allotmentTable),
    updateJournals: this.#updating('journal', journalTable),
    deleteHolds: this.#deleting('hold', holdTable),
    deleteAllotments: this.#deleting('allotment', allotmentTable),
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
      return found(orphans.slice(0, Number(limit)), ['id', 'user_acct', 'token_acct'])
    },
    orphanedAllotments: (_holder, _transaction, [limit]) => {
      const instances = this.tables.of('instance')
      const orphans = [...this.tables.of('allotment').values()].filter(
        (row) => instances.get(String(row['instance_id']))?.['state'] !== 'alive',
      )
      return found(orphans.slice(0, Number(limit)), ['instance_id', 'account_id'])
    },
  }

  #inserting<State extends object>(
    table: TableName,
    { words, keys: own }: RowTable<State>,
    keys: readonly string[] = own,
  ): Handler {
    return (holder, transaction, [parameter]) => {
      const rows = readRows(String(parameter), words)
      return this.#insert({ holder, transaction, table, rows, keys, expected: undefined })
    }
  }

  #updating<State extends object>(
    table: TableName,
    { words, keys, changed, isVersioned }: RowTable<State>,
  ): Handler {
    return (holder, transaction, [parameter, expected]) => {
      const rows = readRows(String(parameter), words)
      return this.#change({ holder, transaction, table, rows, keys, expected }, (before, row) => {
        if (isVersioned && before['version'] !== Number(row['version']) - 1) return undefined
        return { ...before, ...Object.fromEntries(changed.map((name) => [name, row[name] ?? null])) }
      })
    }
  }

  #deleting<State extends object>(table: TableName, { words, keys }: RowTable<State>): Handler {
    return (holder, transaction, [parameter, expected]) => {
      const rows = readRows(String(parameter), words)
      return this.#change({ holder, transaction, table, rows, keys, expected }, () => 'gone')
    }
  }

  #seen(transaction: Transaction, table: TableName, keys: readonly string[]): readonly Row[] {
    return keys.map((key) => transaction.get(this.tables, table, key)).filter((row) => row !== undefined)
  }

  /** Statements read the price itself in place of its hash. */
  #priced(transaction: Transaction, rows: readonly Row[]): readonly Row[] {
    return rows.map((row) => {
      const price = transaction.get(this.tables, 'price', String(row['price_hash']))
      return { ...row, price_hash: price?.['content'] ?? null }
    })
  }

  #isSilent(row: Row, ms: number): boolean {
    return row['state'] === 'alive' && Number(row['heartbeat_ms']) < this.nowMs - ms
  }

  #insert({ holder, transaction, table, rows, keys: columns }: Change): Result | typeof BLOCKED {
    const keys = rows.map((row) => keyOf(row, columns))
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
    { holder, transaction, table, rows, keys: columns, expected }: Change,
    next: (before: Row, row: Row) => Row | 'gone' | undefined,
  ): Result | typeof BLOCKED {
    const keys = rows.map((row) => keyOf(row, columns))
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
  /** Columns of the key. */
  readonly keys: readonly string[]
  readonly expected: unknown
}

const NOTHING: Result = { rows: [], changes: 0n }

function found(rows: readonly Row[], columns: readonly string[]): Result {
  return { rows: rows.map((row) => pick(row, columns)), changes: 0n }
}
