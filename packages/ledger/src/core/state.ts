import type { NewWork } from '@tollgate/store/outbox'
import type { EntryKind } from '@tollgate/store/ledger-tables'
import type { UsageLogRow } from '@tollgate/store/schema'
import type { AccountId, NewTask, TaskEnd } from '../ledger.ts'

/** Values of the ledger as the core sees them. They are replaced, never changed. */
export interface AccountState {
  readonly id: AccountId
  readonly granted: bigint
  readonly remaining: bigint
  readonly reserved: bigint
  readonly used: bigint
  readonly debt: bigint
  /** The part of `granted` that follows what an unlimited token uses; no entry gave it. */
  readonly followed: bigint
  readonly isUnlimited: boolean
  readonly version: number
  /** Calls under way that hold something of it. */
  readonly openHolds: number
  /** Only users: the sum of `ceiling - amount` over those calls. */
  readonly exposed: bigint
  /** Only users: see {@link import('./payments.ts').isPayment}. It never goes back. */
  readonly hasPaid: boolean
  /** Since when the budget of its token counts; 0: it has had none. */
  readonly budgetSinceMs: number
  /** What had been used by then. */
  readonly budgetBase: bigint
}

export interface HoldState {
  readonly id: string
  readonly userAccount: AccountId
  readonly tokenAccount: AccountId | undefined
  /** The token was unlimited at admission: its part of the hold is followed, not taken from what remains. */
  readonly isTokenFollowed: boolean
  readonly amount: bigint
  readonly ceiling: bigint
  readonly checkpoint: bigint
  readonly priceJson: string
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

/** Sums of one account that stayed when its old entries were removed. */
export interface RollupState {
  readonly account: AccountId
  /** Consumed minus refunded. */
  readonly used: bigint
  readonly granted: bigint
}

/** All that the ledger asks of a task: whether it is still as somebody saw it. */
export interface TaskState {
  readonly id: number
  readonly version: number
}

/** A task with its call and what that was charged. */
export interface ChargedTask {
  readonly task: NewTask
  readonly requestId: string
  readonly quota: bigint
}

/** What the core reads. A store has locked whatever it hands out until the batch is written. */
export interface LedgerSource {
  account(id: AccountId): AccountState | undefined
  hold(id: string): HoldState | undefined
  entry(opKey: string): EntryState | undefined
  task(id: number): TaskState | undefined
}

/** What a batch changes; written whole or not at all, in this order. */
export interface Changes {
  readonly newAccounts: readonly AccountState[]
  readonly changedAccounts: readonly AccountState[]
  /** Before `newHolds`: a batch may end a hold and place another under the same id. */
  readonly endedHolds: readonly string[]
  readonly newHolds: readonly HoldState[]
  readonly changedHolds: readonly HoldState[]
  readonly entries: readonly EntryState[]
  readonly logs: readonly UsageLogRow[]
  readonly newTasks: readonly ChargedTask[]
  readonly endedTasks: readonly TaskEnd[]
  /** Work whose cause is known already is left out. */
  readonly notices: readonly NewWork[]
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
}
