import type { QueryAnswer } from '../sqlite/connection.ts'
import { StoreError } from '../errors.ts'

export type { QueryAnswer } from '../sqlite/connection.ts'

/**
 * One connection to a database server. Statements are answered in the order they were sent, and rows come as SQLite's
 * connection gives them: money as bigint, every other integer as a number, truth as 0 or 1.
 */
export interface ServerConnection {
  /** The server's number of this connection, by which another one may end it. */
  readonly serverId: number
  /** False for good once it broke or was closed. */
  readonly isUsable: boolean
  /** Rejects with a {@link StoreError}. A named statement is prepared once per connection. */
  query(sql: string, parameters?: readonly unknown[], options?: QueryOptions): Promise<QueryAnswer>
  /** Ends it at once; whatever is under way is rejected. */
  destroy(): void
  /** Says goodbye to the server. Never rejects. */
  close(): Promise<void>
}

export interface QueryOptions {
  /** A statement of a hot path. One name, one text. */
  readonly name?: string
}

export interface ConnectOptions {
  /** How long a statement may run before the connection is given up. */
  readonly statementMs: number
  /** How long the server keeps a transaction whose connection has fallen silent, with its locks. */
  readonly silentTransactionMs: number
  /** How long the server keeps a silent connection, where it cannot tell silent transactions from others. */
  readonly silentConnectionMs?: number
  /** How long a statement waits for rows that another transaction has locked. */
  readonly lockMs: number
  /** How long connecting may take. */
  readonly connectMs: number
  /** Statements may be sent before the ones ahead of them are answered. */
  readonly isPipelined?: boolean
  /** Every statement finds its rows by their keys: no plan that reads a table from end to end is ever right. */
  readonly isKeyed?: boolean
}

/**
 * `answer`, unless it takes longer than `ms`: then `giveUp` is called and the promise rejects. It catches a network that
 * swallows packets, where neither side hears of the other's end.
 */
export function withDeadline<T>(answer: Promise<T>, ms: number, giveUp: () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new StoreError('unreachable', `the database did not answer within ${ms} ms`))
      giveUp()
    }, ms)
    timer.unref()
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
