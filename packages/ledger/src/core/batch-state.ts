import { invariant } from '@tollgate/kit/invariant'
import type { NewWork } from '@tollgate/store/operations/outbox'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { AccountId } from '../account.ts'
import type { TaskEnd } from '../inputs.ts'
import { RowDrafts } from './row-drafts.ts'
import {
  type AccountState,
  type AllotmentState,
  type Changes,
  type ChargedTask,
  type EntryState,
  type HoldState,
  type JournalState,
  type LedgerSource,
  NO_ACCOUNT,
  type RejectedState,
} from './state.ts'

/**
 * State of a batch while it is being decided: the state of the source, overlaid with the changes of the
 * earlier commands of the batch. Each account, hold and key is read at most once and written at most once.
 */
export class BatchState {
  readonly #source: LedgerSource
  readonly #accounts = new Map<AccountId, AccountState>()
  readonly #changedAccounts = new Set<AccountId>()
  readonly #holds: RowDrafts<HoldState>
  readonly #allotments = new Map<AccountId, RowDrafts<AllotmentState>>()
  readonly #journals: RowDrafts<JournalState>
  readonly #rejected: RejectedState[] = []
  readonly #entries = new Map<string, EntryState | undefined>()
  readonly #newEntries: EntryState[] = []
  readonly #logs: UsageLogRow[] = []
  readonly #newTasks: ChargedTask[] = []
  readonly #endedTasks = new Map<number, TaskEnd>()
  readonly #notices: NewWork[] = []
  readonly #furtherPrices = new Set<string>()

  constructor(source: LedgerSource) {
    this.#source = source
    this.#holds = new RowDrafts((id) => source.hold(id))
    this.#journals = new RowDrafts((fileId) => source.journal(fileId))
  }

  /** An account that does not exist yet is all zeros. */
  account(id: AccountId): AccountState {
    const known = this.#accounts.get(id)
    if (known) return known
    const read = this.#source.account(id) ?? { id, ...NO_ACCOUNT }
    this.#accounts.set(id, read)
    return read
  }

  /** Whether nothing was ever written to the account, neither before this batch nor in it. */
  isUntouched(id: AccountId): boolean {
    return this.account(id).version === 0 && !this.#changedAccounts.has(id)
  }

  putAccount(account: AccountState): void {
    this.#accounts.set(account.id, account)
    this.#changedAccounts.add(account.id)
  }

  hold(id: string): HoldState | undefined {
    return this.#holds.get(id)
  }

  putHold(hold: HoldState): void {
    this.#holds.put(hold.id, hold)
  }

  endHold(id: string): void {
    this.#holds.end(id)
  }

  /** The allotments of all processes on the account. */
  allotments(account: AccountId): readonly AllotmentState[] {
    return [...this.#allotmentDrafts(account).known()]
  }

  allotment(account: AccountId, instanceId: string): AllotmentState | undefined {
    return this.#allotmentDrafts(account).get(instanceId)
  }

  putAllotment(allotment: AllotmentState): void {
    this.#allotmentDrafts(allotment.account).put(allotment.instanceId, allotment)
  }

  endAllotment({ account, instanceId }: AllotmentState): void {
    this.#allotmentDrafts(account).end(instanceId)
  }

  journal(fileId: string): JournalState | undefined {
    return this.#journals.get(fileId)
  }

  putJournal(journal: JournalState): void {
    this.#journals.put(journal.fileId, journal)
  }

  addRejected(line: RejectedState): void {
    this.#rejected.push(line)
  }

  entry(opKey: string): EntryState | undefined {
    if (!this.#entries.has(opKey)) this.#entries.set(opKey, this.#source.entry(opKey))
    return this.#entries.get(opKey)
  }

  addEntry(entry: EntryState): void {
    invariant(this.#entries.get(entry.opKey) === undefined, 'an entry is added once')
    this.#entries.set(entry.opKey, entry)
    this.#newEntries.push(entry)
  }

  addLog(row: UsageLogRow): void {
    this.#logs.push(row)
  }

  /** JSON of prices that a hold or an entry names beside its own. */
  addPrices(prices: readonly string[]): void {
    for (const json of prices) this.#furtherPrices.add(json)
  }

  addTask(task: ChargedTask): void {
    this.#newTasks.push(task)
  }

  /** Whether the task is still in the given version, taking this batch into account. */
  isTaskAt({ id, version }: Pick<TaskEnd, 'id' | 'version'>): boolean {
    return !this.#endedTasks.has(id) && this.#source.task(id)?.version === version
  }

  endTask(end: TaskEnd): void {
    invariant(!this.#endedTasks.has(end.id), 'a task ends once')
    this.#endedTasks.set(end.id, end)
  }

  addNotice(notice: NewWork): void {
    this.#notices.push(notice)
  }

  changes(): Changes {
    const accounts = [...this.#changedAccounts].map((id) => this.account(id))
    const holds = this.#holds.changes()
    const allotments = [...this.#allotments.values()].map((drafts) => drafts.changes())
    const journals = this.#journals.changes()
    return {
      newAccounts: accounts.filter((account) => account.version === 0).map(nextVersion),
      changedAccounts: accounts.filter((account) => account.version > 0).map(nextVersion),
      endedHolds: holds.ended.map(({ id }) => id),
      newHolds: holds.added,
      changedHolds: holds.changed,
      prices: this.#prices(holds.added),
      entries: this.#newEntries,
      logs: this.#logs,
      newTasks: this.#newTasks,
      endedTasks: [...this.#endedTasks.values()],
      notices: this.#notices,
      endedAllotments: allotments.flatMap(({ ended }) => ended),
      newAllotments: allotments.flatMap(({ added }) => added),
      changedAllotments: allotments.flatMap(({ changed }) => changed),
      newJournals: journals.added,
      changedJournals: journals.changed,
      rejected: this.#rejected,
    }
  }

  /** Each once. */
  #prices(newHolds: readonly HoldState[]): readonly string[] {
    const prices = new Set(this.#furtherPrices)
    for (const { priceJson } of newHolds) prices.add(priceJson)
    for (const { priceJson } of this.#newEntries) if (priceJson !== undefined) prices.add(priceJson)
    return [...prices]
  }

  #allotmentDrafts(account: AccountId): RowDrafts<AllotmentState> {
    const known = this.#allotments.get(account)
    if (known) return known
    const rows = new Map(this.#source.allotments(account).map((row) => [row.instanceId, row]))
    const drafts = new RowDrafts((instanceId) => rows.get(instanceId))
    for (const instanceId of rows.keys()) drafts.get(instanceId)
    this.#allotments.set(account, drafts)
    return drafts
  }
}

function nextVersion(account: AccountState): AccountState {
  return { ...account, version: account.version + 1 }
}
