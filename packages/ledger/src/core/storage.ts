import type { AccountId, AuditReport, Balance, LedgerGauges } from '../ledger.ts'
import type { FateOfHold } from '../take-up-journals.ts'
import type { Circumstances, Command, Decision } from './command.ts'

/** Where the books are kept. Memory, SQLite and servers have one each; they run the same core. */
export interface LedgerStorage {
  /** How long an admission may wait for an answer; without it, as long as it takes. */
  readonly admissionMs?: number
  /**
   * Decides the commands in order and makes their changes durable, in one transaction. When a command fails for a reason
   * of its own, every command is run again by itself. Rejects only when the store itself fails; then nothing was changed.
   * Only a server that went away may have committed: admissions are then given up, and released should they turn out to
   * have been committed; all others may be sent again, as the same objects, and are carried out once.
   */
  run(commands: readonly Command[], circumstances: Circumstances): Promise<readonly Reply[]>
  /** Ends every hold of an earlier instance by the last line of the table of exits, and enters this one. */
  start(circumstances: Circumstances): Promise<StartReport>
  /** Notes that this instance ended by itself. */
  end(circumstances: Circumstances): Promise<void>
  balance(account: AccountId): Promise<Balance | undefined>
  /** Brings the totals up to the last entry. */
  rollUp(circumstances: Circumstances): Promise<void>
  /** Removes entries of calls older than this, keeping their sums; returns how many. */
  clean(beforeMs: number): Promise<number>
  audit(): Promise<Omit<AuditReport, 'durationMs'>>
  gauges(nowMs: number): Promise<LedgerGauges>
  /** What became of a call of another instance; only where several nodes write. */
  readonly fateOf?: (holdId: string) => Promise<FateOfHold>
  /** What has happened beside the commands since the start; only where several nodes write. */
  counts?(): StorageCounts
}

export interface StorageCounts {
  /** Holds of dead nodes that this one ended. */
  readonly recovered: number
  /** Transactions begun again: after a deadlock, a lost connection, or when another node was first. */
  readonly retried: number
  /** Transactions whose answer was lost and that had been committed. */
  readonly confirmed: number
}

export type Reply =
  | { readonly type: 'decided'; readonly decision: Decision }
  /** The command broke a rule of the ledger or of the schema: a bug. It changed nothing. */
  | { readonly type: 'failed'; readonly detail: string }

export interface StartReport {
  readonly recovered: number
  readonly openHolds: number
}
