import { invariant } from '@tollgate/kit/invariant'
import type { AccountId } from '../account.ts'
import type { Alarm } from '../core/command.ts'
import { waivedAlarm } from '../core/settlements.ts'
import type { CheckpointInput, ExtendInput, ReleaseInput, ReserveInput, SettleInput } from '../inputs.ts'
import type { JournalLine } from '../journal/line.ts'
import type { AllotResult, ExtendResult, ReserveResult, SettleResult } from '../results.ts'
import type { LocalAccount } from './local-account.ts'
import { LocalAccounts } from './local-accounts.ts'
import {
  type LocalCall,
  checkpointLine,
  coversMore,
  end,
  follow,
  hold,
  openedLine,
  place,
} from './local-call.ts'
import { settledLine } from './settled-line.ts'
import { Rounds, type RoundsParts, type Uncovered } from './rounds.ts'

/** The journal, as far as calls need it. A line is in the file when `write` returns. */
export interface CallJournal {
  /** Returns the position of the line, or `undefined` when it could not be written. */
  write(line: JournalLine): number | undefined
  /** Whether new calls may be admitted: the journal can be written, and folding keeps up. */
  readonly isReady: boolean
}

export interface LocalLedgerParts extends RoundsParts {
  readonly journal: CallJournal
  readonly onAlarm: (alarm: Alarm) => void
  /** Why no request of this user can be queued for the ledger, or `undefined`. */
  readonly busy: (user: AccountId) => 'gateway' | 'user' | undefined
  /** Whether no other process writes to the same accounts. */
  readonly isAlone: () => boolean
}

const RESERVED: ReserveResult = { type: 'reserved' }
const UNAVAILABLE: ReserveResult = { type: 'unavailable' }
/** How often a call is tried again because quota became free while it was refused. */
const TRIES_MAX = 3
/** How long an admission waits for the ledger. */
const ADMISSION_MS = 5_000
/** Admissions of one user that wait for the ledger at a time. */
const WAITING_PER_USER_MAX = 256

interface WaitingCall extends Uncovered {
  /** Its caller was refused. */
  isGivenUp: boolean
}

/** Admits and ends calls in memory, within the allotments of this process, and writes them to the journal. */
export class LocalLedger {
  readonly #parts: LocalLedgerParts
  readonly #rounds: Rounds
  readonly accounts = new LocalAccounts()
  readonly #calls = new Map<string, LocalCall>()
  /** Positions of the `opened` lines of the calls in flight, in order. */
  readonly #openedAt = new Map<string, number>()
  #ends = 0
  #refused = 0

  constructor(parts: LocalLedgerParts) {
    this.#parts = parts
    this.#rounds = new Rounds(parts)
  }

  get openCalls(): number {
    return this.#calls.size
  }

  /** Calls ended since the start. */
  get ends(): number {
    return this.#ends
  }

  get refused(): number {
    return this.#refused
  }

  /** Position of the first line that a reader needs to know all calls in flight, or `undefined`. */
  get openFrom(): number | undefined {
    return this.#openedAt.values().next().value
  }

  has(holdId: string): boolean {
    return this.#calls.has(holdId)
  }

