import { type LedgerOptions, createLedger } from '../create-ledger.ts'
import type { Ledger } from '../ledger.ts'
import { MemoryTables } from './tables.ts'
import { memoryStorage } from './storage.ts'

export interface MemoryLedgerOptions extends LedgerOptions {
  /** The tables to continue with; empty tables by default. */
  readonly tables?: MemoryTables
}

/** A ledger for tests: the same core and writer over memory, so nothing is persistent. */
export async function openMemoryLedger({
  tables = new MemoryTables(),
  ...options
}: MemoryLedgerOptions): Promise<Ledger> {
  return createLedger(memoryStorage(tables), options)
}
