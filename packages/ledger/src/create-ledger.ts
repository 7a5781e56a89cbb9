import { randomToken } from '@tollgate/kit/ids'
import { type Clock } from '@tollgate/kit/clock'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/problems/problem'
import { StoreError } from '@tollgate/store/database/errors'
import type { Alarm, CommandType, InputOf, Outcome, OutcomeOf } from './core/command.ts'
import type { LedgerStorage } from './core/storage.ts'
import { type Journal, openJournal } from './away-journal.ts'
import { Counters } from './counters.ts'
import { adoptAtStart } from './local/adopt-journals.ts'
import { type DurableCalls, localCalls, withPromises } from './local/local-calls.ts'
import type { JournalOptions } from './local/open-local.ts'
import { type Locals, openLocals } from './local/open-locals.ts'
import type { Recalls } from './recalls.ts'
import { regularly } from './regularly.ts'
import type { AuditReport } from './audit-report.ts'
import type { ExtendResult, ReserveResult, SettleResult } from './results.ts'
import type { Ledger } from './ledger.ts'
import type { AdjustInput, ReserveInput, SettleInput } from './inputs.ts'
import { submitOrphanedJournals } from './orphaned-journals.ts'
import { Writer } from './writer.ts'
import type { WriterLimits } from './writer-options.ts'

export interface LedgerOptions {
  readonly clock: Clock
  /** Id of this run of the process; random unless a test needs a known one. */
  readonly instanceId?: string
  /**
   * Reports an event for the operator. Called while the replies of a commit are handled: it must neither
   * throw nor block.
   */
  readonly onAlarm?: (alarm: Alarm) => void
  readonly limits?: WriterLimits
  /**
   * Admits calls in memory within allotments, and keeps a journal of them. Without it every hold and settlement
   * is a transaction of its own.
   */
  readonly journal?: JournalOptions | undefined
  /** For a process that shares the ledger with others, which also keep journals. */
  readonly recalls?: Recalls | undefined
  /**
   * A local folder. While a database server is down, ends of durable holds are also written there; if this process
   * ends before the server is back, a later process submits them.
   */
  readonly journalFolder?: string | undefined
}

/** Totals lag behind entries by at most this plus the duration of one step. */
const ROLL_UP_INTERVAL_MS = 2_000
const CLEANED_AFTER_MS_MIN = 24 * 60 * 60 * 1000

/** Registers a new instance, recovers the open holds of earlier ones, and then accepts operations. */
export async function createLedger(storage: LedgerStorage, options: LedgerOptions): Promise<Ledger> {
  const { clock, instanceId = randomToken(12), onAlarm = () => undefined } = options
  const now = (): { nowMs: number; instanceId: string } => ({ nowMs: clock.nowMs(), instanceId })
  await storage.start(now())
  const isAlone = options.recalls === undefined && storage.heartbeat === undefined
  const adopted =
    options.journal && isAlone ? await adoptAtStart({ storage, ...options.journal, now, onAlarm }) : 0
  const { recovered, openHolds } = await storage.recover(now())
  // A storage with counts counts these itself.
  const counters = new Counters({ recovered: adopted + (storage.counts ? 0 : recovered), openHolds })
  const onDecided = (type: CommandType, outcome: Outcome): void => counters.count(type, outcome)
  const limits = options.limits ? { limits: options.limits } : {}
  const journal = journalOf(options, { instanceId, onAlarm })
  const { admissionMs } = storage
  const writer = new Writer({
    storage,
    clock,
    instanceId,
    onAlarm,
    onDecided,
    journal,
    admissionMs,
    onFull: () => locals?.noteFull(),
    ...limits,
  })
  const locals: Locals | undefined =
    options.journal &&
    (await openLocals({
      instanceId,
      storage,
      writer,
      journal: options.journal,
      recalls: options.recalls,
      clock,
      now,
      onAlarm,
      onRecovered: (calls) => counters.addRecovered(calls),
    }))
  const local = locals?.instances
  // Totals are for display only: after a failed step the next one catches up.
  const stopRollUp = regularly(
    ROLL_UP_INTERVAL_MS,
    () => storage.rollUp(now()),
    (error) => onAlarm({ type: 'operation_failed', detail: `roll-up: ${String(error)}` }),
  )
  const { fateOf } = storage
  const settle = (input: SettleInput): Promise<SettleResult> => submit(writer, 'settle', input)
  const stopTakingUp = journal && fateOf && submitOrphanedJournals({ journal, fateOf, settle, onAlarm })

  const durable: DurableCalls = {
    reserve: (input) => reserve(writer, input),
    extend: (input) => writer.submit('extend', input).catch(refuseWithoutStore),
    checkpoint: (input) => submit(writer, 'checkpoint', input).then(nothing),
    settle,
    release: (input) => submit(writer, 'release', input).then(nothing),
  }
  const calls = locals && localCalls({ locals: locals.instances, durable, others: locals.others })

  async function close(): Promise<void> {
    stopRollUp()
    await stopTakingUp?.()
    const isFolded = (await locals?.close()) ?? true
    const isFlushed = (await writer.idle()) && isFolded
    await journal?.flush()
    if (!isFlushed) onAlarm(notWritten(writer.health().queued, journal))
    if (!isFlushed || !writer.health().isWritable) return
    await storage.rollUp(now())
    await storage.end(now())
  }

  let closing: Promise<void> | undefined
  return {
    ...(calls ? withPromises(calls) : durable),
    calls,
    isHeld: (holdId) => local === undefined || local.callsWith(holdId) === undefined || local.isHeld(holdId),
    credit: (input) => submit(writer, 'credit', input),
    adjust: async (input) => {
      void local?.giveBack([input.account])
      if (locals?.others && isDecidedOn(input)) await locals.recall([input.account]).catch(failWithoutStore)
      const result = await submit(writer, 'adjust', input)
      if (result.type === 'adjusted' && input.unlimited !== undefined)
        local?.setUnlimited(input.account, input.unlimited)
      return result
    },
    refund: (input) => {
      const refund = () => submit(writer, 'refund', input)
      return local ? local.caughtUp().then(refund) : refund()
    },
    transfer: (input) => submit(writer, 'transfer', input),
    open: (input) => submit(writer, 'open', input),
    balance: async (account) => {
      await local?.caughtUp()
      return storage.balance(account)
    },
    caughtUp: async () => local?.caughtUp(),
    audit: async () => {
      await local?.caughtUp()
      return audit(storage, { clock, onAlarm })
    },
    health: () => ({
      ...writer.health(),
      isWritable: writer.health().isWritable && (local?.health().isAdmitting ?? true),
      isStoreWritable: writer.health().isWritable,
      ...(local && { isAdmitting: local.health().isAdmitting }),
      isDiskFull: locals?.isFull() ?? false,
      ...sumOf(counters.read(), local),
      ...storage.counts?.(),
      recovered: counters.read().recovered + (storage.counts?.().recovered ?? 0),
      ...(journal && { journaled: journal.kept }),
    }),
    gauges: async () => {
      await local?.caughtUp()
      const gauges = await storage.gauges(clock.nowMs())
      return { ...gauges, oldestHoldMs: Math.max(gauges.oldestHoldMs, local?.oldestCallMs() ?? 0) }
    },
    rollUp: async () => {
      await local?.caughtUp()
      await storage.rollUp(now())
    },
    clean: async (beforeMs) => {
      invariant(beforeMs <= clock.nowMs() - CLEANED_AFTER_MS_MIN, 'entries stay for a day at least')
      await local?.caughtUp()
      await storage.rollUp(now())
      return storage.clean(beforeMs)
    },
    close: () => (closing ??= close()),
  }
}

