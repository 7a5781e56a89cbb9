import { existsSync, statSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AuditReport } from '@tollgate/ledger/audit-report'
import { auditFile } from '@tollgate/ledger/audit-database'
import { openView } from '@tollgate/store/database/open-view'
import { isServerDsn } from '@tollgate/store/server/dsn'
import type { Place } from '../../config/index.ts'
import { CommandError } from '../command.ts'
import type { Progress } from '../progress.ts'
import { copyDatabase, removeDraft, syncFile } from './copy-database.ts'
import { waitForFold } from './wait-for-fold.ts'

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
  /** Every charge that was in the journal before is in the copy. */
  readonly isFolded: boolean
}

/**
 * Copies the embedded database as it is at one moment, also while the gateway keeps writing. The copy is
 * checked before it gets its final name; a failed backup leaves no file behind.
 */
export async function runBackup({ place, to, progress }: BackupRequest): Promise<BackupResult> {
  await refuse(place, to)
  const draft = `${to}.part`
  try {
    const isFolded = await waitForFold(place.sqlitePath)
    await copyDatabase({ from: place.sqlitePath, to: draft, progress })
    const report = await auditFile(draft)
    await syncFile(draft)
    await rename(draft, to)
    const secretsPath = place.isSecretGiven ? undefined : join(dirname(place.sqlitePath), 'secrets.json')
    return { bytes: statSync(to).size, report, secretsPath, isFolded }
  } catch (error) {
    removeDraft(draft)
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
