import { spareBytesIn } from '@tollgate/kit/disk-room'
import type { OpenLedgerOptions } from '@tollgate/ledger/open-ledger'
import type { Store } from '@tollgate/store/database/open-store'
import { isServerDsn } from '@tollgate/store/server/dsn'
import type { Config } from '../config/index.ts'
import { findDataFolder, journalFolderOf } from './journal-folder.ts'

/**
 * The journals lie in the folder of SQLITE_PATH, which is local to each machine. Every process admits calls in memory
 * and keeps a journal of them. Over a database server the folder also has the ends of durable holds while the server
 * is away.
 */
export function buildJournals({ sqlDsn, sqlitePath, journalSyncMs }: Config, store: Store): Journals {
  const folder = journalFolderOf(sqlitePath)
  const journal = {
    folder,
    syncMs: journalSyncMs,
    reserveBytes: spareBytesIn(findDataFolder(sqlitePath)),
    isShortOfRoom: () => 'isShortOfRoom' in store && store.isShortOfRoom,
  }
  if (isServerDsn(sqlDsn)) return { journal, journalFolder: folder }
  return sqlitePath === ':memory:' ? {} : { journal }
}

type Journals = Pick<OpenLedgerOptions, 'journal' | 'journalFolder'>
