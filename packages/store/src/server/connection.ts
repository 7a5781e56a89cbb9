import type { QueryAnswer } from '../sqlite/connection.ts'
import { StoreError } from '../database/errors.ts'

export type { QueryAnswer } from '../sqlite/connection.ts'

/**
 * One connection to a database server. Statements are answered in the order in which they were sent. Rows
 * have the same types as those of the SQLite connection: money is bigint, every other integer a number,
 * booleans 0 or 1.
 */
export interface ServerConnection {
  /** The server's id of this connection; another connection can use it to end this one. */
  readonly serverId: number
  /** False for good once the connection is broken or closed. */
  readonly isUsable: boolean
  /** Rejects with a {@link StoreError}. A statement with a name is prepared once per connection. */
  query(sql: string, parameters?: readonly unknown[], options?: QueryOptions): Promise<QueryAnswer>
  /** Closes the connection at once and rejects everything in progress. */
  destroy(): void
  /** Closes the connection in order. Never rejects. */
  close(): Promise<void>
}

export interface QueryOptions {
  /** Name for a statement on a hot path. A name must always be used with the same text. */
  readonly name?: string
}

export interface ConnectOptions {
  /** Maximum duration of a statement; after that the connection is given up. */
  readonly statementMs: number
  /** How long the server keeps an idle transaction and its locks. */
  readonly silentTransactionMs: number
  /**
   * How long the server keeps an idle connection, for servers that cannot limit idle transactions separately.
   */
  readonly silentConnectionMs?: number
  /** How long a statement waits for a lock of another transaction. */
  readonly lockMs: number
  /** Maximum duration of connecting. */
  readonly connectMs: number
  /** Statements may be sent before earlier ones have been answered. */
  readonly isPipelined?: boolean
  /** Every statement finds its rows by key, so a plan that scans a whole table is never right. */
  readonly isKeyed?: boolean
}

/**
 * Waits for `answer` for at most `ms`, then calls `giveUp` and rejects. This detects a network that drops
 * packets silently, where neither side notices that the other is gone.
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
