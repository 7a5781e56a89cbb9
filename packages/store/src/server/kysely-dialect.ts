import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { StoreError } from '../database/errors.ts'
import { toResult } from '../database/query-result.ts'
import type { ServerConnection } from './connection.ts'
import type { ServerPool } from './pool.ts'

/** Adapter, query compiler and introspector of an engine; the connections come from the pool. */
export type SqlGrammar = Omit<Dialect, 'createDriver'>

/** A Kysely dialect over a pool. Destroying Kysely does not close the pool; its creator closes it. */
export function serverDialect(pool: ServerPool, grammar: SqlGrammar): Dialect {
  return { ...grammar, createDriver: () => new PoolDriver(pool) }
}

class PoolDriver implements Driver {
  readonly #pool: ServerPool

  constructor(pool: ServerPool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PooledConnection> {
    return new PooledConnection(await this.#pool.acquire())
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel || settings.accessMode)
      throw new StoreError('bug', 'transactions are read committed, as every connection is set up')
    await ours(connection).run('begin')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await ours(connection).run('commit')
  }

  /** A connection that cannot roll back is closed. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const { connection: server } = ours(connection)
    await server.query('rollback').catch(() => server.destroy())
  }

  async savepoint(
    connection: DatabaseConnection,
    name: string,
    _compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await ours(connection).run(`savepoint ${name}`)
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await ours(connection).run(`rollback to savepoint ${name}`)
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await ours(connection).run(`release savepoint ${name}`)
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#pool.release(ours(connection).connection)
  }

  async destroy(): Promise<void> {}
}

class PooledConnection implements DatabaseConnection {
  readonly connection: ServerConnection

  constructor(connection: ServerConnection) {
    this.connection = connection
  }

  async run(sql: string): Promise<void> {
    await this.connection.query(sql)
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return toResult(await this.connection.query(sql, parameters))
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    yield await Promise.reject(new StoreError('bug', 'streaming reads are not offered: read in pages'))
  }
}

/** Kysely passes back the connection that this driver created. */
function ours(connection: DatabaseConnection): PooledConnection {
  if (connection instanceof PooledConnection) return connection
  throw new StoreError('bug', 'a connection of another driver')
}
