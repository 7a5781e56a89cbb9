import type { NewWork } from '@tollgate/store/outbox'
import type { UsageLogRow } from '@tollgate/store/schema'
import type { TaskTable } from '@tollgate/store/trade-tables'

/**
 * The only writer of money. Every operation is idempotent by its key, and a promise resolves only after the
 * operation is durable (I7). Amounts are quota units, never negative except in {@link AdjustInput}.
 */
export interface Ledger {
  /** Sets quota aside for a call on the user's account and, for a call with a token, on the token's; both or neither. */
  reserve(input: ReserveInput): Promise<ReserveResult>
  /** Enlarges an open hold. Refused when an account cannot cover it; the hold then stays as it was. */
  extend(input: ExtendInput): Promise<ExtendResult>
  /** Notes what an interrupted call would owe. Recovery charges min(checkpoint, hold). */
  checkpoint(input: CheckpointInput): Promise<void>
  /** Ends a hold with exactly one consume entry and one usage-log row, in one transaction. */
  settle(input: SettleInput): Promise<SettleResult>
  /** Ends a hold without a charge. */
  release(input: ReleaseInput): Promise<void>
  /** Adds quota exactly once per key. First pays debt. */
  credit(input: CreditInput): Promise<CreditResult>
  /** Signed change by an operator or owner; an amount below what remains goes to debt (user) or is refused (token). */
  adjust(input: AdjustInput): Promise<AdjustResult>
  /** Reverses a consume entry of a task, exactly once per task. */
  refund(input: RefundInput): Promise<RefundResult>
  /** Affiliate earnings to the user's own account. */
  transfer(input: TransferInput): Promise<TransferResult>
  /** Brings an account over from another system, exactly once per key and only while nothing has happened on it. */
  open(input: OpenInput): Promise<OpenResult>
  balance(account: AccountId): Promise<Balance | undefined>
  audit(): Promise<AuditReport>
  health(): LedgerHealth
  /** Figures that need a look at the store. */
  gauges(): Promise<LedgerGauges>
  /** Brings the totals up to the last entry at once; by itself that happens within seconds. */
  rollUp(): Promise<void>
  /** Removes entries of calls older than `beforeMs`, at least a day, keeping their sums. Credits stay: their keys are for ever. */
  clean(beforeMs: number): Promise<number>
  /** Flushes what is queued and ends the instance. */
  close(): Promise<void>
}

/** Deterministic: owner id x 4 + kind, so that nobody has to look an account up. */
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
  /** Only users: the sum of `ceiling - amount` over their calls in flight. */
  readonly exposed: bigint
  /** Only users: something was paid for the quota, or it was brought over from another system. */
  readonly hasPaid: boolean
  /** Only tokens: counted, never checked. */
  readonly unlimited: boolean
  readonly version: number
}

export interface ReserveInput {
  /** The request id: the hold's key. */
  readonly holdId: string
  readonly userAccount: AccountId
  readonly tokenAccount?: AccountId
  readonly amount: bigint
  /** Price of the largest call the request permits; never below `amount`. */
  readonly ceiling: bigint
  /** The frozen {@link import('@tollgate/billing/price').Price} as JSON text. */
  readonly priceJson: string
  /** Of the token; without one they mean nothing. */
  readonly limits?: TokenLimits
  /** Without one, calls in flight may cost any amount beyond what is held for them. */
  readonly overdraft?: OverdraftRule
}

/**
 * Bounds what the calls of one user in flight may cost beyond their holds: after each admission the sum of
 * `ceiling - amount` is at most `factor` times what remains. Once all of them are settled the user owes at most
 * `factor - 1` times what remained.
 */
export interface OverdraftRule {
  readonly factor: bigint
  /**
   * A call that is alone in flight is never refused for good. `true` admits it whatever it may cost; `false` refuses it
   * once, with `isAlone`, so that its caller makes it smaller and asks again with `true`.
   */
  readonly admitsAlone: boolean
}

/** What a token may do beside its quota. It is decided with the hold, and therefore exact. */
export interface TokenLimits {
  /** Calls under way at a time. */
  readonly parallelCalls?: number
  readonly budget?: Budget
}

/** What may be spent in the period that began at `sinceMs`, what is held for calls under way included. */
export interface Budget {
  readonly units: bigint
  readonly sinceMs: number
}

