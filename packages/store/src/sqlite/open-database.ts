import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '@tollgate/kit/make-folder'
import { StoreOpenError } from '../database/errors.ts'
import { defineInTime } from './deadline.ts'
import { quickCheck } from './quick-check.ts'

/** The first version of SQLite in which a migration can add a check to an existing table. */
const VERSION_MIN = [3, 53, 0] as const
const FILE_HEADER = 'SQLite format 3\0'
/** Every migrated Tollgate database has this table; see `migrate.ts`. */
export const SCHEMA_MARK = 'schema_migration'
const BUSY_TIMEOUT_MS = 2_000
/**
 * When the log is longer than this (32 MB), the writer checkpoints it during a commit. Usually the thread of
 * `checkpoints.ts` does so earlier.
 */
const LOG_PAGES_MAX = 8_000

/**
 * Creates the directory and the file if they are missing. Rejects, with a sentence for the operator, a path
 * that cannot be a Tollgate database.
 */
export function prepareFile(path: string): void {
  try {
    makeFolder(dirname(path))
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new StoreOpenError('is_directory', `SQLITE_PATH names a directory, not a file: ${path}`)
    closeSync(openSync(path, 'a', 0o600))
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw error instanceof StoreOpenError ? error : unreachable(path, error)
  }
  refuseOtherFormat(path)
}

/** `image` becomes the content of the database. */
export function openForWriting(path: string, image?: Uint8Array): DatabaseSync {
  refuseOldSqlite()
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  try {
    if (image) database.deserialize(image)
    refuseForeignTables(database, path)
    checkIntegrity(database, path)
    if (path !== ':memory:') database.exec('pragma journal_mode = wal; pragma synchronous = full')
    database.exec('pragma temp_store = memory; pragma cache_size = -16000')
    database.exec(`pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = ${LOG_PAGES_MAX}`)
    compareTextAsServersDo(database)
    defineInTime(database)
    return database
  } catch (error) {
    database.close()
    throw error instanceof StoreOpenError ? error : explain(path, error)
  }
}

export function openForReading(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  database.exec('pragma temp_store = memory; pragma cache_size = -16000')
  compareTextAsServersDo(database)
  defineInTime(database)
  return database
}

/** By default, `like` in SQLite ignores case, and `lower` knows only the letters A to Z. */
function compareTextAsServersDo(database: DatabaseSync): void {
  database.exec('pragma case_sensitive_like = on')
  database.function('lower', { deterministic: true }, (text) =>
    text === null ? null : String(text).toLowerCase(),
  )
}

function unreachable(path: string, cause: unknown): StoreOpenError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const isRefused = code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
  return isRefused
    ? new StoreOpenError(
        'not_writable',
        `The database ${path} cannot be written (${code}): check its file rights.`,
        {
          cause,
        },
      )
    : new StoreOpenError(
        'not_reachable',
        `The database ${path} cannot be opened (${code || String(cause)}).`,
        { cause },
      )
}

function refuseOtherFormat(path: string): void {
  const descriptor = openSync(path, 'r')
  const header = Buffer.alloc(FILE_HEADER.length)
  const length = readSync(descriptor, header, 0, header.length, 0)
  closeSync(descriptor)
  if (length > 0 && header.toString('latin1') !== FILE_HEADER)
    throw new StoreOpenError('not_a_database', `${path} is a file of another kind, not a SQLite database.`)
}

function refuseOldSqlite(): void {
  const version = process.versions['sqlite'] ?? '0'
  const parts = version.split('.').map(Number)
  const firstDifference = VERSION_MIN.findIndex((part, index) => part !== (parts[index] ?? 0))
  if (firstDifference === -1 || (parts[firstDifference] ?? 0) > (VERSION_MIN[firstDifference] ?? 0)) return
  throw new StoreOpenError(
    'old_sqlite',
    `SQLite ${VERSION_MIN.join('.')} or newer is needed, this is ${version}.`,
  )
}

function refuseForeignTables(database: DatabaseSync, path: string): void {
  const names = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'")
    .all()
    .map((row) => String(row['name']))
  if (names.length === 0 || names.includes(SCHEMA_MARK)) return
  const some = names.slice(0, 3).join(', ')
  throw new StoreOpenError(
    'foreign_database',
    `${path} belongs to another program (it has the tables ${some}).`,
  )
}

function checkIntegrity(database: DatabaseSync, path: string): void {
  const verdict = quickCheck(database)
  if (verdict !== 'ok') throw damaged(path, verdict)
}

function explain(path: string, error: unknown): StoreOpenError {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  if (code === 8)
    return new StoreOpenError('not_writable', `The database ${path} is read-only.`, { cause: error })
  if (code === 5)
    return new StoreOpenError('in_use', `The database ${path} is locked by another program.`, {
      cause: error,
    })
  const detail = error instanceof Error ? error.message : String(error)
  if (code === 10 || code === 13)
    return new StoreOpenError(
      'not_writable',
      `The database ${path} cannot be written (${detail}): look at the disk and the room on it.`,
      { cause: error },
    )
  return damaged(path, detail, error)
}

function damaged(path: string, detail: string, cause?: unknown): StoreOpenError {
  const message = `The database ${path} is damaged (${detail}). Restore it from a backup before starting.`
  return new StoreOpenError('damaged', message, { cause })
}
