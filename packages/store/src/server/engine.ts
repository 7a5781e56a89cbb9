import type { StoreError } from '../errors.ts'
import type { Traits } from '../traits.ts'
import type { ServerAddress } from './address.ts'
import type { ConnectOptions, ServerConnection } from './connection.ts'
import type { SqlGrammar } from './kysely-dialect.ts'

/** What opening a database needs to know of PostgreSQL, and of MySQL and MariaDB. */
export interface ServerEngine {
  readonly address: ServerAddress
  readonly grammar: SqlGrammar
  /** Rejects with the driver's own error, for {@link explain} or {@link toStoreError}. */
  connect(options: ConnectOptions): Promise<ServerConnection>
  toStoreError(error: unknown): StoreError
  /** Why the database cannot be used, in a sentence for the operator; what is a bug of ours stays as it is. */
  explain(error: unknown): Error
  /** Refuses, with a {@link StoreOpenError}, a server that cannot do what we rely on; answers with its traits. */
  check(connection: ServerConnection): Promise<Traits>
  /** Tables in the place where ours are, or would be. */
  tables(connection: ServerConnection): Promise<readonly string[]>
  /** Takes the lock of those who change tables, without waiting. It ends with the connection. */
  tryLock(connection: ServerConnection): Promise<boolean>
  /** After the tables are there, before the first query. */
  prepare(connection: ServerConnection): Promise<void>
}