export type ReserveResult =
  | { readonly type: 'reserved' }
  | ReserveRefusal
  /** The token has as many calls under way as it may. */
  | { readonly type: 'crowded' }
  /** The writer's queue is full for everybody (`gateway`) or for this user (`user`). */
  | { readonly type: 'busy'; readonly scope: 'gateway' | 'user' }
  /** The store cannot be written now; nothing was changed. */
  | { readonly type: 'unavailable' }

export interface ReserveRefusal {
  readonly type: 'refused'
  /** `overdraft`: the balance pays for the hold, but not for what all calls in flight may cost together. */
  readonly by: 'user' | 'token' | 'budget' | 'overdraft'
  readonly remaining: bigint
  /** Told of the user's own balance under an {@link OverdraftRule}: no other call of theirs is in flight. */
  readonly isAlone?: boolean
}

export interface ExtendInput {
  readonly holdId: string
  readonly amount: bigint
  /** The ceiling grows by the same amount: for a session, whose number of turns nobody knows in advance. */
  readonly movesCeiling?: boolean
  /** As it was when the call was admitted. */
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
  /** price(usage); the ledger limits it to the hold's ceiling and keeps the rest on the entry as waived (I6). */
  readonly amount: bigint
  readonly flags: readonly SettleFlag[]
  readonly channelId?: number
  /** Normalised usage as JSON text. */
  readonly usageJson: string
  /** Frozen at admission like the hold's own, of another group that served the call in the end. */
  readonly priceJson?: string
  /** The wide usage-log row, written with the entry. Its `quota` and flags are filled in by the ledger. */
  readonly log?: UsageLogRow
  /** What the call had an upstream begin; its row comes into being with the entry, or not at all. */
  readonly task?: NewTask
}

/** A task's first state. Its call and its charge are filled in by the ledger. */
export type NewTask = Readonly<Omit<TaskTable, 'id' | 'request_id' | 'quota' | 'version'>>

export interface SettleResult {
  readonly charged: bigint
  readonly waived: bigint
  /** True when recovery had ended the hold already and a correction entry was filed instead. */
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
  /** Signed difference. */
  readonly delta: bigint
  /** `remaining - debt` the caller saw; the adjustment is refused when it has changed. */
  readonly expected?: bigint
  /** Tokens only: switches between counted and limited. */
  readonly unlimited?: boolean
  readonly note?: string
}
export type AdjustResult =
  | { readonly type: 'adjusted'; readonly before: bigint; readonly after: bigint; readonly repeated: boolean }
  | { readonly type: 'changed'; readonly actual: bigint }
  /** Tokens only: the change would take more than remains. */
  | { readonly type: 'refused'; readonly remaining: bigint }
  | { readonly type: 'conflict' }

export interface RefundInput {
  readonly taskId: string
  readonly requestId: string
  readonly amount: bigint
  /** The end of the task's row, in the same transaction; without it the row is none of the ledger's. */
  readonly end?: TaskEnd
  /** What its owner is to be told, queued with the entry: work of the outbox. */
  readonly notice?: NewWork
  /** A row of the usage log, written with the entry. */
  readonly log?: UsageLogRow
}

/** How a task ends. It does only if its row is still as whoever decided this saw it: in this version. */
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

/** `changed`: the task is no longer in the version it was to end in; nothing was refunded. */
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
  /** What its owner may spend; negative is debt. */
  readonly remaining: bigint
  /** What they spent before; never negative. */
  readonly used: bigint
  /** Tokens only: counted, never checked. */
  readonly unlimited?: boolean
  readonly note?: string
}
export type OpenResult =
  | { readonly type: 'opened'; readonly repeated: boolean }
  /** The key came before with other figures. */
  | { readonly type: 'conflict' }
  /** Something else has happened on the account already. */
  | { readonly type: 'occupied' }

/** I7 is about what is written when; no table shows it. */
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
  /** Transactions begun again, where several nodes write. */
  readonly retried?: number
  /** Transactions whose answer was lost and that had been committed. */
  readonly confirmed?: number
  /** Ends of calls that wait in the journal for their database server. */
  readonly journaled?: number
}

export interface LedgerGauges {
  readonly openHolds: number
  /** Age of the oldest open hold; zero when none is open. */
  readonly oldestHoldMs: number
  readonly debtTotal: bigint
  /** Calls that a crash interrupted and recovery charged at most their last checkpoint, without those corrected since. */
  readonly interrupted: number
}
