import type { Recalls } from '@tollgate/ledger/recalls'
import { isServerDsn } from '@tollgate/store/server/dsn'
import type { Base } from './base.ts'
import { type DatabaseNotices, openDatabaseNotices } from './database-notices.ts'
import { isFastWith, recallsOver } from './recalls.ts'

type SharingParts = Pick<Base, 'config' | 'parent' | 'coordination' | 'notices'>

/** A process that owns the embedded database alone shares its accounts with nobody. */
export function connectRecalls({ config, parent, coordination, notices }: SharingParts): Recalls | undefined {
  const isOnServer = isServerDsn(config.sqlDsn)
  if (!isOnServer && parent === undefined) return undefined
  const hasDirectNotices = config.redis !== undefined || !isOnServer
  return recallsOver({ notices, isFast: isFastWith(() => coordination.health(), hasDirectNotices) })
}

type NoticeParts = Pick<Base, 'config' | 'store' | 'coordination' | 'clock' | 'log'> & {
  readonly nodeId: string
}

/**
 * Only a database server is shared with other gateways. Worker processes over one SQLite file get their
 * notices from the parent process.
 */
export async function openSharedNotices(parts: NoticeParts): Promise<DatabaseNotices | undefined> {
  const { config, store, coordination } = parts
  if (!isServerDsn(config.sqlDsn)) return undefined
  return openDatabaseNotices({ ...parts, db: store.db, notices: coordination.notices })
}
