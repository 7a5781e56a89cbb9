import { StoreError } from '../database/errors.ts'
import type { ServerConnection } from './connection.ts'

export interface PoolOptions {
  /** Rejects with a {@link StoreError}. */
  readonly connect: () => Promise<ServerConnection>
  readonly connectionsMax: number
  /** How long a caller waits for a connection while all are in use. */
  readonly waitMs: number
  /** How long an unused connection stays open. */
  readonly idleMs: number
}

interface Idle {
  readonly connection: ServerConnection
  readonly sinceMs: number
}

interface Waiting {
  readonly resolve: (connection: ServerConnection) => void
  readonly reject: (error: Error) => void
}

/**
 * A connection pool. A connection serves one caller at a time; it is opened when needed and closed when it is
 * broken or has been unused for too long.
 */
export class ServerPool {
  readonly #options: PoolOptions
  readonly #idle: Idle[] = []
  readonly #waiting: Waiting[] = []
  readonly #sweeper: NodeJS.Timeout
  #open = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#sweeper = setInterval(() => this.#closeUnused(), options.idleMs)
    this.#sweeper.unref()
  }

  /** Reuses the most recently used connection, so that the others become idle long enough to be closed. */
  async acquire(): Promise<ServerConnection> {
    if (this.#isClosed) throw new StoreError('unreachable', 'the connections to the database are closed')
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (idle.connection.isUsable) return idle.connection
      this.#open--
    }
    if (this.#open < this.#options.connectionsMax) return this.#connect()
    return this.#wait()
  }

  /** Every acquired connection must be released exactly once, whether it still works or not. */
  release(connection: ServerConnection): void {
    if (this.#isClosed || !connection.isUsable) {
      this.#open--
      void connection.close()
      this.#connectForNext()
      return
    }
    const next = this.#waiting.shift()
    if (next) next.resolve(connection)
    else this.#idle.push({ connection, sinceMs: performance.now() })
  }

  /** Runs `work` with a connection that no other caller uses meanwhile. */
  async use<T>(work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    const connection = await this.acquire()
    try {
      return await work(connection)
    } finally {
      this.release(connection)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweeper)
    for (const waiting of this.#waiting.splice(0))
      waiting.reject(new StoreError('unreachable', 'the connections to the database are closed'))
    await Promise.all(this.#idle.splice(0).map(({ connection }) => connection.close()))
  }

  async #connect(): Promise<ServerConnection> {
    this.#open++
    try {
      return await this.#options.connect()
    } catch (error) {
      this.#open--
      throw error
    }
  }

  #wait(): Promise<ServerConnection> {
    const { waitMs } = this.#options
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        resolve: (connection) => {
          clearTimeout(timer)
          resolve(connection)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new StoreError('unreachable', `no connection to the database became free within ${waitMs} ms`))
      }, waitMs)
      this.#waiting.push(waiting)
    })
  }

  /** A broken connection leaves room for a new one, which goes to the next waiting caller. */
  #connectForNext(): void {
    const next = this.#isClosed ? undefined : this.#waiting.shift()
    if (next) this.#connect().then(next.resolve, next.reject)
  }

  #closeUnused(): void {
    const oldestMs = performance.now() - this.#options.idleMs
    while (this.#idle[0] && (this.#idle[0].sinceMs < oldestMs || !this.#idle[0].connection.isUsable)) {
      void this.#idle.shift()?.connection.close()
      this.#open--
    }
  }
}
