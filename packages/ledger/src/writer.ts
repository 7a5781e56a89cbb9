import { StoreError } from '@tollgate/store/database/errors'
import type { CommandType, InputOf, Outcome, OutcomeOf } from './core/command.ts'
import type { Reply } from './core/storage.ts'
import type { AccountId } from './account.ts'
import { WaitingAdmissions } from './waiting-admissions.ts'
import {
  OperationError,
  type Pending,
  WAITING,
  asCommand,
  asOutcomeOf,
  mayWait,
} from './pending-operation.ts'
import { WRITER_LIMITS, type WriterHealth, type WriterLimits, type WriterOptions } from './writer-options.ts'

/** Maximum number of batches in flight: one is being written while the next is already handed over. */
const BATCHES_UNDER_WAY_MAX = 2

/** Interval of the probes while a server is down. */
const ASK_AGAIN_MS = 250

/** How long closing waits for a server that is down. */
const AWAY_AT_CLOSE_MS = 10_000

/**
 * Collects operations and writes them in batches, in order of arrival. When the store is idle, an operation
 * is sent together with everything else that arrives in the same turn of the event loop. While a batch is
 * being written, the next one fills.
 */
export class Writer {
  readonly #options: WriterOptions
  readonly #limits: WriterLimits
  readonly #queue: Pending[] = []
  readonly #perUser = new Map<AccountId, number>()
  readonly #onIdle: (() => void)[] = []
  #isScheduled = false
  #underWay = 0
  #operationsUnderWay = 0
  #isWritable = true
  #isAway = false
  /** The store did not answer an admission in time, and has not answered anything since. */
  #isSilent = false
  readonly #admissions: WaitingAdmissions<Pending>
  /** The last batch ran into locks of another program, and some of its commands are waiting for a retry. */
  #isLockedOut = false
  #question: NodeJS.Timeout | undefined
  #batches = 0
  #lastBatchSize = 0
  #lastCommitMs = 0

  constructor(options: WriterOptions) {
    this.#options = options
    this.#limits = options.limits ?? WRITER_LIMITS
    this.#admissions = new WaitingAdmissions(options.admissionMs, (waited) => this.#giveUp(waited))
  }

