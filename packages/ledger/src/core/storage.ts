import type { AccountId, Balance } from '../account.ts'
import type { AuditReport } from '../audit-report.ts'
import type { LedgerGauges } from '../ledger.ts'
import type { HoldOutcome } from '../orphaned-journals.ts'
import type { FoldResult } from '../results.ts'
import type { Alarm, CommandContext, Command, Decision } from './command.ts'
import type { JournalRange } from './journal-range.ts'
import type { AllotmentState } from './state.ts'

/** Storage of the ledger. Memory, SQLite and database servers implement it; all run the same core. */
export interface LedgerStorage {
  /**
   * How long an admission may wait for the store. Without it an admission waits as long as the store takes.
   */
  readonly admissionMs?: number
  /**
   * Decides the commands in order and makes their changes durable, in one transaction. When a command fails
   * for a reason of its own, every command is run again separately. Rejects only when the store itself fails;
   * then nothing was changed. The exception is a lost server connection, where the transaction may have been
   * committed: admissions are then given up, and released if they turn out to have been committed; all other
   * commands may be submitted again, as the same objects, and are carried out once.
   */
  run(commands: readonly Command[], circumstances: CommandContext): Promise<readonly Reply[]>
  /**
   * After {@link run} rejected: whether this command has certainly changed nothing, so that it need not be submitted
   * again. Only on storages whose connection can get lost.
   */
  readonly isUntouched?: (command: Command) => boolean
  /**
   * Registers this instance. On SQLite its owner also declares all earlier instances dead. Their journals are to
   * be folded before {@link recover}.
   */
  start(circumstances: CommandContext): Promise<void>
  /**
   * Ends every durable hold of dead instances, charging min(checkpoint, hold), and returns their allotments to the
   * accounts.
   */
  recover(circumstances: CommandContext): Promise<RecoveryReport>
  /**
   * Folds one range of a journal, in one transaction. When a line fails for a reason of its own, the range is
   * folded in parts, and that line is kept in `journal_rejected`. Rejects only when the store itself fails; the
   * same range may then be folded again, and is carried out once.
   */
  fold(range: JournalRange, circumstances: CommandContext): Promise<FoldReply>
  /** To be awaited before the reports of a fold are taken, which then gets its turn before later commands. */
  readonly beforeFold?: (fileId: string) => Promise<void> | undefined
  /** What is set aside for a process, as of the commands and folds that it submitted before. */
  readAllotments(question: AllotmentQuestion, circumstances: CommandContext): Promise<AllotmentAnswer>
  /** Accounts of which something is set aside for the process. */
  allottedAccounts(instanceId: string): Promise<readonly AccountId[]>
  /** All journal files that were folded before and not forgotten. */
  positions(): Promise<readonly JournalPosition[]>
  /** Removes the position of a file; call it after the file was removed. */
  forgetJournal(fileId: string): Promise<void>
  /** States of these instances; those that the database does not know are absent. */
  statesOf(instanceIds: readonly string[]): Promise<ReadonlyMap<string, InstanceState>>
  /** Number of processes that write to the ledger. */
  liveInstances(): Promise<number>
  /** Only on storages that declare an instance dead when its heartbeat is too old. */
  readonly heartbeat?: Heartbeat
  /** Records that this instance ended normally. */
  end(circumstances: CommandContext): Promise<void>
  balance(account: AccountId): Promise<Balance | undefined>
  /** Adds all entries to the totals. */
  rollUp(circumstances: CommandContext): Promise<void>
  /** Removes entries of calls older than this and keeps their sums; returns how many were removed. */
  clean(beforeMs: number): Promise<number>
  audit(): Promise<Omit<AuditReport, 'durationMs'>>
  gauges(nowMs: number): Promise<LedgerGauges>
  /** The outcome of a call of another instance. Only on storages that several nodes write to. */
  readonly fateOf?: (holdId: string) => Promise<HoldOutcome>
  /** Counters since the start. Only on storages that several nodes write to. */
  counts?(): StorageCounts
}

export type InstanceState = 'alive' | 'ended' | 'dead'

export interface Heartbeat {
  /** Whether nobody can have declared this instance dead, so that its allotments are its own. */
  isAlive(): boolean
  beat(circumstances: CommandContext): Promise<void>
  /** Continues under a new id, because the database no longer knows what this instance was granted. */
  reenter(circumstances: CommandContext): Promise<void>
  /** Calls back when this process has continued under a new id, before any command is carried out under it. */
  onReentered(listener: (instanceId: string, reason: ReenterReason) => void): void
}

/** It was declared dead, or the database was set back to an earlier state. */
export type ReenterReason = 'declared-dead' | 'set-back'

export interface StorageCounts {
  /** Holds of dead nodes that this node ended. */
  readonly recovered: number
  /** Transactions that were retried: after a deadlock, a lost connection or a conflict with another node. */
  readonly retried: number
  /** Transactions whose reply was lost but which had been committed. */
  readonly confirmed: number
}

export interface AllotmentQuestion {
  readonly accounts: readonly AccountId[]
  /** The current file of the journal of the process. */
  readonly fileId: string
}

export interface AllotmentAnswer {
  /** How far the file is folded. */
  readonly position: number
  /** Of this process only. */
  readonly rows: readonly AllottedQuota[]
}

export type AllottedQuota = Pick<AllotmentState, 'account' | 'amount' | 'budgetSinceMs' | 'budgetAmount'>

export type Reply =
  | { readonly type: 'decided'; readonly decision: Decision }
  /** The command violated a rule of the ledger or of the schema, which is a bug. It changed nothing. */
  | { readonly type: 'failed'; readonly detail: string }

export interface RecoveryReport {
  readonly recovered: number
  readonly openHolds: number
}

export interface FoldReply {
  readonly result: FoldResult
  readonly alarms: readonly Alarm[]
}

export interface JournalPosition {
  readonly fileId: string
  readonly instanceId: string
  readonly position: number
  readonly openFrom: number
  /** State of the instance; `undefined` when it is not known. */
  readonly state: InstanceState | undefined
}
