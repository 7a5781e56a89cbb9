import { chmodSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreOpenError } from '../database/errors.ts'

/**
 * Makes sure that only one process opens a database file for writing. The lock is a write transaction held on
 * a small database beside the file. The operating system releases it when the process ends, even after kill
 * -9, so there is never a stale lock.
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
    throw isBusy(error) ? inUse(path, owner, error) : notLocked(path, error)
  }
  return { release: () => database.close() }
}

/**
 * The owner's process id is committed first, because other processes can still read it while the write
 * transaction is held.
 */
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

const SQLITE_BUSY = 5

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === SQLITE_BUSY
}

function notLocked(path: string, cause: unknown): StoreOpenError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const message = `The database ${path} cannot be written (${path}.lock: ${why}): look at the disk and the room on it.`
  return new StoreOpenError('not_writable', message, { cause })
}

function inUse(path: string, owner: string, cause: unknown): StoreOpenError {
  const message =
    `The database ${path} is in use by process ${owner}. Only one process may write it: ` +
    `stop that process first, or give this one another SQLITE_PATH.`
  return new StoreOpenError('in_use', message, { cause })
}
