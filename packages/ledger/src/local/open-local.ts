import type { Clock } from '@tollgate/kit/clock'
import type { AccountId } from '../account.ts'
import type { Alarm, CommandContext } from '../core/command.ts'
import type { LedgerStorage } from '../core/storage.ts'
import type { AllotInput, GiveBackInput } from '../inputs.ts'
import type { JournalFs } from '../journal/journal-fs.ts'
import type { AllotResult } from '../results.ts'
import { removeOldJournals } from './adopt-journals.ts'
import { reasonOf } from './journal-problems.ts'
import { FoldLoop } from './fold-loop.ts'
import { LocalLedger } from './local-ledger.ts'
import { ProcessJournal } from './process-journal.ts'

/** Where and how a process keeps its journal. */
export interface JournalOptions {
  /** Local to this machine, and the same after a restart. */
  readonly folder: string
  readonly databaseId: string
  /** The longest time between writing a line and forcing it to the disk; `always`: before an answer ends. */
  readonly syncMs?: number | 'always'
  /** For tests only: file operations that fail or are recorded. */
  readonly fs?: JournalFs
  /** Above this no calls are admitted until folding has caught up; 64 MiB by default. */
  readonly unfoldedBytesMax?: number
}

export interface LocalParts {
  readonly storage: LedgerStorage
  readonly journal: JournalOptions
  readonly clock: Clock
  readonly now: () => CommandContext
  readonly allot: (input: AllotInput) => Promise<AllotResult>
  readonly giveBack: (input: GiveBackInput) => Promise<unknown>
  /** Why no request of this user can be queued for the ledger, or `undefined`. */
  readonly busy: (user: AccountId) => 'gateway' | 'user' | undefined
  readonly onAlarm: (alarm: Alarm) => void
}

export interface Local {
  readonly calls: LocalLedger
  /** Resolves when everything that happened before is in the ledger, or could not be written. */
  caughtUp(): Promise<void>
  /** Gives the free quota of the accounts back, in the queue before whatever is submitted next. */
  giveBack(accounts: readonly AccountId[]): void
  /** Resolves when what was written is forced to the disk, if answers wait for that. */
  readonly synced: (() => Promise<void>) | undefined
  readonly unfoldedBytes: () => number
  /** Folds everything and gives all allotments back. Resolves to false when the ledger could not be written. */
  close(): Promise<boolean>
}

/** Allotments that no call has used for this long are given back. */
const IDLE_MS = 5 * 60_000
const IDLE_CHECK_MS = 30_000

/** Admits calls in memory, keeps their journal and folds it. */
export function openLocal({
  storage,
  journal: options,
  clock,
  now,
  allot,
  giveBack,
  busy,
  onAlarm,
}: LocalParts): Local {
  const journal = new ProcessJournal({
    ...options,
    clock,
    instanceId: now().instanceId,
    openCalls: () => calls.openLines(),
    onNextFile: () => calls.onNextFile(),
    onWritten: () => loop.wake(),
    onFailure: (error) =>
      onAlarm({
        type: 'store_failed',
        detail: `the journal in ${options.folder} failed (${reasonOf(error)}): it continues in another file, and calls are refused while none can be written`,
      }),
  })
  const calls: LocalLedger = new LocalLedger({
    allot,
    busy,
    parts: () => 1,
    isAlone: () => true,
    nowMs: () => clock.nowMs(),
    journal,
    onAlarm,
  })
  const loop: FoldLoop = new FoldLoop({
    next: () => journal.next(),
    done: (range, position) => journal.done(range, position),
    takeReports: () => calls.accounts.takeReports(),
    reportAgain: (reports) => calls.accounts.reportAgain(reports),
    fold: async ({ isComplete, ...range }, reports) => {
      const openFrom = isComplete ? (calls.openFrom ?? range.to) : undefined
      const { instanceId } = now()
      const { result, alarms } = await storage.fold({ ...range, instanceId, openFrom, reports }, now())
      for (const alarm of alarms) onAlarm(alarm)
      return result
    },
    onFolded: (result) => {
      if (result.type === 'folded') calls.accounts.noteTaken(result.taken)
      else
        onAlarm({
          type: 'operation_failed',
          detail: `the ledger has the journal up to ${result.position}; folding continues there`,
        })
    },
    onFailure: (error) =>
      onAlarm({ type: 'store_failed', detail: `the journal cannot be folded: ${String(error)}` }),
  })
  const giveBackNow = (accounts: readonly AccountId[]): void => {
    const reports = calls.accounts.takeBack(accounts)
    if (reports.length === 0) return calls.accounts.forget(accounts)
    giveBack({ reports })
      .then(() => calls.accounts.forget(accounts))
      .catch((error: unknown) =>
        onAlarm({ type: 'operation_failed', detail: `free quota was not given back: ${String(error)}` }),
      )
  }
  const idle = setInterval(
    () => giveBackNow(calls.accounts.idleSince(clock.nowMs() - IDLE_MS)),
    IDLE_CHECK_MS,
  )
  idle.unref()
  const stopCleaning = everyMinute(() => removeOldJournals({ storage, ...options, now, onAlarm }), onAlarm)
  return {
    calls,
    caughtUp: async () => {
      if (journal.unfoldedBytes > 0) await loop.catchUp()
    },
    giveBack: giveBackNow,
    synced: options.syncMs === 'always' ? () => journal.sync() : undefined,
    unfoldedBytes: () => journal.unfoldedBytes,
    close: async () => {
      clearInterval(idle)
      stopCleaning()
      const isFolded = await loop.close()
      giveBackNow(calls.accounts.all())
      await journal.close()
      return isFolded
    },
  }
}

/** Files that could not be removed are tried again. */
function everyMinute(run: () => Promise<void>, onAlarm: (alarm: Alarm) => void): () => void {
  const onFailure = (error: unknown): void =>
    onAlarm({ type: 'operation_failed', detail: `old journals were not removed: ${String(error)}` })
  const timer = setInterval(() => void run().catch(onFailure), 60_000)
  timer.unref()
  return () => clearInterval(timer)
}
