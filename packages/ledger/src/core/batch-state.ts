import { invariant } from '@tollgate/kit/invariant'
import type { NewWork } from '@tollgate/store/operations/outbox'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { AccountId } from '../account.ts'
import type { TaskEnd } from '../inputs.ts'
import {
  type AccountState,
  type Changes,
  type ChargedTask,
  type EntryState,
  type HoldState,
  type LedgerSource,
  NO_ACCOUNT,
} from './state.ts'

interface HoldDraft {
  readonly before: HoldState | undefined
  readonly now: HoldState | undefined
  /**
   * The stored hold has ended in this batch. `now`, if set, is a new hold of another call with the same id.
   */
  readonly hasEnded: boolean
}

/**
 * State of a batch while it is being decided: the state of the source, overlaid with the changes of the
 * earlier commands of the batch. Each account, hold and key is read at most once and written at most once.
 */
export class BatchState {
  readonly #source: LedgerSource
  readonly #accounts = new Map<AccountId, AccountState>()
  readonly #changedAccounts = new Set<AccountId>()
  readonly #holds = new Map<string, HoldDraft>()
  readonly #entries = new Map<string, EntryState | undefined>()
  readonly #newEntries: EntryState[] = []
  readonly #logs: UsageLogRow[] = []
  readonly #newTasks: ChargedTask[] = []
  readonly #endedTasks = new Map<number, TaskEnd>()
  readonly #notices: NewWork[] = []

  constructor(source: LedgerSource) {
    this.#source = source
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
    return this.#holdDraft(id).now
  }

  putHold(hold: HoldState): void {
    this.#holds.set(hold.id, { ...this.#holdDraft(hold.id), now: hold })
  }

  endHold(id: string): void {
    this.#holds.set(id, { before: this.#holdDraft(id).before, now: undefined, hasEnded: true })
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
    const holds = [...this.#holds.values()]
    return {
      newAccounts: accounts.filter((account) => account.version === 0).map(nextVersion),
      changedAccounts: accounts.filter((account) => account.version > 0).map(nextVersion),
      endedHolds: holds.flatMap(({ before, hasEnded }) => (before && hasEnded ? [before.id] : [])),
      newHolds: holds.flatMap(({ before, now, hasEnded }) => (now && (!before || hasEnded) ? [now] : [])),
      changedHolds: holds.flatMap(({ before, now, hasEnded }) =>
        before && now && !hasEnded && before !== now ? [now] : [],
      ),
      entries: this.#newEntries,
      logs: this.#logs,
      newTasks: this.#newTasks,
      endedTasks: [...this.#endedTasks.values()],
      notices: this.#notices,
    }
  }

  #holdDraft(id: string): HoldDraft {
    const known = this.#holds.get(id)
    if (known) return known
    const read = this.#source.hold(id)
    const draft = { before: read, now: read, hasEnded: false }
    this.#holds.set(id, draft)
    return draft
  }
}

function nextVersion(account: AccountState): AccountState {
  return { ...account, version: account.version + 1 }
}
