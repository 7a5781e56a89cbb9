import type { AccountId, Balance } from './account.ts'
import type {
  AdjustInput,
  CheckpointInput,
  CreditInput,
  ExtendInput,
  OpenInput,
  RefundInput,
  ReleaseInput,
  ReserveInput,
  SettleInput,
  TransferInput,
} from './inputs.ts'
import type {
  AdjustResult,
  CreditResult,
  ExtendResult,
  OpenResult,
  RefundResult,
  ReserveResult,
  SettleResult,
  TransferResult,
} from './results.ts'
import type { AuditReport } from './audit-report.ts'

/**
 * The only writer of quota. Every operation is idempotent by its key, and its promise resolves only after the
 * operation is durable: in the database, or for calls within an allotment in the journal. Amounts are quota units and never negative, except in {@link AdjustInput}.
 */
export interface Ledger {
  /** The operations of calls without a promise where none is needed, if calls are admitted in memory. */
  readonly calls?: CallOperations | undefined
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
  /**
   * Whether the quota of this call is certainly still set aside. To be asked before its first byte goes upstream:
   * a process that did not run for a while may have been declared dead meanwhile.
   */
  isHeld(holdId: string): boolean
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
  /** Resolves when every call that ended before is in the database, or the database cannot be written. */
  caughtUp(): Promise<void>
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

type OfCalls = 'reserve' | 'extend' | 'checkpoint' | 'settle' | 'release'

/**
 * The operations of calls. One that was decided in memory is done when it returns; one that needs the store
 * returns a promise.
 */
export type CallOperations = {
  [Name in OfCalls]: (
    ...input: Parameters<Ledger[Name]>
  ) => Awaited<ReturnType<Ledger[Name]>> | ReturnType<Ledger[Name]>
}

export interface LedgerHealth {
  /** Whether the store and the journal can be written, so that calls are admitted. */
  readonly isWritable: boolean
  /** Whether the store can be written. */
  readonly isStoreWritable?: boolean
  /** Whether this process admits calls: also while the database is away, as long as the lease of its quota runs. */
  readonly isAdmitting?: boolean
  /** Whether calls are refused because the disk of this process has no room. */
  readonly isDiskFull?: boolean
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
  /** Bytes of the journal that are not in the database yet. */
  readonly unfoldedBytes?: number
  /** Age of the oldest line among them. */
  readonly foldLagMs?: number
  /** Accounts of which this process has quota set aside. */
  readonly allotments?: number
  /** Accounts of which this process had counted other quota than was set aside for it, since the start. */
  readonly allotmentsMended?: number
  /** When that happened last; 0 when it never did. */
  readonly allotmentMendedMs?: number
}

export interface LedgerGauges {
  /** Calls in flight of all processes; those in memory as of the last fold of their process. */
  readonly openHolds: number
  /** Age of the oldest hold in the database or call in the memory of this process; zero when there is none. */
  readonly oldestHoldMs: number
  readonly debtTotal: bigint
  /**
   * Calls interrupted by a crash, for which recovery charged at most the last checkpoint. Calls corrected
   * since are not counted.
   */
  readonly interrupted: number
}
