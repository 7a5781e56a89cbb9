import { invariant } from '@tollgate/kit/invariant'
import type { AccountId } from '../account.ts'
import type { Alarm } from '../core/command.ts'
import { waivedAlarm } from '../core/settlements.ts'
import type { CheckpointInput, ExtendInput, ReleaseInput, ReserveInput, SettleInput } from '../inputs.ts'
import type { JournalLine } from '../journal/line.ts'
import type { ExtendResult, ReserveResult, SettleResult } from '../results.ts'
import { Admissions, type AdmissionsParts } from './admissions.ts'
import type { CallJournal } from './call-journal.ts'
import { coversCall } from './covers-call.ts'
import { LineGroups } from './line-groups.ts'
import type { LocalAccount } from './local-account.ts'
import { LocalAccounts } from './local-accounts.ts'
import { CallsInFlight } from './calls-in-flight.ts'
import { Openings } from './openings.ts'
import {
  type LocalCall,
  checkpointLine,
  coversMore,
  end,
  follow,
  hold,
  listOpenLines,
  openedLine,
  place,
} from './local-call.ts'
import { settledLine } from './settled-line.ts'

export interface LocalLedgerParts extends AdmissionsParts {
  readonly journal: CallJournal
  readonly onAlarm: (alarm: Alarm) => void
  /** Whether no other process writes to the same accounts. */
  readonly isAlone: boolean
  /** Whether the allotments are still those of this process. */
  readonly mayAdmit: () => boolean
  /** Whether the disk has room for the lines of one more call. */
  readonly hasRoom: () => boolean
  /** An account changed and is to be reported. */
  readonly onChanged: () => void
  /** Returns free quota; resolves when the ledger has it. */
  readonly giveBack: (accounts: readonly AccountId[]) => Promise<void>
}

const RESERVED: ReserveResult = { type: 'reserved' }
const UNAVAILABLE: ReserveResult = { type: 'unavailable' }

/** Admits and ends calls in memory, within the allotments of this process, and writes them to the journal. */
export class LocalLedger {
  readonly #parts: LocalLedgerParts
  readonly #admissions: Admissions
  readonly accounts: LocalAccounts
  readonly #calls = new CallsInFlight()
  #ends = 0
  #refused = 0
  #isRetired = false
  readonly #openings: Openings
  readonly #groups = new LineGroups()
  /** Quota of the call that ended last is on its way to other processes, which need it. */
  returned: Promise<void> | undefined

