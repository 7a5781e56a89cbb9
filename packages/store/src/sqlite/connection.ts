import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { StoreError, type StoreErrorKind } from '../database/errors.ts'
import { isMoneyColumn } from '../tables/money-columns.ts'
import { type BoundValue, toBound } from '../server/values.ts'

export type SqliteValue = BoundValue

/**
 * Rows are arrays, which are compact to send between threads. Money columns are bigint, every other integer
 * is a number.
 */
export interface QueryAnswer {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqliteValue[])[]
  readonly changes: bigint
  readonly insertId: bigint
}

/** Called before every statement; a test throws from it to break the connection at a chosen point. */
export type BeforeStatement = (sql: string) => void

const NOTHING_DONE: QueryAnswer = { columns: [], rows: [], changes: 0n, insertId: 0n }

const CACHED_STATEMENTS_MAX = 500

/**
 * A synchronous connection with cached statements, which reports every failure as a {@link StoreError}. It
 * belongs to the thread that opened it.
 */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #before: BeforeStatement | undefined
  readonly #cache = new Map<string, Prepared>()

  constructor(database: DatabaseSync, before?: BeforeStatement) {
    this.#database = database
    this.#before = before
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** Runs any statement with generic value conversion, for Kysely. */
  query(sql: string, parameters: readonly unknown[]): QueryAnswer {
    // SQLite itself has rolled back the transaction in which it found no room.
    if (sql === 'rollback' && !this.isInTransaction) return NOTHING_DONE
    const prepared = this.#cached(sql)
    return this.#guard(sql, () => prepared.query(parameters.map(toBound)))
  }

  /** Runs a statement without parameters and rows: pragma, begin, commit. */
  execute(sql: string): void {
    this.#guard(sql, () => this.#database.exec(sql))
  }

  /**
   * Prepares a statement for a hot path. Its rows are arrays, integers are bigint, and integer parameters
   * must be bigint.
   */
  prepare(sql: string): HotStatement {
    const statement = this.#guard(sql, () =>
      this.#database.prepare(sql, { readBigInts: true, returnArrays: true }),
    )
    return new HotStatement(statement, (run) => this.#guard(sql, run))
  }

  /** Runs `work` in one write transaction. */
  transaction<T>(work: () => T): T {
    this.execute('begin immediate')
    try {
      const result = work()
      this.execute('commit')
      return result
    } catch (error) {
      this.rollback()
      throw error
    }
  }

  /** After some I/O errors SQLite has already rolled back. */
  rollback(): void {
    if (this.#database.isTransaction) this.#database.exec('rollback')
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close()
  }

  #cached(sql: string): Prepared {
    const known = this.#cache.get(sql)
    if (known) return known
    if (this.#cache.size >= CACHED_STATEMENTS_MAX || /^\s*(create|alter|drop)\b/i.test(sql))
      this.#cache.clear()
    const statement = this.#guard(sql, () =>
      this.#database.prepare(sql, { readBigInts: true, returnArrays: true }),
    )
    const prepared = new Prepared(statement)
    this.#cache.set(sql, prepared)
    return prepared
  }

  #guard<T>(sql: string, run: () => T): T {
    try {
      this.#before?.(sql)
      return run()
    } catch (error) {
      throw toStoreError(error)
    }
  }
}

export class HotStatement {
  readonly #statement: StatementSync
  readonly #guard: <T>(run: () => T) => T

  constructor(statement: StatementSync, guard: <T>(run: () => T) => T) {
    this.#statement = statement
    this.#guard = guard
  }

  run(...parameters: SQLInputValue[]): bigint {
    return this.#guard(() => BigInt(this.#statement.run(...parameters).changes))
  }

  get(...parameters: SQLInputValue[]): readonly SqliteValue[] | undefined {
    return this.#guard(() => asArray(this.#statement.get(...parameters)))
  }

  all(...parameters: SQLInputValue[]): readonly (readonly SqliteValue[])[] {
    return this.#guard(() => this.#statement.all(...parameters).map((row) => asArray(row) ?? []))
  }

  *iterate(...parameters: SQLInputValue[]): Generator<readonly SqliteValue[]> {
    for (const row of this.#guard(() => this.#statement.iterate(...parameters))) yield asArray(row) ?? []
  }
}

class Prepared {
  readonly #statement: StatementSync
  readonly #columns: readonly string[]
  readonly #isMoney: readonly boolean[]

  constructor(statement: StatementSync) {
    this.#statement = statement
    const columns = statement.columns()
    this.#columns = columns.map((column) => column.name)
    this.#isMoney = columns.map((column) => isMoneyColumn(column.column ?? column.name))
  }

  query(parameters: readonly SQLInputValue[]): QueryAnswer {
    if (this.#columns.length > 0) {
      const rows = this.#statement.all(...parameters).map((row) => this.#convert(asArray(row) ?? []))
      return { columns: this.#columns, rows, changes: BigInt(rows.length), insertId: 0n }
    }
    const { changes, lastInsertRowid } = this.#statement.run(...parameters)
    return { columns: [], rows: [], changes: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  #convert(row: readonly SqliteValue[]): readonly SqliteValue[] {
    return row.map((value, index) =>
      typeof value === 'bigint' && !this.#isMoney[index] ? this.#toNumber(value, index) : value,
    )
  }

  #toNumber(value: bigint, index: number): number {
    const number = Number(value)
    if (Number.isSafeInteger(number)) return number
    throw new StoreError('bug', `column ${this.#columns[index]} is no money column but holds ${value}`)
  }
}

/** The types of node:sqlite declare rows as records even when arrays were requested. */
function asArray(row: unknown): readonly SqliteValue[] | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every statement here is prepared with returnArrays
  return row as readonly SqliteValue[] | undefined
}

const CONSTRAINT = 19
const BUSY = new Set([5, 6])
const FULL = 13
/** nomem, readonly, ioerr, corrupt, cantopen, protocol, notadb. */
const FATAL = new Set([7, 8, 10, 11, 14, 15, 26])

export function toStoreError(error: unknown): Error {
  if (error instanceof StoreError || !(error instanceof Error)) return asError(error)
  const code = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined
  if (code === undefined) return error
  return new StoreError(kindOf(code & 0xff), error.message, { code, cause: error })
}

function kindOf(primaryCode: number): StoreErrorKind {
  if (primaryCode === CONSTRAINT) return 'constraint'
  if (BUSY.has(primaryCode)) return 'busy'
  if (primaryCode === FULL) return 'full'
  return FATAL.has(primaryCode) ? 'fatal' : 'bug'
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
