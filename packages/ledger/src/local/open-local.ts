import type { Clock } from '@tollgate/kit/clock'
import { StoreError } from '@tollgate/store/database/errors'
import type { AccountId } from '../account.ts'
import type { Alarm, CommandContext } from '../core/command.ts'
import type { LedgerStorage } from '../core/storage.ts'
import type { AllotInput, GiveBackInput } from '../inputs.ts'
import type { AllotResult, FoldResult, ReturnResult, ScarceAccount } from '../results.ts'
import type { JournalFs } from '../journal/journal-fs.ts'
import { AllotmentCheck, type MendedCount, createMendedAlarm } from './allotment-check.ts'
import { FoldLoop } from './fold-loop.ts'
import type { DiskRoom } from './disk-room.ts'
import type { UnfoldedRange } from './unfolded-range.ts'
import { reasonOf } from './journal-problems.ts'
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
  /** Size of a file of the reserve for a full disk; 0, the default, keeps none. See `journal/reserve.ts`. */
  readonly reserveBytes?: number
  /** True while the room that is set aside for the embedded database is used up. */
  readonly isShortOfRoom?: () => boolean
  /** Above this no calls are admitted until folding has caught up; 64 MiB by default. */
  readonly unfoldedBytesMax?: number
}

export interface LocalParts {
  /** The instance that has the allotments and writes the journal. */
  readonly instanceId: string
  readonly storage: Pick<
    LedgerStorage,
    'fold' | 'beforeFold' | 'heartbeat' | 'readAllotments' | 'allottedAccounts'
  >
  readonly journal: JournalOptions
  readonly clock: Clock
  readonly now: () => CommandContext
  readonly allot: (input: AllotInput) => Promise<AllotResult>
  readonly giveBack: (input: GiveBackInput) => Promise<ReturnResult>
  /** Why no request of this user can be queued for the ledger, or `undefined`. */
  readonly busy: (user: AccountId) => 'gateway' | 'user' | undefined
  /** Other processes that share the ledger; `undefined` for a process that is alone. */
  readonly others: Others | undefined
  readonly onAlarm: (alarm: Alarm) => void
  /** Shared by the instances of this process. */
  readonly room: DiskRoom
}

export interface Others {
  /** Number of processes that share the ledger. */
  readonly count: () => number
  /** Asks them to return free quota of the account. */
  readonly recall: (account: AccountId) => void
  /** How long they need for that at most. */
  readonly patienceMs: () => number
}

export interface Local {
  readonly instanceId: string
  readonly calls: LocalLedger
  /** Resolves when everything that happened before is in the ledger, or could not be written. */
  caughtUp(): Promise<void>
  /** Gives the free quota of the accounts back, in the queue before whatever is submitted next. */
  giveBack(accounts: readonly AccountId[]): Promise<void>
  /** The accounts are scarce: free quota is given back now, and after each call. */
  noteScarce(accounts: readonly ScarceAccount[]): void
  /** Resolves when what was written is forced to the disk, if answers wait for that. */
  readonly synced: (() => Promise<void>) | undefined
  readonly unfoldedBytes: () => number
  /** When the oldest line was written that is not in the ledger yet; `undefined` when there is none. */
  readonly unfoldedSinceMs: () => number | undefined
  /** The instance was declared dead: its calls only end, and what they charge is late. */
  retire(): void
  readonly mended: () => MendedCount
  /** Folds everything and gives all allotments back. Resolves to false when the ledger could not be written. */
  close(): Promise<boolean>
}

/** Allotments that no call has used for this long are given back. */
const IDLE_MS = 5 * 60_000
const IDLE_CHECK_MS = 30_000
const CHECK_QUIET_MS = 1_000
const CHECK_ALL_MS = 60_000
/** With several processes, a grant takes at most a quarter of what remains, divided by their number. */
const SHARE = 4

