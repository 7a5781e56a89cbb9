import type { Store } from '@tollgate/store/database/open-store'
import { type LedgerOptions, createLedger } from './create-ledger.ts'
import type { Ledger } from './ledger.ts'
import { openServerStorage } from './server/storage.ts'
import { openSqliteStorage } from './sqlite/storage.ts'

export interface OpenLedgerOptions extends LedgerOptions {
  readonly store: Store
}

/**
 * Opens the ledger over a store. Resolves once every hold that earlier processes left open was recovered.
 * Close it before the store.
 */
export async function openLedger({ store, ...options }: OpenLedgerOptions): Promise<Ledger> {
  const storage = 'server' in store ? openServerStorage(store) : await openSqliteStorage(store)
  return createLedger(storage, options)
}
