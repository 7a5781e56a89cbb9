import type { SqliteValue } from '@tollgate/store/sqlite/connection'
import type { Transaction } from './tables.ts'

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