type Counts = ReturnType<Counters['read']>

/** Whether the result depends on what other processes hold. */
function isDecidedOn({ delta, expected, unlimited }: AdjustInput): boolean {
  return delta < 0n || expected !== undefined || unlimited !== undefined
}

/** Counters of calls in transactions of their own and of calls in memory. */
function sumOf(counts: Counts, local: Locals['instances'] | undefined) {
  if (!local) return counts
  const { openCalls, refused, isAdmitting: _isAdmitting, ...journal } = local.health()
  return {
    ...counts,
    openHolds: counts.openHolds + openCalls,
    refused: counts.refused + refused,
    ...journal,
  }
}

function journalOf(
  { journalFolder: folder }: LedgerOptions,
  { instanceId, onAlarm }: { instanceId: string; onAlarm: (alarm: Alarm) => void },
): Journal | undefined {
  if (folder === undefined) return undefined
  const onFailure = (error: unknown): void =>
    onAlarm({ type: 'store_failed', detail: `the journal in ${folder} cannot be written: ${String(error)}` })
  return openJournal({ folder, instanceId, onFailure })
}

function notWritten(queued: number, journal: Journal | undefined): Alarm {
  const kept = journal ? `; ${journal.kept} are kept in ${journal.path} for the next start` : ''
  return { type: 'operation_failed', detail: `${queued} operations were not written${kept}` }
}

function reserve(writer: Writer, input: ReserveInput): Promise<ReserveResult> {
  const scope = writer.busy(input.userAccount)
  if (scope) return Promise.resolve({ type: 'busy', scope })
  return writer.submit('reserve', input).catch(unavailableWithoutStore)
}

function unavailableWithoutStore(error: unknown): ReserveResult {
  if (error instanceof StoreError) return { type: 'unavailable' }
  throw error
}

/** A stream whose hold cannot grow because the store is down ends as if the balance were used up. */
function refuseWithoutStore(error: unknown): ExtendResult {
  if (error instanceof StoreError) return { type: 'refused' }
  throw error
}

function submit<T extends CommandType>(writer: Writer, type: T, input: InputOf<T>): Promise<OutcomeOf[T]> {
  return writer.submit(type, input).catch(failWithoutStore)
}

function failWithoutStore(error: unknown): never {
  if (error instanceof StoreError) throw problem('ledger_unavailable', { seconds: 1 }, { cause: error })
  throw error
}

async function audit(
  storage: LedgerStorage,
  { clock, onAlarm }: { clock: Clock; onAlarm: (alarm: Alarm) => void },
): Promise<AuditReport> {
  const startMs = clock.monotonicMs()
  const report = await storage.audit()
  for (const { rule, account, detail } of report.findings)
    onAlarm({
      type: 'audit_finding',
      detail: `${rule}${account === undefined ? '' : ` account ${account}`}: ${detail}`,
    })
  return { ...report, durationMs: clock.monotonicMs() - startMs }
}

function nothing(): void {}