  /** The reason why an admission cannot be queued, or `undefined`. */
  busy(user: AccountId): 'gateway' | 'user' | undefined {
    if (this.#queue.length + this.#operationsUnderWay >= this.#limits.queueMax) return 'gateway'
    return (this.#perUser.get(user) ?? 0) >= this.#limits.perUserMax ? 'user' : undefined
  }

  /**
   * Resolves when the operation is durable. Rejects with a {@link StoreError} when the store could not write
   * it, or with an {@link OperationError} when it broke a rule. In both cases it changed nothing.
   */
  submit<T extends CommandType>(type: T, input: InputOf<T>): Promise<OutcomeOf[T]> {
    if (this.#isAway && (!WAITING.has(type) || type === 'allot'))
      return Promise.reject(new StoreError('unreachable', 'the database is away'))
    if (this.#isSilent && (type === 'reserve' || type === 'allot')) return Promise.reject(this.#silence())
    const command = asCommand(type, input)
    if (this.#isAway) this.#options.journal?.keep([command])
    const outcome = new Promise<Outcome>((resolve, reject) => {
      const pending = { command, resolve, reject, tries: 0, isGivenUp: false }
      this.#queue.push(pending)
      this.#countAdmission(pending, 1)
    })
    this.#schedule()
    return asOutcomeOf<T>(outcome)
  }

  health(): WriterHealth {
    return {
      isWritable: this.#isWritable && !this.#isAway && !this.#isSilent,
      queued: this.#queue.length + this.#operationsUnderWay,
      batches: this.#batches,
      lastBatchSize: this.#lastBatchSize,
      lastCommitMs: this.#lastCommitMs,
    }
  }

  /**
   * Resolves to true when everything submitted so far was answered. Checks every `waitMs`, and resolves to
   * false if the store is down or locked at that moment.
   */
  idle(waitMs = AWAY_AT_CLOSE_MS): Promise<boolean> {
    if (this.#queue.length === 0 && this.#underWay === 0) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (isIdle: boolean): void => {
        clearInterval(timer)
        resolve(isIdle)
      }
      const timer = setInterval(
        () => (this.#isAway || this.#isSilent || this.#isLockedOut) && end(false),
        waitMs,
      )
      this.#onIdle.push(() => end(true))
    })
  }

  #countAdmission(pending: Pending, difference: 1 | -1): void {
    const { command, isGivenUp } = pending
    if (command.type !== 'reserve' || isGivenUp) return
    if (difference === 1) this.#admissions.add(pending)
    else this.#admissions.delete(pending)
    const user = command.input.userAccount
    const count = (this.#perUser.get(user) ?? 0) + difference
    if (count === 0) this.#perUser.delete(user)
    else this.#perUser.set(user, count)
  }

  #schedule(): void {
    if (this.#isScheduled || this.#underWay > 0) {
      // The store is busy: send a full batch at once; a smaller one is sent when the current one is done.
      if (this.#queue.length >= this.#limits.batchMax) this.#flush()
      return
    }
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#isAway) return
    while (this.#underWay < BATCHES_UNDER_WAY_MAX && this.#isWorthSending())
      void this.#write(this.#queue.splice(0, this.#limits.batchMax))
  }

  #isWorthSending(): boolean {
    return this.#queue.length >= (this.#underWay === 0 ? 1 : this.#limits.batchMax)
  }

  async #write(batch: readonly Pending[]): Promise<void> {
    this.#underWay++
    this.#operationsUnderWay += batch.length
    await this.#run(batch)
    this.#batches++
    this.#lastBatchSize = batch.length
    this.#underWay--
    this.#operationsUnderWay -= batch.length
    this.#flush()
    if (this.#queue.length === 0 && this.#underWay === 0)
      for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  async #run(batch: readonly Pending[]): Promise<void> {
    const { storage, clock, instanceId } = this.#options
    const startMs = clock.monotonicMs()
    try {
      const commands = batch.map((pending) => pending.command)
      const replies = await storage.run(commands, { nowMs: clock.nowMs(), instanceId })
      this.#lastCommitMs = clock.monotonicMs() - startMs
      this.#noteReturn()
      for (const [index, pending] of batch.entries()) this.#answer(pending, replies[index])
    } catch (error) {
      if (error instanceof StoreError && error.kind !== 'bug') this.#storeFailed(batch, error)
      else {
        this.#noteReturn()
        await this.#runAlone(batch, error)
      }
    }
  }

  /**
   * The store is healthy but could not process one of the commands, and nothing was decided yet. Run them one
   * by one, so that only the bad command fails.
   */
  async #runAlone(batch: readonly Pending[], error: unknown): Promise<void> {
    const [first] = batch
    if (batch.length === 1 && first) return this.#fail(first, String(error))
    for (const pending of batch) await this.#run([pending])
  }

  #answer(pending: Pending, reply: Reply | undefined): void {
    if (reply?.type !== 'decided') return this.#fail(pending, reply?.detail ?? 'the store gave no answer')
    const { outcome, alarm } = reply.decision
    if (alarm) this.#options.onAlarm(alarm)
    this.#options.onDecided(pending.command.type, outcome)
    this.#countAdmission(pending, -1)
    this.#options.journal?.drop(pending.command)
    if (pending.isGivenUp) this.#releaseUnwanted(pending, outcome)
    else pending.resolve(outcome)
  }

  #fail(pending: Pending, detail: string): void {
    this.#options.onAlarm({ type: 'operation_failed', detail: `${pending.command.type}: ${detail}` })
    this.#reject(pending, new OperationError(detail))
  }

  #reject(pending: Pending, error: Error): void {
    this.#countAdmission(pending, -1)
    this.#options.journal?.drop(pending.command)
    pending.reject(error)
  }

