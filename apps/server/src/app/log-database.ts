import { openLogStore } from '@tollgate/store/open-log-store'
import type { Store } from '@tollgate/store/open-store'
import type { Logger } from 'pino'
import { type Config, logPlaceOf } from '../config.ts'

/** Where the usage log is moved to, if anywhere. When that cannot be written, rows stay where they are: it stops nothing. */
export async function openLogs(config: Config, { db }: Store, log: Logger): Promise<Store | undefined> {
  const place = logPlaceOf(config.logSqlDsn)
  if (!place) return undefined
  const onFatal = (error: Error): void => log.error({ error }, 'the usage log cannot be moved')
  return openLogStore(db, { ...place, mayMigrate: config.nodeType === 'master', onFatal })
}
