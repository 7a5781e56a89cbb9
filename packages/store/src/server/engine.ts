import type { StoreError } from '../database/errors.ts'
import type { Traits } from '../database/traits.ts'
import type { ServerAddress } from './address.ts'
import type { ConnectOptions, ServerConnection } from './connection.ts'
import type { SqlGrammar } from './kysely-dialect.ts'

/** The differences between PostgreSQL and MySQL/MariaDB when a database is opened. */
export interface ServerEngine {
  readonly address: ServerAddress
  readonly grammar: SqlGrammar
  /** Rejects with the driver's own error, for {@link explain} or {@link toStoreError}. */
  connect(options: ConnectOptions): Promise<ServerConnection>
  toStoreError(error: unknown): StoreError
  /**
   * Turns an error into a sentence for the operator that says why the database cannot be used. An error of
   * kind `bug` is returned unchanged.
   */
  explain(error: unknown): Error
  /**
   * Rejects with a {@link StoreOpenError} if the server lacks a feature that the store needs. Returns the
   * engine's traits.
   */
  check(connection: ServerConnection): Promise<Traits>
  /** Rejects with a {@link StoreOpenError} if a pooler gives one connection to several sessions in turn. */
  refusePooler?(connection: ServerConnection): Promise<void>
  /** Table names in the schema where Tollgate's tables are or would be created. */
  tables(connection: ServerConnection): Promise<readonly string[]>
  /** Tries to take the migration lock without waiting. The lock ends with the connection. */
  tryLock(connection: ServerConnection): Promise<boolean>
  /** Called after the tables exist and before the first query. */
  prepare(connection: ServerConnection): Promise<void>
}