  /**
   * While the store is merely busy, admissions are refused at once and other commands that may not wait fail
   * after a few tries.
   */
  #storeFailed(batch: readonly Pending[], error: StoreError): void {
    if (error.kind === 'full') this.#options.onFull?.()
    if (error.kind === 'unreachable' || error.kind === 'full') return this.#serverAway(batch, error)
    const isBusy = error.kind === 'busy'
    if (this.#isWritable) this.#options.onAlarm({ type: 'store_failed', detail: error.message })
    if (!isBusy) this.#isWritable = false
    const again: Pending[] = []
    for (const pending of batch) {
      if (isBusy && mayWait(pending)) again.push(pending)
      else this.#reject(pending, error)
    }
    this.#isLockedOut = again.length > 0
    // Nothing is queued that would notice when the store is writable again, so let the next admission through
    // as a probe.
    if (isBusy && again.length === 0 && this.#queue.length === 0) this.#isSilent = false
    this.#options.journal?.keep(again.map(({ command }) => command))
    this.#queue.unshift(...again)
  }

  #serverAway(batch: readonly Pending[], error: StoreError): void {
    const again: Pending[] = []
    for (const pending of [...batch, ...this.#queue.splice(0)])
      if (this.#waits(pending, error)) again.push(pending)
      else this.#reject(pending, error)
    this.#queue.push(...again)
    this.#options.journal?.keep(again.map(({ command }) => command))
    if (!this.#isAway && !this.#isSilent)
      this.#options.onAlarm({ type: 'store_failed', detail: error.message })
    this.#isAway = true
    this.#askLater()
  }

  /** A request for quota waits only if it may have been carried out, because it may have returned free quota. */
  #waits({ command }: Pending, { kind }: StoreError): boolean {
    const isUntouched = kind === 'full' || this.#options.storage.isUntouched?.(command)
    if (command.type === 'allot' && isUntouched) return false
    return WAITING.has(command.type)
  }

  /** Schedules one probe at a time: it sends the oldest queued commands, or an empty batch. */
  #askLater(): void {
    if (this.#question) return
    this.#question = setTimeout(() => {
      this.#question = undefined
      void this.#write(this.#queue.splice(0, this.#limits.batchMax))
    }, ASK_AGAIN_MS)
  }

  /**
   * Refuses all waiting admissions. Those still in the queue are never sent; holds that the store creates for
   * the others are released.
   */
  #giveUp(waited: readonly Pending[]): void {
    const silence = this.#silence()
    if (!this.#isAway && !this.#isSilent)
      this.#options.onAlarm({ type: 'store_failed', detail: silence.message })
    this.#isSilent = true
    for (const pending of waited) {
      this.#reject(pending, silence)
      pending.isGivenUp = true
    }
    const wanted = this.#queue.splice(0).filter(({ isGivenUp }) => !isGivenUp)
    this.#queue.push(...wanted)
  }

  #silence(): StoreError {
    const { admissionMs = 0 } = this.#options
    return new StoreError('unreachable', `the database did not answer an admission within ${admissionMs} ms`)
  }

  /** Releases a hold that was created after its caller had been refused, since no caller would end it. */
  #releaseUnwanted({ command }: Pending, outcome: Outcome): void {
    if (command.type !== 'reserve' || !('type' in outcome) || outcome.type !== 'reserved') return
    // A failed release has already raised an alarm; recovery will end the hold.
    this.submit('release', { holdId: command.input.holdId }).catch(() => undefined)
  }

  #noteReturn(): void {
    if (this.#isAway || this.#isSilent)
      this.#options.onAlarm({ type: 'store_returned', detail: 'the database answers again' })
    this.#isAway = false
    this.#isSilent = false
    this.#isLockedOut = false
  }
}