  constructor(parts: LocalLedgerParts) {
    this.#parts = parts
    this.#admissions = new Admissions(parts)
    this.accounts = new LocalAccounts(parts.onChanged)
    this.#openings = new Openings({
      written: () => this.#written(),
      release: ({ holdId }) => this.release({ holdId }),
    })
  }

  readonly listCalls = (): Iterable<LocalCall> => this.#calls

  get openCalls(): number {
    return this.#calls.size
  }

  /** When the oldest call in flight was admitted, or `undefined`. */
  get oldestCreatedMs(): number | undefined {
    return this.#calls.oldest?.createdMs
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
    return this.#calls.oldest?.openedAt
  }

  has(holdId: string): boolean {
    return this.#calls.has(holdId)
  }

  /** The instance was declared dead: the calls in flight end, and nothing is admitted or enlarged. */
  retire(): void {
    this.#isRetired = true
    this.accounts.retire()
  }

  /** Whether calls are admitted: the journal can be written, folding keeps up, and the lease is held. */
  get isAdmitting(): boolean {
    const { journal, mayAdmit, hasRoom } = this.#parts
    return journal.isReady && mayAdmit() && hasRoom()
  }

  /** Whether the quota of this call is certainly still set aside for it. */
  isHeld(holdId: string): boolean {
    return this.#calls.has(holdId) && this.#parts.mayAdmit()
  }

  /** Answers in the same turn of the event loop when the allotments cover the call. */
  reserve(input: ReserveInput): ReserveResult | Promise<ReserveResult> {
    if (!this.isAdmitting) return UNAVAILABLE
    if (this.#calls.has(input.holdId)) return RESERVED
    const user = this.accounts.of(input.userAccount)
    const token = input.tokenAccount === undefined ? undefined : this.accounts.of(input.tokenAccount)
    if (!this.#covers(input, user, token)) return this.#ask(input, user, token)
    if (!this.#parts.isAlone)
      this.#admissions.refillAhead({ input, user, token }, () => this.#note({ user, token }))
    return this.#open(input, user, token)
  }

  extend(input: ExtendInput): ExtendResult | Promise<ExtendResult> {
    const call = this.#called(input.holdId)
    if (this.#isRetired) return { type: 'refused' }
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

  /** The settlement is in the journal when the result is there. */
  settle(input: SettleInput): SettleResult | Promise<SettleResult> {
    const call = this.#called(input.holdId)
    invariant(input.task === undefined, 'the call of a task is held in the database')
    const line = settledLine(call, input, this.#parts.nowMs())
    const { journal } = this.#parts
    const isGrouped = this.#groups.shouldWait(this.#calls.size)
    if (isGrouped) journal.append(line)
    else journal.write(line)
    this.#end(call, line.charged)
    const { charged, waived, channelId, priceJson } = line
    if (waived > 0n)
      this.#parts.onAlarm(
        waivedAlarm(
          { id: call.holdId, ceiling: call.ceiling },
          { amount: input.amount, channelId, priceJson },
        ),
      )
    const result = { charged, waived, late: false }
    return isGrouped ? this.#written().then(() => result) : result
  }

  release({ holdId, log }: ReleaseInput): void {
    const call = this.#called(holdId)
    this.#parts.journal.write({ type: 'released', holdId, endedMs: this.#parts.nowMs(), log })
    this.#end(call, 0n)
  }

  /** They begin a new file of the journal. */
  readonly openLines = (): Iterable<JournalLine> => listOpenLines(this.#calls)

  /** The journal continues in a new file, which begins with the calls in flight. */
  onNextFile(): void {
    for (const call of this.#calls) call.openedAt = 0
  }

  #covers(input: ReserveInput, user: LocalAccount, token: LocalAccount | undefined): boolean {
    const { isAlone, nowMs } = this.#parts
    return coversCall(input, { user, token, isAlone, nowMs })
  }

  async #ask(
    input: ReserveInput,
    user: LocalAccount,
    token: LocalAccount | undefined,
  ): Promise<ReserveResult> {
    const result = await this.#admissions.admit(
      { input, user, token },
      {
        covers: () => this.#covers(input, user, token),
        open: () => this.#openNow(input, user, token),
        unused: () => this.#note({ user, token }),
      },
    )
    if (result.type === 'refused') this.#refused++
    return result
  }

  /** Places the call and opens it in the journal, or keeps its line for the write of this turn. */
  #open(
    input: ReserveInput,
    user: LocalAccount,
    token: LocalAccount | undefined,
  ): ReserveResult | Promise<ReserveResult> {
    if (!this.#groups.shouldWait(this.#calls.size)) return this.#openNow(input, user, token)
    const call = place(input, { user, token }, this.#parts.nowMs())
    const position = this.#parts.journal.append(openedLine(call))
    return position === undefined ? this.#notOpened(call) : this.#openings.add(this.#admit(call, position))
  }

  /** Resolves when the line that was appended last is in the journal, to false when it could not be written. */
  #written(): Promise<boolean> {
    const written = this.#parts.journal.written()
    this.#groups.add(written)
    return written
  }

  #openNow(input: ReserveInput, user: LocalAccount, token: LocalAccount | undefined): ReserveResult {
    const call = place(input, { user, token }, this.#parts.nowMs())
    const position = this.#parts.journal.write(openedLine(call))
    if (position === undefined) return this.#notOpened(call)
    this.#admit(call, position)
    return RESERVED
  }

  #admit(call: LocalCall, position: number): LocalCall {
    call.openedAt = position
    this.#calls.add(call)
    this.#note(call)
    return call
  }

  #notOpened(call: LocalCall): ReserveResult {
    end(call, 0n)
    this.#note(call)
    return UNAVAILABLE
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
    let extended: ExtendResult = { type: 'ended' }
    const place = (): void => {
      if (this.#calls.has(holdId)) extended = this.#enlarge(call, amount, input)
    }
    const accounts = { userAccount: user.id, tokenAccount: token?.id }
    const limits = input.budget && { budget: input.budget }
    const asked: ReserveInput = { holdId, ...accounts, amount, ceiling: amount, priceJson, limits }
    const covers = (): boolean => coversMore(call, amount, input)
    const isGivenUp = (): boolean => !this.#calls.has(holdId)
    const refusal = await this.#admissions.cover({ input: asked, user, token }, { covers, place, isGivenUp })
    // The ledger counted another call; the next report corrects that.
    this.#note(call)
    return refusal ? { type: 'refused' } : extended
  }

  #end(call: LocalCall, charged: bigint): void {
    end(call, charged)
    this.#calls.remove(call)
    this.#note(call)
    this.#ends++
    if (!this.#parts.isAlone) this.returned = this.#returnTo(call)
  }

  /** Free quota of scarce accounts, and the place of a call that counts against a limit, are returned at once. */
  #returnTo({ user, token, isCounted }: LocalCall): Promise<void> | undefined {
    const nowMs = this.#parts.nowMs()
    const accounts: AccountId[] = []
    if (user.isScarce(nowMs)) accounts.push(user.id)
    if (token && (isCounted || token.isScarce(nowMs))) accounts.push(token.id)
    return accounts.length === 0 ? undefined : this.#parts.giveBack(accounts)
  }

  #note({ user, token }: Pick<LocalCall, 'user' | 'token'>): void {
    this.accounts.note(user)
    if (token) this.accounts.note(token)
  }

  #called(holdId: string): LocalCall {
    const call = this.#calls.get(holdId)
    invariant(call, 'the call is in flight in this process')
    return call
  }
}
