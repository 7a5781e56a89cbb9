import { StoreError } from '@tollgate/store/database/errors'
import type { QueryAnswer, ServerConnection } from '@tollgate/store/server/connection'
import type { SimulatedDatabase } from './database.ts'
import { BLOCKED, type Holder, type Request } from './database-types.ts'
import type { Transaction } from './tables.ts'

interface Sent {
  readonly request: Request
  readonly resolve: (answer: QueryAnswer) => void
  readonly reject: (error: unknown) => void
}

/**
 * A connection where each statement waits for the scheduler. Statements sent before the connection broke may
 * still reach the server; the client then never learns their result.
 */
export class Wire implements ServerConnection, Holder {
  readonly serverId = 0
  readonly node: string
  transaction: Transaction | undefined
  readonly #database: SimulatedDatabase
  #queue: Sent[] = []
  #isBroken = false
  #isDone = false

  constructor(database: SimulatedDatabase, node: string) {
    this.#database = database
    this.node = node
  }

  get isUsable(): boolean {
    return !this.#isBroken
  }

  /** Whether the server still has work to do for this connection. */
  get isWaiting(): boolean {
    return this.#queue.length > 0 || (this.#isBroken && !this.#isDone)
  }

  get hasSent(): boolean {
    return !this.#isBroken && this.#queue.length > 0
  }

  /** Whether a commit is in flight: if the connection breaks now, its outcome is unknown to the client. */
  get isEnding(): boolean {
    return this.hasSent && this.#queue.at(-1)?.request.name === 'commit'
  }

  query(sql: string, parameters: readonly unknown[] = []): Promise<QueryAnswer> {
    if (this.#isBroken) return Promise.reject(new StoreError('unreachable', 'the connection is gone'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ request: { name: sql, parameters }, resolve, reject })
    })
  }

  /** Executes the next statement; returns false when it has to wait for another connection. */
  step(): boolean {
    const next = this.#queue[0]
    if (!next) {
      if (this.#isBroken) this.#finish()
      return true
    }
    try {
      const result = this.#database.execute(this, next.request)
      if (result === BLOCKED) return false
      this.#queue.shift()
      next.resolve({ columns: [], insertId: 0n, ...result })
    } catch (error) {
      this.#queue.shift()
      next.reject(error)
    }
    if (this.#isBroken && this.#queue.length === 0) this.#finish()
    return true
  }

  /** Fails the next statement with a lock timeout of the server. */
  fail(): void {
    const next = this.#queue.shift()
    if (!next) return
    if (this.transaction) this.transaction.hasFailed = true
    next.reject(new StoreError('busy', 'lock timeout'))
  }

  /**
   * Breaks the connection: the client receives nothing more, and the server still executes the first
   * `reaching` statements in flight.
   */
  cut(reaching: number): void {
    if (this.#isBroken) return
    this.#isBroken = true
    for (const { reject } of this.#queue) reject(new StoreError('unreachable', 'the connection broke'))
    this.#queue = this.#queue.slice(0, reaching)
    if (this.#queue.length === 0) this.#finish()
  }

  get underWay(): number {
    return this.#queue.length
  }

  destroy(): void {
    this.cut(0)
  }

  async close(): Promise<void> {
    this.cut(0)
  }

  #finish(): void {
    this.#isDone = true
    this.#database.abandon(this)
  }
}