/** Admits calls in memory, keeps their journal and folds it. */
export function openLocal({
  instanceId,
  storage,
  journal: options,
  clock,
  now,
  allot,
  giveBack,
  busy,
  others,
  onAlarm,
  room,
}: LocalParts): Local {
  const { heartbeat } = storage
  let isRetired = false
  const journal = new ProcessJournal({
    ...options,
    clock,
    instanceId,
    room,
    // Ranges from a server's journal are read beside the event loop's other work.
    rangeBytesMax: heartbeat ? SERVER_RANGE_BYTES_MAX : undefined,
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
    instanceId,
    allot,
    busy,
    giveBack: (accounts) => giveBackNow(accounts, { hasEnded: true }),
    recall: (account) => others?.recall(account),
    patienceMs: () => others?.patienceMs() ?? 0,
    parts: () => (others ? SHARE * Math.max(1, others.count()) : 1),
    isAlone: others === undefined,
    mayAdmit: () => !isRetired && (heartbeat === undefined || heartbeat.isAlive()),
    hasRoom: () => room.admits(calls.openCalls),
    nowMs: () => clock.nowMs(),
    journal,
    onChanged: () => loop.wake(),
    onAlarm,
  })
  const check = new AllotmentCheck({
    accounts: calls.accounts,
    openCalls: calls.listCalls,
    isWhole: (range) => !isRetired && journal.isAtEnd(range),
    read: (question) => storage.readAllotments(question, { ...now(), instanceId }),
    readAccounts: () => storage.allottedAccounts(instanceId),
    nowMs: () => clock.nowMs(),
    onMended: (mended) => onAlarm(createMendedAlarm(mended)),
    wake: () => loop.wake(),
  })
  const loop: FoldLoop = new FoldLoop({
    check,
    next: () => journal.next(),
    end: () => journal.end(),
    hasReports: () => calls.accounts.hasReports,
    done: (range, position) => journal.done(range, position),
    ready: (range) => storage.beforeFold?.(range.fileId),
    takeReports: () => calls.accounts.takeReports({ isAlone: others === undefined }),
    reportAgain: (reports) => calls.accounts.reportAgain(reports),
    fold: async ({ isComplete, ...range }, reports) => {
      const openFrom = isComplete ? (calls.openFrom ?? range.to) : undefined
      const whole = { ...range, instanceId, openFrom, reports, isLate: isRetired, isOwn: !isRetired }
      const { result, alarms } = await storage.fold(whole, now())
      for (const alarm of alarms) onAlarm(alarm)
      if (result.type === 'moved' && result.position !== range.from) onMoved(result.position, range)
      return result
    },
    onFolded: (result) => onFolded(result),
    onFailure: (error) => {
      if (error instanceof StoreError && error.kind === 'full') room.noteFull()
      onAlarm({ type: 'store_failed', detail: `the journal cannot be folded: ${String(error)}` })
    },
  })

  /** The ledger has more of the journal than this process knew, or less: then it was set back. */
  function onMoved(position: number, { from }: Pick<UnfoldedRange, 'from'>): void {
    const detail = `the ledger has the journal up to ${position}; folding continues there`
    onAlarm({ type: 'operation_failed', detail })
    if (position > from || isRetired) return
    void heartbeat?.reenter(now()).catch((error: unknown) => {
      // The next fold finds the same.
      onAlarm({ type: 'operation_failed', detail: `no new id for this process: ${String(error)}` })
    })
  }

  function onFolded(result: FoldResult): void {
    if (result.type === 'moved') return
    calls.accounts.noteTaken(result.taken)
    noteScarce(result.scarce)
  }

  function noteScarce(scarce: readonly ScarceAccount[]): void {
    const known = scarce.filter(({ account, untilMs }) => calls.accounts.noteScarce(account, untilMs))
    if (known.length > 0) void giveBackNow(known.map(({ account }) => account))
  }

  async function giveBackNow(accounts: readonly AccountId[], { hasEnded = false } = {}): Promise<void> {
    const reports = calls.accounts.takeBack(accounts, { hasEnded })
    if (reports.length === 0) return calls.accounts.forget(accounts)
    try {
      const { scarce, taken } = await giveBack({ reports, instanceId })
      calls.accounts.noteReturned(reports, { isRestored: false })
      calls.accounts.noteTaken(taken)
      for (const { account, untilMs } of scarce) calls.accounts.noteScarce(account, untilMs)
      calls.accounts.forget(accounts)
    } catch (error) {
      calls.accounts.noteReturned(reports, { isRestored: true })
      onAlarm({ type: 'operation_failed', detail: `free quota was not given back: ${String(error)}` })
    }
  }

  const idle = setInterval(
    () => void giveBackNow(calls.accounts.idleSince(clock.nowMs() - IDLE_MS)),
    IDLE_CHECK_MS,
  )
  idle.unref()
  const checks = [
    setInterval(() => check.checkQuiet(), CHECK_QUIET_MS),
    setInterval(() => void check.checkAll().catch(() => undefined), CHECK_ALL_MS),
  ]
  for (const timer of checks) timer.unref()
  const stopTimers = (): void => {
    for (const timer of [idle, ...checks]) clearInterval(timer)
  }
  return {
    instanceId,
    calls,
    caughtUp: async () => {
      if (journal.unfoldedBytes > 0) await loop.catchUp()
    },
    giveBack: giveBackNow,
    noteScarce,
    synced: options.syncMs === 'always' ? () => journal.sync() : undefined,
    mended: () => check.mended,
    unfoldedBytes: () => journal.unfoldedBytes,
    unfoldedSinceMs: () => journal.unfoldedSinceMs,
    retire: () => {
      isRetired = true
      stopTimers()
      calls.retire()
    },
    close: async () => {
      stopTimers()
      const isFolded = await loop.close()
      // Not awaited: while the store is away it stays queued, and closing does not wait for that for long.
      void giveBackNow(calls.accounts.all())
      await journal.close()
      return isFolded
    },
  }
}

const SERVER_RANGE_BYTES_MAX = 512 * 1024
