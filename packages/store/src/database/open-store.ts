import { StoreOpenError } from './errors.ts'
import { isServerDsn } from '../server/dsn.ts'
import { type ServerStore, type ServerStoreOptions, openServerStore } from '../server/open-server-store.ts'
import { type EmbeddedStore, type SqliteStoreOptions, openSqliteStore } from '../sqlite/open-sqlite-store.ts'

/** An embedded store has `remote` and a server store has `server`; only the ledger uses these. */
export type Store = EmbeddedStore | ServerStore

/**
 * `dsn` names a server (see `server/dsn.ts`); without one, the file at `sqlitePath` is opened, which is then
 * required.
 */
export type OpenStoreOptions = Partial<SqliteStoreOptions> & Partial<ServerStoreOptions>

/**
 * Opens the database, checks it and brings its schema up to date. Rejects with a {@link
 * import('./errors.ts').StoreOpenError} whose message is meant for the operator.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { dsn = '', sqlitePath } = options
  if (isServerDsn(dsn)) return openServerStore({ ...options, dsn })
  if (!sqlitePath) throw new StoreOpenError('bad_dsn', 'Neither SQL_DSN nor SQLITE_PATH names a database.')
  return openSqliteStore({ ...options, sqlitePath })
}
