import type { NewWork } from '@tollgate/store/operations/outbox'
import type { UsageLogRow } from '@tollgate/store/tables/schema'
import type { TaskTable } from '@tollgate/store/tables/trade'

/**
 * The only writer of quota. Every operation is idempotent by its key, and its promise resolves only after the
 * operation is durable. Amounts are quota units and never negative, except in {@link AdjustInput}.
 */
export interface Ledger {
  /**
   * Reserves quota for a call on the user's account and, if the call has a token, on the token's account: on
   * both or on neither.
   */
  reserve(input: ReserveInput): Promise<ReserveResult>
  /** Enlarges an open hold. Refused when an account cannot cover it; the hold then stays unchanged. */
  extend(input: ExtendInput): Promise<ExtendResult>
  /** Records what the call would owe if it were interrupted now. Recovery charges min(checkpoint, hold). */
  checkpoint(input: CheckpointInput): Promise<void>
  /** Ends a hold with exactly one consume entry and one usage-log row, in one transaction. */
  settle(input: SettleInput): Promise<SettleResult>
  /** Ends a hold without a charge. */
  release(input: ReleaseInput): Promise<void>
  /** Adds quota exactly once per key; pays debt first. */
  credit(input: CreditInput): Promise<CreditResult>
  /**
   * Changes an account by a signed amount, on behalf of an operator or its owner. A reduction beyond the
   * remaining quota becomes debt (user) or is refused (token).
   */
  adjust(input: AdjustInput): Promise<AdjustResult>
  /** Reverses the consume entry of a task's call, exactly once per task. */
  refund(input: RefundInput): Promise<RefundResult>
  /** Moves affiliate earnings to the user's own account. */
  transfer(input: TransferInput): Promise<TransferResult>
  /** Imports an account from another system, exactly once per key and only while the account is untouched. */
  open(input: OpenInput): Promise<OpenResult>
  balance(account: AccountId): Promise<Balance | undefined>
  audit(): Promise<AuditReport>
  health(): LedgerHealth
  /** Metrics that have to be queried from the store. */
  gauges(): Promise<LedgerGauges>
  /** Adds all entries to the totals now. This also happens automatically within seconds. */
  rollUp(): Promise<void>
  /**
   * Removes entries of calls older than `beforeMs`, which must be at least a day ago, and keeps their sums.
   * Credits stay, because their keys must remain unique for ever.
   */
  clean(beforeMs: number): Promise<number>
  /** Writes everything that is queued and ends the instance. */
  close(): Promise<void>
}

/** Computed as owner id x 4 + kind, so that no lookup is needed. */
export type AccountId = number
export type AccountKind = 'user' | 'token' | 'affiliate'

const KIND_CODE: Record<AccountKind, number> = { user: 0, token: 1, affiliate: 2 }

export function accountId(kind: AccountKind, ownerId: number): AccountId {
  return ownerId * 4 + KIND_CODE[kind]
}

export interface Balance {
  readonly granted: bigint
  readonly remaining: bigint
  readonly reserved: bigint
  readonly used: bigint
  readonly debt: bigint
  /** Users only: the sum of `ceiling - amount` over their calls in flight. */
  readonly exposed: bigint
  /** Users only: some of the quota was paid for, or the account was imported from another system. */
  readonly hasPaid: boolean
  /** Tokens only: usage is counted, but the balance is not checked. */
  readonly unlimited: boolean
  readonly version: number
}

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

export type ReserveResult =
  | { readonly type: 'reserved' }
  | ReserveRefusal
  /** The token has reached its limit of parallel calls. */
  | { readonly type: 'crowded' }
  /** The writer's queue is full for everybody (`gateway`) or for this user (`user`). */
  | { readonly type: 'busy'; readonly scope: 'gateway' | 'user' }
  /** The store cannot be written at the moment; nothing was changed. */
  | { readonly type: 'unavailable' }

export interface ReserveRefusal {
  readonly type: 'refused'
  /** `overdraft`: the balance covers the hold, but not what all calls in flight may cost together. */
  readonly by: 'user' | 'token' | 'budget' | 'overdraft'
  readonly remaining: bigint
  /**
   * Set for refusals by the user's balance under an {@link OverdraftRule}: whether no other call of the user
   * is in flight.
   */
  readonly isAlone?: boolean
}

