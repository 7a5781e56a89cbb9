import { openLogStore } from '@tollgate/store/database/open-log-store'
import type { Store } from '@tollgate/store/database/open-store'
import type { Logger } from 'pino'
import { type Config, logPlaceOf } from '../config/index.ts'

/**
 * Opens the separate database of the usage log, if one is configured. When that database cannot be written,
 * rows stay in the main one and nothing else is affected.
 */
export async function openLogs(config: Config, { db }: Store, log: Logger): Promise<Store | undefined> {
  const place = logPlaceOf(config.logSqlDsn)
  if (!place) return undefined
  const onFatal = (error: Error): void =>
    log.error({ error }, 'could not move usage log rows to their own database')
  return openLogStore(db, { ...place, mayMigrate: config.nodeType === 'master', onFatal })
}
