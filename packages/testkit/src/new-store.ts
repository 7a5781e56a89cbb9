import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { type OpenStoreOptions, type Store, openStore } from '@tollgate/store/database/open-store'

/** Since Node 24.16. */
const hasCopiesInMemory = 'deserialize' in DatabaseSync.prototype

let image: Promise<Uint8Array> | undefined

/**
 * Opens a store as `openStore` does. A new SQLite database is a copy of one with the current schema, because
 * all migrations together take 0.1 s of CPU time and tests open thousands of databases.
 */
export async function openNewStore(options: OpenStoreOptions): Promise<Store> {
  const { dsn = '', sqlitePath } = options
  if (isServerDsn(dsn) || !sqlitePath) return openStore(options)
  const isMemory = sqlitePath === ':memory:'
  if (isMemory && hasCopiesInMemory)
    return openStore({ ...options, inline: { ...options.inline, image: await migrated() } })
  if (!isMemory && !existsSync(sqlitePath)) await writeNewDatabase(sqlitePath)
  return openStore(options)
}

/** Creates a database file with the current schema and no rows. */
export async function writeNewDatabase(path: string): Promise<void> {
  writeFileSync(path, await migrated(), { mode: 0o600 })
}

/** The bytes of an empty database with the current schema. */
function migrated(): Promise<Uint8Array> {
  return (image ??= migrate())
}

async function migrate(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-schema-'))
  const path = join(folder, 'new.db')
  const store = await openStore({ sqlitePath: path, inline: {} })
  await store.close()
  // A database in memory cannot have a log beside it, which the header of the file would ask for.
  const database = new DatabaseSync(path)
  database.exec('pragma journal_mode = delete')
  database.close()
  const bytes = readFileSync(path)
  rmSync(folder, { recursive: true })
  return bytes
}
