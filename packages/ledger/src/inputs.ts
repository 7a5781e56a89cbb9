import type { NewWork } from '@tollgate/store/operations/outbox'
import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { TaskTable } from '@tollgate/store/tables/trade'
import type { AccountId } from './account.ts'
import type { SettleFlag } from './settle-flag.ts'
import type { CallCheckpoint, CallEnd, OpenedCall } from './journal/line.ts'

export interface ReserveInput {
  /** The request id; it is the key of the hold. */
  readonly holdId: string
  readonly userAccount: AccountId
  readonly tokenAccount?: AccountId
  readonly amount: bigint
  /** Price of the largest call that the request permits; never below `amount`. */
  readonly ceiling: bigint
  /** JSON of the frozen {@link import('@tollgate/billing/price').Price}. */
  readonly priceJson: string
  /**
   * JSON of the prices of further models that may serve or help, at most seven. The hold names them by their
   * content hashes.
   */
  readonly furtherPrices?: readonly string[]
  /** Other processes look the hold up: it is written to the database at once, as for tasks. */
  readonly isShared?: boolean
  /** Limits of the token; ignored when there is no token. */
  readonly limits?: TokenLimits
  /** Without a rule, the calls in flight may cost any amount beyond their holds. */
  readonly overdraft?: OverdraftRule
}

/**
 * Bounds how much one user's calls in flight may cost beyond their holds: after each admission the sum of
 * `ceiling - amount` is at most `factor` times the remaining quota. After all of them are settled, the user
 * owes at most `factor - 1` times that remaining quota.
 */
export interface OverdraftRule {
  readonly factor: bigint
  /**
   * Applies to a call that exceeds the rule while no other call of the user is in flight. `true` admits it
   * whatever it may cost. `false` refuses it with `isAlone`, so that the caller can make it smaller and retry
   * with `true`; such a call is therefore never refused for good.
   */
  readonly admitsAlone: boolean
}

/**
 * Limits of a token besides its quota. They are checked in the same transaction as the hold, so they are
 * exact.
 */
export interface TokenLimits {
  /** Maximum number of calls in flight. */
  readonly parallelCalls?: number
  readonly budget?: Budget
}

/** Maximum spend in the period that began at `sinceMs`, including the quota held by calls in flight. */
export interface Budget {
  readonly units: bigint
  readonly sinceMs: number
}

export interface ExtendInput {
  readonly holdId: string
  readonly amount: bigint
  /** Raises the ceiling by the same amount. For sessions, whose number of turns is not known in advance. */
  readonly movesCeiling?: boolean
  /** The budget with which the call was admitted. */
  readonly budget?: Budget
}

export interface CheckpointInput {
  readonly holdId: string
  readonly amount: bigint
  readonly channelId?: number
}

export type { SettleFlag } from './settle-flag.ts'

export interface SettleInput {
  readonly holdId: string
  /**
   * The price of the usage. The ledger charges at most the hold's ceiling and records the rest on the entry
   * as waived.
   */
  readonly amount: bigint
  readonly flags: readonly SettleFlag[]
  readonly channelId?: number
  /** JSON of the normalised usage. */
  readonly usageJson: string
  /**
   * Price of another group, when that group finally served the call; frozen at admission like the hold's own
   * price.
   */
  readonly priceJson?: string
  /** JSON of the prices that parts of the usage name by content hash; stored with the entry. */
  readonly partPrices?: readonly string[]
  /** The usage log row, written with the entry. The ledger fills in its `quota` and flags. */
  readonly log?: UsageLogRow
  /** The upstream task that the call started. Its row is written in the same transaction as the entry. */
  readonly task?: NewTask
}

/** Initial state of a task. The ledger fills in its call and its charge. */
export type NewTask = Readonly<Omit<TaskTable, 'id' | 'request_id' | 'quota' | 'version'>>

export interface ReleaseInput {
  readonly holdId: string
  readonly log?: UsageLogRow
}

export interface CreditInput {
  /** For example `gift:new:7`; unique for ever. */
  readonly key: string
  readonly account: AccountId
  readonly amount: bigint
  readonly note?: string
  readonly spacing?: CreditSpacing
}

/** The credit is refused as a conflict if a credit with one of the keys is younger than that. */
export interface CreditSpacing {
  readonly keys: readonly string[]
  readonly spacingMs: number
}

export interface AdjustInput {
  readonly key: string
  readonly account: AccountId
  /** Signed difference in quota units. */
  readonly delta: bigint
  /**
   * The balance (`remaining - debt`) that the caller saw. The adjustment is refused when the balance has
   * changed since.
   */
  readonly expected?: bigint
  /** Tokens only: makes the token unlimited or limited. */
  readonly unlimited?: boolean
  readonly note?: string
  /** Queued in the outbox in the same transaction; a refused or repeated adjustment queues nothing. */
  readonly notice?: NewWork
}

