import type { Store } from '@tollgate/store/database/open-store'
import { type LedgerOptions, createLedger } from './create-ledger.ts'
import type { Ledger } from './ledger.ts'
import { databaseIdOf } from './local/database-id.ts'
import type { JournalOptions } from './local/open-local.ts'
import { openServerStorage } from './server/storage.ts'
import { openSqliteStorage } from './sqlite/storage.ts'

export interface OpenLedgerOptions extends Omit<LedgerOptions, 'journal'> {
  readonly store: Store
  readonly journal?: Omit<JournalOptions, 'databaseId'> | undefined
}

/**
 * Opens the ledger over a store. Resolves once every hold that earlier processes left open was recovered.
 * Close it before the store.
 */
export async function openLedger({ store, journal, ...options }: OpenLedgerOptions): Promise<Ledger> {
  const storage = 'server' in store ? openServerStorage(store, options.clock) : await openSqliteStorage(store)
  const named = journal && { ...journal, databaseId: await databaseIdOf(store.db) }
  return createLedger(storage, { ...options, journal: named })
}
