import {
  copyFileSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openCipher } from '@tollgate/kit/cipher'
import { auditFile } from '@tollgate/ledger/audit-database'
import { StoreOpenError } from '@tollgate/store/database/errors'
import { openView } from '@tollgate/store/database/open-view'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { lockFile } from '@tollgate/store/sqlite/lock'
import { findCopyMark } from '../../app/installation-id.ts'
import { requireSameSecret } from '../../app/same-secret.ts'
import { type Place, loadConfig } from '../../config/index.ts'
import { copyDatabase, removeDraft, syncFile } from '../backup/copy-database.ts'
import { CommandError } from '../command.ts'
import type { Progress } from '../progress.ts'
import { hasSecrets, requireWholeFile } from '../verify/run-verify.ts'

export interface RestoreRequest {
  readonly place: Place
  readonly from: string
  /** Gets the backup to this file first, when `from` is an address. Resolves to the address of the copy. */
  readonly fetch?: ((to: string) => Promise<string>) | undefined
  /** A secrets file to put beside the database. */
  readonly secrets: string | undefined
  readonly mayReplace: boolean
  readonly progress: Progress
}

export interface RestoreResult {
  /** The file or the address of the copy. */
  readonly from: string
  readonly accounts: number
  readonly entries: number
  /** Where the former database is now. */
  readonly kept: string | undefined
  /** The backup is of an earlier version of Tollgate, so its ledger could not be checked. */
  readonly isOlder: boolean
  readonly hasSecrets: boolean
}

/**
 * Puts a backup in the place of the embedded database. The copy is complete and on disk before the old
 * database gives way.
 */
export async function runRestore(request: RestoreRequest): Promise<RestoreResult> {
  const { place, mayReplace, progress } = request
  const to = place.sqlitePath
  refuse(request)
  const folder = prepareFolder(to)
  const lock = lockFile(to)
  const draft = `${to}.part`
  const fetched = `${to}.fetched`
  try {
    const from = (await request.fetch?.(fetched)) ?? request.from
    if (request.fetch) requireWholeFile(fetched, from)
    await copyDatabase({ from: request.fetch ? fetched : from, to: draft, progress })
    rmSync(fetched, { force: true })
    const checked = await checkDraft(draft)
    if (request.secrets !== undefined) copySecrets(request.secrets, folder)
    markDraft(draft, checked.isOlder, to)
    if (hasSecrets(place)) await requireOwnSecret(draft, checked.isOlder)
    await syncFile(draft)
    const kept = mayReplace && existsSync(to) ? keepOld(to) : undefined
    removeLog(to)
    await rename(draft, to)
    await syncFolder(folder)
    return { from, ...checked, kept, hasSecrets: hasSecrets(place) }
  } finally {
    rmSync(fetched, { force: true })
    removeDraft(draft)
    lock.release()
  }
}

function refuse({ place, from, fetch, secrets, mayReplace }: RestoreRequest): void {
  const { sqlDsn, sqlitePath: to } = place
  if (isServerDsn(sqlDsn))
    throw new CommandError('SQL_DSN names a server: restore its database with pg_restore or mysql.')
  if (!fetch) requireWholeFile(from)
  if (secrets !== undefined && !existsSync(secrets)) throw new CommandError(`There is no file ${secrets}.`)
  if (existsSync(to) && !mayReplace)
    throw new CommandError(`${to} exists already: add --replace to put the backup in its place.`)
}

function prepareFolder(path: string): string {
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`The folder ${folder} cannot be made: ${why}.`, { cause })
  }
  return folder
}

async function checkDraft(path: string): Promise<Pick<RestoreResult, 'accounts' | 'entries' | 'isOlder'>> {
  try {
    const view = await openView({ sqlitePath: path })
    await view.close()
  } catch (error) {
    if (!(error instanceof StoreOpenError && error.reason === 'older_schema')) throw named(error, path)
    return { accounts: 0, entries: 0, isOlder: true }
  }
  const { accounts, entries, findings } = await auditFile(path)
  if (findings.length > 0)
    throw new CommandError(`The books of the backup do not balance: ${findings.length} findings.`)
  return { accounts, entries, isOlder: false }
}

/** An older backup has no table for it, so the next start does it. */
function markDraft(path: string, isOlder: boolean, to: string): void {
  if (isOlder) return writeFileSync(findCopyMark(to), 'restored\n', { mode: 0o600 })
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
    const changed = database
      .prepare("update installation set unconfirmed_ms = ?, cause = 'restored' where unconfirmed_ms = 0")
      .run(Date.now())
    const { count } = database.prepare('select count(*) as count from installation').get() ?? {}
    if (Number(changed.changes) === 0 && Number(count) === 0)
      database
        .prepare(
          "insert into installation (id, predecessor, unconfirmed_ms, cause) values ('', '', ?, 'restored')",
        )
        .run(Date.now())
  } finally {
    database.close()
  }
}

/** The messages of the store name the draft, which the operator has never seen. */
function named(error: unknown, draft: string): unknown {
  if (!(error instanceof StoreOpenError)) return error
  return new CommandError(error.message.replace(draft, 'of the backup'), { cause: error })
}

/** An older backup may keep its secrets elsewhere; the start tries them after it has updated the tables. */
async function requireOwnSecret(path: string, isOlder: boolean): Promise<void> {
  if (isOlder) return
  const view = await openView({ sqlitePath: path })
  try {
    await requireSameSecret(view.db, openCipher(loadConfig().keys.cipher))
  } finally {
    await view.close()
  }
}

function copySecrets(from: string, folder: string): void {
  const to = join(folder, 'secrets.json')
  if (existsSync(to)) throw new CommandError(`${to} exists already: leave out --secrets, or move it away.`)
  copyFileSync(from, to, constants.COPYFILE_EXCL)
}

/**
 * Gives the old database a second name, so that its own name is never free. A database that is damaged or on a
 * file system without links is moved instead, with its log.
 */
function keepOld(path: string): string {
  const kept = `${path}.before-${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}`
  try {
    endLog(path)
    linkSync(path, kept)
  } catch {
    for (const suffix of ['-wal', '-shm', ''])
      if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix)
  }
  return kept
}

function endLog(path: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
  } finally {
    database.close()
  }
}

/** A log that stayed behind would be applied to the restored database. */
function removeLog(path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
}

/** Makes the new name durable. Windows cannot open a folder and needs nothing. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
}
