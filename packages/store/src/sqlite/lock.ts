import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreOpenError } from '../errors.ts'

/**
 * One process at a time may open a database file for writing. The lock is a write transaction held on a small database
 * beside it: the operating system drops it with the process, also after kill -9, and no stale file can lie.
 */
export interface FileLock {
  release(): void
}

export function lockFile(path: string): FileLock {
  const lockPath = `${path}.lock`
  const database = new DatabaseSync(lockPath, { timeout: 0 })
  try {
    chmodSync(lockPath, 0o600)
    nameOwner(database)
    database.exec('begin immediate')
  } catch (error) {
    const owner = ownerOf(database)
    database.close()
    throw inUse(path, owner, error)
  }
  return { release: () => database.close() }
}

/** The owner's process id is committed first: a held write transaction still lets others read it. */
function nameOwner(database: DatabaseSync): void {
  database.exec('begin immediate')
  database.exec('create table if not exists owner (id integer primary key, process integer not null) strict')
  database.prepare('insert or replace into owner values (1, ?)').run(BigInt(process.pid))
  database.exec('commit')
}

function ownerOf(database: DatabaseSync): string {
  try {
    return String(database.prepare('select process from owner').get()?.['process'] ?? 'unknown')
  } catch {
    return 'unknown'
  }
}

function inUse(path: string, owner: string, cause: unknown): StoreOpenError {
  const message =
    `The database ${path} is in use by process ${owner}. Only one process may write it: ` +
    `stop that process first, or give this one another SQLITE_PATH.`
  return new StoreOpenError('in_use', message, { cause })
}
