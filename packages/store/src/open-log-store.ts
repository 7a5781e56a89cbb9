import { randomToken } from '@tollgate/kit/ids'
import type { Kysely } from 'kysely'
import { StoreOpenError } from './errors.ts'
import { type OpenStoreOptions, type Store, openStore } from './open-store.ts'
import type { Database } from './schema.ts'

/**
 * The database that the usage log is moved to, of any kind. It has all tables, of which only the log is used. Rejects with
 * a {@link StoreOpenError} when it is the main one under another name: moving would empty the log.
 */
export async function openLogStore(main: Kysely<Database>, options: OpenStoreOptions): Promise<Store> {
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

/** Sentences about a database say SQL_DSN where they name a variable. */
function named(error: unknown): never {
  if (!(error instanceof StoreOpenError)) throw error
  const { reason, message } = error
  const text = message.startsWith('SQL_DSN') ? `LOG_${message}` : `LOG_SQL_DSN: ${message}`
  throw new StoreOpenError(reason, text, { cause: error })
}

async function isSame(main: Kysely<Database>, other: Kysely<Database>): Promise<boolean> {
  const name = `log-database ${randomToken(12)}`
  await other.insertInto('watermarks').values({ name, position: 0 }).execute()
  const seen = await main.selectFrom('watermarks').select('name').where('name', '=', name).execute()
  await other.deleteFrom('watermarks').where('name', '=', name).execute()
  return seen.length > 0
}
