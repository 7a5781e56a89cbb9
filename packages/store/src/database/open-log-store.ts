import { randomToken } from '@tollgate/kit/ids'
import { StoreOpenError } from './errors.ts'
import { type OpenStoreOptions, type Store, openStore } from './open-store.ts'
import type { Db } from '../tables/schema.ts'

/**
 * Opens the database, of any kind, to which the usage log is moved. It has all tables, of which only the log
 * is used. Rejects with a {@link StoreOpenError} when it is the main database under another name, because
 * moving would then empty the log.
 */
export async function openLogStore(main: Db, options: OpenStoreOptions): Promise<Store> {
  const store = await openStore(options).catch(named)
  try {
    if (!(await isSame(main, store.db))) return store
  } catch (error) {
    await store.close()
    throw error
  }
  await store.close()
  throw new StoreOpenError(
    'bad_dsn',
    'LOG_SQL_DSN names the database that everything else is in: name another one.',
  )
}

/** Renames the variable in the message: errors of a database say SQL_DSN, but here LOG_SQL_DSN is meant. */
function named(error: unknown): never {
  if (!(error instanceof StoreOpenError)) throw error
  const { reason, message } = error
  const text = message.startsWith('SQL_DSN') ? `LOG_${message}` : `LOG_SQL_DSN: ${message}`
  throw new StoreOpenError(reason, text, { cause: error })
}

async function isSame(main: Db, other: Db): Promise<boolean> {
  const name = `log-database ${randomToken(12)}`
  await other.insertInto('watermarks').values({ name, position: 0 }).execute()
  const seen = await main.selectFrom('watermarks').select('name').where('name', '=', name).execute()
  await other.deleteFrom('watermarks').where('name', '=', name).execute()
  return seen.length > 0
}
