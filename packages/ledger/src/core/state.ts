import type { NewWork } from '@tollgate/store/operations/outbox'
import type { EntryKind } from '@tollgate/store/tables/ledger'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { AccountId } from '../account.ts'
import type { NewTask, TaskEnd } from '../inputs.ts'

/** Immutable values of the ledger core. */
export interface AccountState {
  readonly id: AccountId
  readonly granted: bigint
  readonly remaining: bigint
  readonly reserved: bigint
  readonly used: bigint
  readonly debt: bigint
  /** The part of `granted` that follows the usage of an unlimited token. It is not backed by an entry. */
  readonly followed: bigint
  readonly isUnlimited: boolean
  readonly version: number
  /** Calls in flight with a hold of their own; those within allotments are not counted. */
  readonly openHolds: number
  /** Users only: the sum of `ceiling - amount` over those calls. */
  readonly exposed: bigint
  /** Users only: see {@link import('./payments.ts').isPayment}. Never reset to false. */
  readonly hasPaid: boolean
  /** Tokens only: start of the current budget period; 0 when the token never had a budget. */
  readonly budgetSinceMs: number
  /** Value of `used` at the start of the budget period. */
  readonly budgetBase: bigint
  /** See {@link import('./scarcity.ts')}; 0 when the account never was scarce. */
  readonly scarceUntilMs: number
}

export interface HoldState {
  readonly id: string
  readonly userAccount: AccountId
  readonly tokenAccount: AccountId | undefined
  /**
   * The token was unlimited when its part of the hold was reserved, or became so since: that part is
   * followed, not taken from the remaining quota.
   */
  readonly isTokenFollowed: boolean
  readonly amount: bigint
  readonly ceiling: bigint
  readonly checkpoint: bigint
  readonly priceJson: string
  /** Content hashes of the prices of further models that may serve the call or help. */
  readonly furtherPrices: readonly string[]
  readonly channelId: number | undefined
  readonly instanceId: string
  readonly createdMs: number
}

export interface EntryState {
  readonly opKey: string
  readonly kind: EntryKind
  readonly requestId: string | undefined
  readonly taskId: string | undefined
  readonly userAccount: AccountId
  readonly tokenAccount: AccountId | undefined
  readonly channelId: number | undefined
  readonly amount: bigint
  readonly flags: readonly string[]
  readonly waived: bigint
  readonly balanceAfter: bigint | undefined
  readonly priceJson: string | undefined
  readonly usageJson: string | undefined
  readonly note: string | undefined
  readonly createdMs: number
}

/** Quota of one account that is set aside for one process. */
export interface AllotmentState {
  readonly account: AccountId
  readonly instanceId: string
  /** What the process may still charge; part of `reserved` of the account. 0 for an unlimited token. */
  readonly amount: bigint
  /** The part of it that no call held or had spent when the process last reported. */
  readonly free: bigint
  /** Calls of the process in flight, and the sum of `ceiling - amount` over them (users only). */
  readonly openHolds: number
  readonly exposed: bigint
  /** Tokens with a budget: what the process may still charge in the period, and the free part of it. */
  readonly budgetSinceMs: number
  readonly budgetAmount: bigint
  readonly budgetFree: bigint
  /** Until then the process keeps no free quota, because it knows that the account is scarce. */
  readonly exactUntilMs: number
}

/** How far a journal file is folded. */
export interface JournalState {
  readonly fileId: string
  readonly instanceId: string
  readonly position: number
  /** Where a reader must begin to know all calls that are open at the position. */
  readonly openFrom: number
  readonly updatedMs: number
}

/** A journal line that could not be folded, kept for the operator. */
export interface RejectedState {
  readonly fileId: string
  readonly position: number
  readonly line: string
  readonly reason: string
  readonly createdMs: number
}

/** Sums of an account's old entries that were removed by cleaning. */
export interface RollupState {
  readonly account: AccountId
  /** Consumed minus refunded. */
  readonly used: bigint
  readonly granted: bigint
}

/** All that the ledger needs of a task: its version, for optimistic locking. */
export interface TaskState {
  readonly id: number
  readonly version: number
}

/** A new task with its call and the charge of that call. */
export interface ChargedTask {
  readonly task: NewTask
  readonly requestId: string
  readonly quota: bigint
}

/** State that the core reads. The store keeps every returned row locked until the batch is written. */
export interface LedgerSource {
  account(id: AccountId): AccountState | undefined
  hold(id: string): HoldState | undefined
  entry(opKey: string): EntryState | undefined
  task(id: number): TaskState | undefined
  /** The allotments of all processes on the account. */
  allotments(account: AccountId): readonly AllotmentState[]
  journal(fileId: string): JournalState | undefined
}

/** Changes of a batch, written in one transaction and in this order. */
export interface Changes {
  readonly newAccounts: readonly AccountState[]
  readonly changedAccounts: readonly AccountState[]
  /** Deleted before `newHolds` are inserted: a batch may end a hold and create another with the same id. */
  readonly endedHolds: readonly string[]
  readonly newHolds: readonly HoldState[]
  readonly changedHolds: readonly HoldState[]
  /** JSON of the prices that new holds and entries name; written before them unless they are known. */
  readonly prices: readonly string[]
  readonly entries: readonly EntryState[]
  readonly logs: readonly UsageLogRow[]
  readonly newTasks: readonly ChargedTask[]
  readonly endedTasks: readonly TaskEnd[]
  /** A notice whose cause is already queued is skipped. */
  readonly notices: readonly NewWork[]
  /** Deleted before `newAllotments` are inserted. */
  readonly endedAllotments: readonly AllotmentState[]
  readonly newAllotments: readonly AllotmentState[]
  readonly changedAllotments: readonly AllotmentState[]
  readonly newJournals: readonly JournalState[]
  readonly changedJournals: readonly JournalState[]
  readonly rejected: readonly RejectedState[]
}

export const NO_ACCOUNT: Omit<AccountState, 'id'> = {
  granted: 0n,
  remaining: 0n,
  reserved: 0n,
  used: 0n,
  debt: 0n,
  followed: 0n,
  isUnlimited: false,
  version: 0,
  openHolds: 0,
  exposed: 0n,
  hasPaid: false,
  budgetSinceMs: 0,
  budgetBase: 0n,
  scarceUntilMs: 0,
}