export interface ExtendInput {
  readonly holdId: string
  readonly amount: bigint
  /** Raises the ceiling by the same amount. For sessions, whose number of turns is not known in advance. */
  readonly movesCeiling?: boolean
  /** The budget with which the call was admitted. */
  readonly budget?: Budget
}
export type ExtendResult =
  | { readonly type: 'extended'; readonly held: bigint }
  | { readonly type: 'refused' }
  | { readonly type: 'ended' }

export interface CheckpointInput {
  readonly holdId: string
  readonly amount: bigint
  readonly channelId?: number
}

export type SettleFlag = 'estimated' | 'partial' | 'client_gone' | 'cut' | 'recovered' | 'late' | 'waived'

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
  /** The usage log row, written with the entry. The ledger fills in its `quota` and flags. */
  readonly log?: UsageLogRow
  /** The upstream task that the call started. Its row is written in the same transaction as the entry. */
  readonly task?: NewTask
}

/** Initial state of a task. The ledger fills in its call and its charge. */
export type NewTask = Readonly<Omit<TaskTable, 'id' | 'request_id' | 'quota' | 'version'>>

export interface SettleResult {
  readonly charged: bigint
  readonly waived: bigint
  /** True when recovery had already ended the hold, so that a correction entry was written instead. */
  readonly late: boolean
}

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
}
export type CreditResult =
  | { readonly type: 'credited'; readonly repeated: boolean }
  | { readonly type: 'conflict' }

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
}
export type AdjustResult =
  | { readonly type: 'adjusted'; readonly before: bigint; readonly after: bigint; readonly repeated: boolean }
  | { readonly type: 'changed'; readonly actual: bigint }
  /** Tokens only: the change would take more than what remains. */
  | { readonly type: 'refused'; readonly remaining: bigint }
  | { readonly type: 'conflict' }

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

/** `changed`: the task no longer has the expected version, and nothing was refunded. */
export type RefundResult = CreditResult | { readonly type: 'changed' }

export interface TransferInput {
  readonly key: string
  readonly from: AccountId
  readonly to: AccountId
  readonly amount: bigint
}
export type TransferResult =
  | { readonly type: 'transferred'; readonly repeated: boolean }
  | { readonly type: 'refused'; readonly remaining: bigint }
  | { readonly type: 'conflict' }

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
export type OpenResult =
  | { readonly type: 'opened'; readonly repeated: boolean }
  /** The key was used before with other amounts. */
  | { readonly type: 'conflict' }
  /** The account has other activity already. */
  | { readonly type: 'occupied' }

/**
 * Rules that the audit checks:
 * - I1: granted + debt = remaining + reserved + used.
 * - I2: no part is negative, and there is no debt while quota remains.
 * - I3: reserved quota, open holds and granted quota match the holds and entries, whose accounts exist.
 * - I4: used quota and totals match the entries.
 * - I5: operation keys are unique.
 * - I6: no charge exceeds its ceiling without being flagged, and exposed quota matches the holds.
 * - I8: no hold outlives its call.
 * - I9: a settled entry recomputes to the charged amount from its own JSON.
 * - I10: amounts are not negative, and a hold is within its ceiling.
 * I7 (an operation is durable before its reply) cannot be checked from the tables.
 */
export type AuditRule = 'I1' | 'I2' | 'I3' | 'I4' | 'I5' | 'I6' | 'I8' | 'I9' | 'I10'

export interface AuditFinding {
  readonly rule: AuditRule
  readonly account?: AccountId
  readonly detail: string
}
export interface AuditReport {
  readonly accounts: number
  readonly entries: number
  readonly holds: number
  readonly totals: Omit<Balance, 'exposed' | 'hasPaid' | 'unlimited' | 'version'>
  readonly findings: readonly AuditFinding[]
  readonly durationMs: number
}

export interface LedgerHealth {
  readonly isWritable: boolean
  readonly queued: number
  readonly openHolds: number
  readonly batches: number
  readonly lastBatchSize: number
  readonly lastCommitMs: number
  readonly recovered: number
  readonly corrections: number
  readonly refused: number
  /** Transactions that were retried, on stores that several nodes write to. */
  readonly retried?: number
  /** Transactions whose reply was lost but which had been committed. */
  readonly confirmed?: number
  /** Settlements and releases in the journal that wait for the database server. */
  readonly journaled?: number
}

export interface LedgerGauges {
  readonly openHolds: number
  /** Age of the oldest open hold; zero when there is none. */
  readonly oldestHoldMs: number
  readonly debtTotal: bigint
  /**
   * Calls interrupted by a crash, for which recovery charged at most the last checkpoint. Calls corrected
   * since are not counted.
   */
  readonly interrupted: number
}
