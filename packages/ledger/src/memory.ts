import { type LedgerOptions, createLedger } from './create-ledger.ts'
import type { Ledger } from './ledger.ts'
import { MemoryBooks } from './memory/books.ts'
import { memoryStorage } from './memory/storage.ts'

export interface MemoryLedgerOptions extends LedgerOptions {
  /** The books to go on with; new ones unless told. */
  readonly books?: MemoryBooks
}

/** A ledger for tests: the same core and writer, and nothing outlives the process. */
export async function openMemoryLedger({
  books = new MemoryBooks(),
  ...options
}: MemoryLedgerOptions): Promise<Ledger> {
  return createLedger(memoryStorage(books), options)
}
