import type { Clock } from '@tollgate/kit/clock'
import type { Alarm, CommandType, Outcome } from './core/command.ts'
import type { LedgerStorage } from './core/storage.ts'
import type { Journal } from './away-journal.ts'

export interface WriterLimits {
  /** Maximum number of operations in one transaction. */
  readonly batchMax: number
  /** Maximum number of operations queued or in flight; beyond it no call is admitted. */
  readonly queueMax: number
  /** Maximum number of admissions of one user queued or in flight. */
  readonly perUserMax: number
}

export const WRITER_LIMITS: WriterLimits = { batchMax: 256, queueMax: 5_000, perUserMax: 256 }

export interface WriterOptions {
  readonly storage: LedgerStorage
  readonly clock: Clock
  readonly instanceId: string
  readonly onAlarm: (alarm: Alarm) => void
  /** Called for every decided operation, before its caller gets the result. */
  readonly onDecided: (type: CommandType, outcome: Outcome) => void
  readonly limits?: WriterLimits
  /** Called each time the embedded database found no room on the disk. */
  readonly onFull?: () => void
  /** Also stores the ends of calls on disk while a server is down. */
  readonly journal?: Journal | undefined
  /**
   * How long an admission waits for a store that does not answer. After that, admissions are refused at once
   * until the store answers again. Without it they wait as long as the store takes.
   */
  readonly admissionMs?: number | undefined
}

export interface WriterHealth {
  readonly isWritable: boolean
  readonly queued: number
  readonly batches: number
  readonly lastBatchSize: number
  readonly lastCommitMs: number
}