export interface RefundInput {
  readonly taskId: string
  readonly requestId: string
  readonly amount: bigint
  /**
   * Final state of the task's row, written in the same transaction. Without it the ledger does not touch the
   * row.
   */
  readonly end?: TaskEnd
  /** A notification of the owner, queued in the outbox in the same transaction. */
  readonly notice?: NewWork
  /** A usage log row, written with the entry. */
  readonly log?: UsageLogRow
}

/** Final state of a task. It is applied only if the task's row still has this version. */
export interface TaskEnd {
  readonly id: number
  readonly version: number
  readonly status: string
  readonly progress: string
  readonly fail_reason: string
  readonly finish_ms: number
  readonly detail: string
  readonly updated_ms: number
}

export interface TransferInput {
  readonly key: string
  readonly from: AccountId
  readonly to: AccountId
  readonly amount: bigint
}

export interface OpenInput {
  /** For example `import:<source>:user:7`; unique for ever. */
  readonly key: string
  readonly account: AccountId
  /** Quota that the owner may still spend; a negative value is debt. */
  readonly remaining: bigint
  /** Quota that the owner spent before; never negative. */
  readonly used: bigint
  /** Tokens only: usage is counted, but the balance is not checked. */
  readonly unlimited?: boolean
  readonly note?: string
}

/** The calls of a process on one of its accounts, as it reports them with its commands. */
export interface AllotmentReport {
  readonly account: AccountId
  /** Quota of the allotment that no call holds or has spent; never negative. */
  readonly free: bigint
  /** Calls in flight within the allotment, and the sum of `ceiling - amount` over them (users only). */
  readonly openHolds: number
  readonly exposed: bigint
  /** Free part of the budget allotment, for tokens with a budget. */
  readonly budget?: { readonly sinceMs: number; readonly free: bigint }
}

/** Admits one call by the rules of `reserve`, and grants the process quota for it. */
export interface AllotInput {
  readonly userAccount: AccountId
  readonly tokenAccount?: AccountId
  readonly amount: bigint
  readonly ceiling: bigint
  readonly limits?: TokenLimits
  readonly overdraft?: OverdraftRule
  /** How much more than `amount` is granted on each account if it remains. */
  readonly wanted: bigint
  /** The most of what remains that may be granted beyond `amount`: 1 of this many parts. 1 for a lone process. */
  readonly parts: number
  /** For the accounts of the call. Their free quota is taken back before the decision. */
  readonly reports: readonly AllotmentReport[]
  /** The instance that reports. Another one, which the process became meanwhile, has other allotments. */
  readonly instanceId: string
}

export interface GiveBackInput {
  /** Their free quota is returned to the accounts. */
  readonly reports: readonly AllotmentReport[]
  /** As in {@link AllotInput}. */
  readonly instanceId: string
}

/** Tells the other processes to return their free quota of these accounts and to ask for each call. */
export interface RecallInput {
  readonly accounts: readonly AccountId[]
}

/** Writes a range of the journal of an instance to the ledger. */
export interface FoldInput {
  readonly fileId: string
  /** The instance that wrote the journal. Its allotments cover the charges. */
  readonly instanceId: string
  /**
   * Byte positions. Nothing is written unless the stored position equals `from`. The first range of a file may
   * begin anywhere.
   */
  readonly from: number
  readonly to: number
  /**
   * Position of the first line `opened` of a call that has no end before `to`; equal to `to` when there is none.
   * Without it the stored one stays.
   */
  readonly openFrom?: number
  readonly ends: readonly CallEnd[]
  /** Calls of a dead instance without an end: they are charged min(checkpoint, held). Known calls are skipped. */
  readonly interrupted: readonly InterruptedCall[]
  /** Lines of the range that cannot be folded; they are kept for the operator. */
  readonly rejected: readonly RejectedLine[]
  /** Of the accounts with ends; their rows are updated, and nothing is returned. */
  readonly reports: readonly AllotmentReport[]
  /** The instance was declared dead and its allotments were reclaimed: known calls are skipped, others are flagged `late`. */
  readonly isLate: boolean
  /**
   * The instance folds its own journal. If it was declared dead meanwhile, others may have charged its calls:
   * nothing is written then, and the range is to be folded as late.
   */
  readonly isOwn?: boolean
}

export interface InterruptedCall {
  readonly call: OpenedCall
  readonly checkpoint: CallCheckpoint | undefined
}

export interface RejectedLine {
  readonly position: number
  readonly line: string
  readonly reason: string
}

/** Returns the allotments of an instance that has died. */
export interface ReclaimInput {
  readonly instanceId: string
  readonly accounts: readonly AccountId[]
}
