import {
  type CompiledQuery,
  CompiledQuery as Query,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { StoreError } from '../database/errors.ts'
import { toResult } from '../database/query-result.ts'
import type { QueryAnswer } from './connection.ts'

/** Executes the dialect's statements. Reads outside a transaction may run on another connection. */
export interface SqlPort {
  read(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer>
  write(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer>
  /** Starts a transaction. Until it ends, only `write` of the returned session reaches the writer. */
  begin(): Promise<WriteSession>
}
export interface WriteSession {
  write(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer>
  commit(): Promise<void>
  rollback(): Promise<void>
}

export function sqliteDialect(port: SqlPort): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => new PortDriver(port),
  }
}

class PortDriver implements Driver {
  readonly #port: SqlPort

  constructor(port: SqlPort) {
    this.#port = port
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PortConnection> {
    return new PortConnection(this.#port)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    asPortConnection(connection).session = await this.#port.begin()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asPortConnection(connection).takeSession()?.commit()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await asPortConnection(connection).takeSession()?.rollback()
  }

  async savepoint(
    connection: DatabaseConnection,
    name: string,
    _compile: SqliteQueryCompiler['compileQuery'],
  ): Promise<void> {
    await connection.executeQuery(Query.raw(`savepoint "${name}"`))
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(Query.raw(`rollback to "${name}"`))
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await connection.executeQuery(Query.raw(`release "${name}"`))
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await asPortConnection(connection).takeSession()?.rollback()
  }

  async destroy(): Promise<void> {}
}

class PortConnection implements DatabaseConnection {
  readonly #port: SqlPort
  session: WriteSession | undefined

  constructor(port: SqlPort) {
    this.#port = port
  }

  takeSession(): WriteSession | undefined {
    const session = this.session
    this.session = undefined
    return session
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    if (this.session) return toResult(await this.session.write(sql, parameters))
    const answer = isRead(query) ? this.#port.read(sql, parameters) : this.#port.write(sql, parameters)
    return toResult(await answer)
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    yield await Promise.reject(new StoreError('bug', 'streaming reads are not offered: read in pages'))
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (query.kind === 'RawNode' && /^\s*(select|explain)\b/i.test(sql))
}

/** Kysely passes back the connection that this driver created. */
function asPortConnection(connection: DatabaseConnection): PortConnection {
  if (connection instanceof PortConnection) return connection
  throw new StoreError('bug', 'a connection of another driver')
}
