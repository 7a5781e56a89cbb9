import type { UsageLogRow } from '@tollgate/store/schema'
import type { AccountState, Changes, EntryState, HoldState, LedgerSource } from '../core/state.ts'

/** A ledger's tables in memory. Opening a ledger again over the same books is a restart. */
export class MemoryBooks implements LedgerSource {
  readonly accounts = new Map<number, AccountState>()
  readonly holds = new Map<string, HoldState>()
  readonly entries = new Map<string, EntryState>()
  readonly logs = new Map<string, UsageLogRow>()
  readonly #before: (call: string) => void

  /** `before` is called ahead of every read and of every commit; a test throws from it. */
  constructor(before: (call: string) => void = () => undefined) {
    this.#before = before
  }

  account(id: number): AccountState | undefined {
    this.#before('account')
    return this.accounts.get(id)
  }

  hold(id: string): HoldState | undefined {
    this.#before('hold')
    return this.holds.get(id)
  }

  entry(opKey: string): EntryState | undefined {
    this.#before('entry')
    return this.entries.get(opKey)
  }

  /** Whole or not at all: nothing can fail between the first change and the last. */
  commit(changes: Changes): void {
    this.#before('commit')
    for (const account of [...changes.newAccounts, ...changes.changedAccounts])
      this.accounts.set(account.id, account)
    for (const id of changes.endedHolds) this.holds.delete(id)
    for (const hold of [...changes.newHolds, ...changes.changedHolds]) this.holds.set(hold.id, hold)
    for (const entry of changes.entries) this.entries.set(entry.opKey, entry)
    for (const row of changes.logs) this.logs.set(row.request_id ?? '', row)
  }
}