  /** Answers in the same turn of the event loop when the allotments cover the call. */
  reserve(input: ReserveInput): ReserveResult | Promise<ReserveResult> {
    if (!this.#parts.journal.isReady) return UNAVAILABLE
    if (this.#calls.has(input.holdId)) return RESERVED
    const user = this.accounts.of(input.userAccount)
    const token = input.tokenAccount === undefined ? undefined : this.accounts.of(input.tokenAccount)
    if (!this.#covers(input, user, token)) return this.#ask(input, user, token)
    return this.#open(input, user, token)
  }

  extend(input: ExtendInput): ExtendResult | Promise<ExtendResult> {
    const call = this.#called(input.holdId)
    // A token that was made unlimited during the call no longer limits it.
    if (call.token?.isUnlimited && follow(call)) this.#note(call)
    const room = call.ceiling - call.held
    const amount = input.movesCeiling || input.amount < room ? input.amount : room
    if (coversMore(call, amount, input)) return this.#enlarge(call, amount, input)
    return this.#askMore(call, amount, input)
  }

  checkpoint({ holdId, amount, channelId }: CheckpointInput): void {
    const call = this.#called(holdId)
    if (channelId !== undefined) call.channelId = channelId
    call.checkpoint = amount
    this.#parts.journal.write({ type: 'checkpoint', ...checkpointLine(call, amount) })
  }

  settle(input: SettleInput): SettleResult {
    const call = this.#called(input.holdId)
    invariant(input.task === undefined, 'the call of a task is held in the database')
    const line = settledLine(call, input, this.#parts.nowMs())
    this.#parts.journal.write({ type: 'settled', ...line })
    this.#end(call, line.charged)
    const { charged, waived, channelId, priceJson } = line
    if (waived > 0n)
      this.#parts.onAlarm(
        waivedAlarm(
          { id: call.holdId, ceiling: call.ceiling },
          { amount: input.amount, channelId, priceJson },
        ),
      )
    return { charged, waived, late: false }
  }

  release({ holdId, log }: ReleaseInput): void {
    const call = this.#called(holdId)
    this.#parts.journal.write({ type: 'released', holdId, endedMs: this.#parts.nowMs(), log })
    this.#end(call, 0n)
  }

  /** The lines that describe the calls in flight; they begin a new file of the journal. */
  *openLines(): Generator<JournalLine> {
    for (const call of this.#calls.values()) {
      yield { type: 'opened', ...openedLine(call) }
      if (call.checkpoint !== undefined)
        yield { type: 'checkpoint', ...checkpointLine(call, call.checkpoint) }
    }
  }

  /** The journal continues in a new file, which begins with the calls in flight. */
  onNextFile(): void {
    for (const holdId of this.#openedAt.keys()) this.#openedAt.set(holdId, 0)
  }

  #covers(
    { amount, ceiling, limits, overdraft }: ReserveInput,
    user: LocalAccount,
    token: LocalAccount | undefined,
  ) {
    if (!user.covers(amount)) return false
    if (overdraft !== undefined && ceiling > 0n) {
      const exposed = user.exposed + user.exposedElsewhere + ceiling - amount
      if (exposed > overdraft.factor * (user.free - amount)) return false
    }
    if (token === undefined) return true
    if (!token.covers(amount)) return false
    if (limits === undefined) return true
    if (limits.budget && !token.coversBudget(amount, limits.budget)) return false
    return limits.parallelCalls === undefined || this.#isBelow(limits.parallelCalls, token)
  }

  /** Only a lone process knows how many calls of a token are in flight. */
  #isBelow(parallelCalls: number, { openHolds, openHoldsElsewhere }: LocalAccount): boolean {
    return this.#parts.isAlone() && openHolds + openHoldsElsewhere < parallelCalls
  }

  /** Asks the ledger. A caller that waited too long is refused; a grant that comes later stays for other calls. */
  async #ask(
    input: ReserveInput,
    user: LocalAccount,
    token: LocalAccount | undefined,
  ): Promise<ReserveResult> {
    const scope = user.waiting >= WAITING_PER_USER_MAX ? 'user' : this.#parts.busy(user.id)
    if (scope) return { type: 'busy', scope }
    const call: WaitingCall = { input, user, token, isGivenUp: false }
    for (const account of [user, token]) if (account) account.waiting++
    const timeout = Promise.withResolvers<ReserveResult>()
    const timer = setTimeout(() => {
      call.isGivenUp = true
      timeout.resolve(UNAVAILABLE)
    }, ADMISSION_MS)
    try {
      return await Promise.race([this.#admit(call), timeout.promise])
    } finally {
      clearTimeout(timer)
      for (const account of [user, token]) if (account) account.waiting--
    }
  }

  async #admit(call: WaitingCall): Promise<ReserveResult> {
    const { input, user, token } = call
    let placed: ReserveResult = UNAVAILABLE
    const open = (): void => {
      if (call.isGivenUp) this.accounts.note(user)
      else placed = this.#open(input, user, token)
    }
    for (let tries = 1; ; tries++) {
      await this.#rounds.underWay(user)
      if (call.isGivenUp) return UNAVAILABLE
      if (this.#covers(input, user, token)) return this.#open(input, user, token)
      const { ended } = user
      const result = await this.#rounds.ask(call, open)
      if (result.type === 'allotted') return placed
      if (tries === TRIES_MAX || user.ended === ended) return this.#refuse(result)
    }
  }

  #refuse(result: Exclude<AllotResult, { type: 'allotted' }>): ReserveResult {
    if (result.type === 'refused') this.#refused++
    return result
  }

  #open(input: ReserveInput, user: LocalAccount, token: LocalAccount | undefined): ReserveResult {
    const call = place(input, { user, token }, this.#parts.nowMs())
    const position = this.#parts.journal.write({ type: 'opened', ...openedLine(call) })
    if (position === undefined) {
      end(call, 0n)
      this.#note(call)
      return UNAVAILABLE
    }
    this.#calls.set(call.holdId, call)
    this.#openedAt.set(call.holdId, position)
    this.#note(call)
    return RESERVED
  }

  #enlarge(call: LocalCall, amount: bigint, { movesCeiling = false }: ExtendInput): ExtendResult {
    if (movesCeiling) {
      call.ceiling += amount
      call.user.exposed += amount
    }
    hold(call, amount)
    this.#parts.journal.write({ type: 'checkpoint', ...checkpointLine(call, call.checkpoint ?? 0n) })
    this.#note(call)
    return { type: 'extended', held: call.held }
  }

  async #askMore(call: LocalCall, amount: bigint, input: ExtendInput): Promise<ExtendResult> {
    const { user, token, holdId, priceJson } = call
    await this.#rounds.underWay(user)
    let extended: ExtendResult = { type: 'ended' }
    const enlarge = (): void => {
      if (this.#calls.has(holdId)) extended = this.#enlarge(call, amount, input)
    }
    if (coversMore(call, amount, input)) enlarge()
    else {
      const accounts = { userAccount: user.id, tokenAccount: token?.id }
      const limits = input.budget && { budget: input.budget }
      const asked: ReserveInput = { holdId, ...accounts, amount, ceiling: amount, priceJson, limits }
      const result = await this.#rounds.ask({ input: asked, user, token }, enlarge)
      // The ledger counted another call; the next report corrects that.
      this.#note(call)
      if (result.type !== 'allotted') return { type: 'refused' }
    }
    return extended
  }

  #end(call: LocalCall, charged: bigint): void {
    end(call, charged)
    this.#calls.delete(call.holdId)
    this.#openedAt.delete(call.holdId)
    this.#note(call)
    this.#ends++
  }

  #note({ user, token }: LocalCall): void {
    this.accounts.note(user)
    if (token) this.accounts.note(token)
  }

  #called(holdId: string): LocalCall {
    const call = this.#calls.get(holdId)
    invariant(call, 'the call is in flight in this process')
    return call
  }
}
