import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync, backup } from 'node:sqlite'
import type { AuditReport } from '@tollgate/ledger/audit-report'
import { auditFile } from '@tollgate/ledger/audit-database'
import { openView } from '@tollgate/store/database/open-view'
import { isServerDsn } from '@tollgate/store/server/dsn'
import type { Place } from '../../config/index.ts'
import { CommandError } from '../command.ts'
import type { Progress } from '../import/progress.ts'

export interface BackupRequest {
  readonly place: Place
  readonly to: string
  readonly progress: Progress
}

export interface BackupResult {
  readonly bytes: number
  readonly report: Omit<AuditReport, 'durationMs'>
  /**
   * The secrets file without which the secrets in the copy cannot be decrypted; `undefined` when they come
   * from the environment.
   */
  readonly secretsPath: string | undefined
}

const PAGES_AT_ONCE = 1_000
const OWNER_ONLY = 0o600

/**
 * Copies the embedded database as it is at one moment, also while the gateway keeps writing. The copy is
 * checked before it gets its final name; a failed backup leaves no file behind.
 */
export async function runBackup({ place, to, progress }: BackupRequest): Promise<BackupResult> {
  await refuse(place, to)
  const draft = `${to}.part`
  try {
    await copy(place.sqlitePath, draft, progress)
    settle(draft)
    const report = await auditFile(draft)
    await sync(draft)
    await rename(draft, to)
    const secretsPath = place.isSecretGiven ? undefined : join(dirname(place.sqlitePath), 'secrets.json')
    return { bytes: statSync(to).size, report, secretsPath }
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true })
    throw error
  }
}

async function refuse({ sqlDsn, sqlitePath }: Place, to: string): Promise<void> {
  if (isServerDsn(sqlDsn))
    throw new CommandError(
      'SQL_DSN names a server: copy its database with pg_dump or mysqldump --single-transaction.',
    )
  if (existsSync(to)) throw new CommandError(`${to} exists already: name another file.`)
  if (!existsSync(dirname(to))) throw new CommandError(`There is no folder ${dirname(to)}.`)
  const view = await openView({ sqlitePath })
  await view.close()
}

/** A read transaction fixes the snapshot, so that writes made meanwhile do not restart the copy. */
async function copy(from: string, to: string, progress: Progress): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 2_000 })
  try {
    writeFileSync(to, '', { mode: OWNER_ONLY })
    source.exec('begin; select count(*) from sqlite_schema')
    let done = 0
    progress.start('pages', 0)
    await backup(source, to, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => {
        if (done === 0) progress.start('pages', totalPages)
        progress.advance(totalPages - remainingPages - done)
        done = totalPages - remainingPages
      },
    })
    progress.end()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${to} cannot be written: ${why}`, { cause })
  } finally {
    source.close()
  }
}

/** Turns the copy into a single file without a journal and reads every page once to check it. */
function settle(path: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
    const verdict = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0]
    if (verdict !== 'ok')
      throw new CommandError(`The copy is damaged (${String(verdict)}), and so may be the database.`)
  } finally {
    database.close()
  }
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}
