import { invariant } from '@tollgate/kit/invariant'
import { accountsOf, type Footprint } from '../core/footprint.ts'
import type {
  AccountState,
  AllotmentState,
  EntryState,
  HoldState,
  JournalState,
  LedgerSource,
  TaskState,
} from '../core/state.ts'
import type { AccountId } from '../account.ts'

export interface Loaded {
  /** Locked account ids, whether the accounts exist or not. */
  readonly locked: ReadonlySet<AccountId>
  readonly footprint: Footprint
  readonly accounts: readonly AccountState[]
  readonly holds: readonly HoldState[]
  readonly entries: readonly EntryState[]
  /** Also locked. */
  readonly tasks: readonly TaskState[]
  /** All allotments of the locked accounts. */
  readonly allotments: readonly AllotmentState[]
  readonly journals: readonly JournalState[]
}

/** The rows that were read and locked for a batch. Reading anything else is a bug and throws. */
export class LoadedSource implements LedgerSource {
  readonly #loaded: Loaded
  readonly #accounts: ReadonlyMap<AccountId, AccountState>
  readonly #holds: ReadonlyMap<string, HoldState>
  readonly #entries: ReadonlyMap<string, EntryState>
  readonly #tasks: ReadonlyMap<number, TaskState>
  readonly #allotments: ReadonlyMap<AccountId, readonly AllotmentState[]>
  readonly #journals: ReadonlyMap<string, JournalState>

  constructor(loaded: Loaded) {
    this.#loaded = loaded
    this.#accounts = new Map(loaded.accounts.map((account) => [account.id, account]))
    this.#holds = new Map(loaded.holds.map((hold) => [hold.id, hold]))
    this.#entries = new Map(loaded.entries.map((entry) => [entry.opKey, entry]))
    this.#tasks = new Map(loaded.tasks.map((task) => [task.id, task]))
    this.#allotments = Map.groupBy(loaded.allotments, ({ account }) => account)
    this.#journals = new Map(loaded.journals.map((journal) => [journal.fileId, journal]))
  }

  allotments(account: AccountId): readonly AllotmentState[] {
    invariant(this.#loaded.locked.has(account), 'a batch reads allotments of accounts that it locked')
    return this.#allotments.get(account) ?? []
  }

  journal(fileId: string): JournalState | undefined {
    invariant(this.#loaded.footprint.journals.has(fileId), 'a batch reads journals that it locked')
    return this.#journals.get(fileId)
  }

  /**
   * Accounts that are named by holds and entries but not locked. If there are any, the batch must be retried
   * with them.
   */
  unlocked(): readonly AccountId[] {
    const { holds, entries, locked } = this.#loaded
    return [...accountsOf([...holds, ...entries])].filter((id) => !locked.has(id))
  }

  account(id: AccountId): AccountState | undefined {
    invariant(this.#loaded.locked.has(id), 'a batch reads accounts that it locked')
    return this.#accounts.get(id)
  }

  hold(id: string): HoldState | undefined {
    invariant(this.#loaded.footprint.holds.has(id), 'a batch reads holds that it loaded')
    return this.#holds.get(id)
  }

  entry(opKey: string): EntryState | undefined {
    invariant(this.#loaded.footprint.entries.has(opKey), 'a batch reads entries that it loaded')
    return this.#entries.get(opKey)
  }

  task(id: number): TaskState | undefined {
    invariant(this.#loaded.footprint.tasks.has(id), 'a batch reads tasks that it locked')
    return this.#tasks.get(id)
  }
}
