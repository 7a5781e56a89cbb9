import { priceHash } from '@tollgate/billing/price-hash'
import { invariant } from '@tollgate/kit/invariant'
import type { NewWork } from '@tollgate/store/operations/outbox'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { NewTask } from '../inputs.ts'
import type {
  AccountState,
  AllotmentState,
  Changes,
  ChargedTask,
  EntryState,
  HoldState,
  JournalState,
  LedgerSource,
  RejectedState,
  TaskState,
} from '../core/state.ts'

export interface KeptTask extends NewTask, TaskState {
  readonly requestId: string
  readonly quota: bigint
}

/** The ledger's tables in memory. Opening another ledger over the same tables simulates a restart. */
export class MemoryTables implements LedgerSource {
  readonly accounts = new Map<number, AccountState>()
  readonly holds = new Map<string, HoldState>()
  readonly entries = new Map<string, EntryState>()
  readonly logs = new Map<string, UsageLogRow>()
  readonly tasks = new Map<number, KeptTask>()
  readonly notices = new Map<string, NewWork>()
  /** By account and instance. */
  readonly allotmentRows = new Map<string, AllotmentState>()
  readonly journals = new Map<string, JournalState>()
  readonly rejected: RejectedState[] = []
  readonly instances = new Map<string, 'alive' | 'ended' | 'dead'>()
  readonly prices = new Map<string, string>()
  readonly #before: (call: string) => void

  /** `before` is called before every read and every commit; a test can throw from it. */
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

  task(id: number): TaskState | undefined {
    this.#before('task')
    return this.tasks.get(id)
  }

  allotments(account: number): readonly AllotmentState[] {
    this.#before('allotments')
    return [...this.allotmentRows.values()].filter((row) => row.account === account)
  }

  journal(fileId: string): JournalState | undefined {
    this.#before('journal')
    return this.journals.get(fileId)
  }

  /** Atomic: nothing can fail between the first change and the last. */
  commit(changes: Changes): void {
    this.#before('commit')
    for (const { opKey } of changes.entries) invariant(!this.entries.has(opKey), 'an operation key is unique')
    for (const account of [...changes.newAccounts, ...changes.changedAccounts])
      this.accounts.set(account.id, account)
    for (const json of changes.prices) this.prices.set(priceHash(json), json)
    for (const id of changes.endedHolds) this.holds.delete(id)
    for (const hold of [...changes.newHolds, ...changes.changedHolds]) this.holds.set(hold.id, hold)
    for (const entry of changes.entries) this.entries.set(entry.opKey, entry)
    for (const row of changes.logs) this.logs.set(row.request_id ?? '', row)
    for (const task of changes.newTasks) this.#addTask(task)
    for (const end of changes.endedTasks) {
      const before = this.tasks.get(end.id)
      if (before) this.tasks.set(end.id, { ...before, ...end, version: end.version + 1 })
    }
    for (const row of changes.endedAllotments) this.allotmentRows.delete(allotmentKey(row))
    for (const row of [...changes.newAllotments, ...changes.changedAllotments])
      this.allotmentRows.set(allotmentKey(row), row)
    for (const row of [...changes.newJournals, ...changes.changedJournals]) this.journals.set(row.fileId, row)
    this.rejected.push(...changes.rejected)
    for (const notice of changes.notices)
      if (!this.notices.has(notice.cause)) this.notices.set(notice.cause, notice)
  }

  #addTask({ task, requestId, quota }: ChargedTask): void {
    const id = this.tasks.size + 1
    this.tasks.set(id, { ...task, id, version: 1, requestId, quota })
  }
}

function allotmentKey({ account, instanceId }: AllotmentState): string {
  return `${account}:${instanceId}`
}
