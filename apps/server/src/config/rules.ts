import { isServerDsn } from '@tollgate/store/server/dsn'

/** How LOG_SQL_DSN names a file. */
export const LOG_FILE = 'sqlite:'

/** What one variable alone does not tell. */
export interface Combination {
  readonly sqlDsn: string
  readonly sqlitePath: string
  readonly logSqlDsn: string
  readonly workers: number
  readonly nodeType: 'master' | 'slave'
  readonly frontendBaseUrl: string | undefined
  readonly sessionSecret: string | undefined
  readonly cryptoSecret: string | undefined
}

/** One line for each combination that cannot be meant. */
export function contradictions(values: Combination): readonly string[] {
  return [secretsToShare(values), slaveAlone(values), memoryToShare(values), logFileToShare(values)].filter(
    (line) => line !== undefined,
  )
}

/** Secrets made by one process would be unknown to the next, which then could open no channel key and no session. */
function secretsToShare({ sqlDsn, sessionSecret, cryptoSecret }: Combination): string | undefined {
  if (!isServerDsn(sqlDsn)) return undefined
  const missing = [!sessionSecret && 'SESSION_SECRET', !cryptoSecret && 'CRYPTO_SECRET'].filter(Boolean)
  if (missing.length === 0) return undefined
  return `${missing.join(' and ')}: must be given with SQL_DSN, the same for every process over one database`
}

function slaveAlone({ sqlDsn, nodeType }: Combination): string | undefined {
  if (nodeType === 'master' || isServerDsn(sqlDsn)) return undefined
  return 'NODE_TYPE=slave: needs SQL_DSN, since a SQLite file has one process, its master'
}

function memoryToShare({ sqlDsn, sqlitePath, workers }: Combination): string | undefined {
  if (workers === 1 || isServerDsn(sqlDsn) || sqlitePath !== ':memory:') return undefined
  return `WORKERS=${workers}: needs a database that processes can share, not :memory:`
}

/** A SQLite file has one process, and rows may come from any. */
function logFileToShare({ sqlDsn, logSqlDsn, workers }: Combination): string | undefined {
  if (!logSqlDsn.startsWith(LOG_FILE) || (workers === 1 && !isServerDsn(sqlDsn))) return undefined
  return 'LOG_SQL_DSN: a file has one process; with WORKERS or SQL_DSN it must name a server'
}

/** Warnings about settings that do nothing in this combination. */
export function idleSettings({ nodeType, frontendBaseUrl }: Combination): readonly string[] {
  if (nodeType === 'slave' || !frontendBaseUrl) return []
  return ['FRONTEND_BASE_URL has no effect: only a slave redirects, a master serves the console itself']
}
