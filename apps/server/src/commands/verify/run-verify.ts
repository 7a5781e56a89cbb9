import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openCipher } from '@tollgate/kit/cipher'
import { listEncryptedSamples } from '@tollgate/store/channels/encrypted-samples'
import { openView } from '@tollgate/store/database/open-view'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { OtherSecretError, requireSameSecret } from '../../app/same-secret.ts'
import { type Place, loadConfig } from '../../config/index.ts'
import { type AuditResult, runAudit } from '../audit/run-audit.ts'
import { CommandError } from '../command.ts'

export interface VerifyResult {
  readonly audit: AuditResult
  /** `unchecked`: this environment has no secret to try. */
  readonly secrets: 'opened' | 'none' | 'other' | 'unchecked'
}

type Checked = Pick<Place, 'sqlDsn' | 'sqlitePath'>

/** Checks a database that nobody has to use. `own` says where this environment keeps its secrets. */
export async function runVerify(checked: Checked, own: Place): Promise<VerifyResult> {
  if (!isServerDsn(checked.sqlDsn)) requireWholeFile(checked.sqlitePath)
  const audit = await runAudit(checked)
  return { audit, secrets: await trySecrets(checked, own) }
}

/** Throws a sentence for the operator, with this name, when the file is missing, cut off or damaged. */
export function requireWholeFile(path: string, name = path): void {
  if (!existsSync(path)) throw new CommandError(`There is no file ${path}.`)
  const verdict = verdictOn(path)
  if (verdict !== 'ok')
    throw new CommandError(`${name} is no whole database: ${verdict}. Take another backup.`)
}

function verdictOn(path: string): string {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 2_000 })
    return String(Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    database?.close()
  }
}

async function trySecrets(checked: Checked, own: Place): Promise<VerifyResult['secrets']> {
  const view = await openView({ dsn: checked.sqlDsn, sqlitePath: checked.sqlitePath })
  try {
    if ((await listEncryptedSamples(view.db)).length === 0) return 'none'
    if (!hasSecrets(own)) return 'unchecked'
    await requireSameSecret(view.db, openCipher(loadConfig().keys.cipher))
    return 'opened'
  } catch (error) {
    if (error instanceof OtherSecretError) return 'other'
    throw error
  } finally {
    await view.close()
  }
}

/** Loading the configuration would create a secrets file that is missing. */
export function hasSecrets({
  isSecretGiven,
  sqlitePath,
}: Pick<Place, 'isSecretGiven' | 'sqlitePath'>): boolean {
  return isSecretGiven || existsSync(join(dirname(sqlitePath), 'secrets.json'))
}
