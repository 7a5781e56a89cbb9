import type { AccountId } from '../account.ts'
import type { AllotInput, AllotmentReport, ReserveInput } from '../inputs.ts'
import type { AllotResult } from '../results.ts'
import type { LocalAccount } from './local-account.ts'

export interface RoundsParts {
  readonly allot: (input: AllotInput) => Promise<AllotResult>
  /** The most of what remains that one grant may take is one of this many parts. */
  readonly parts: () => number
  readonly nowMs: () => number
  /** The instance that has the allotments. */
  readonly instanceId: string
}

/** A call that its accounts do not cover. */
export interface Uncovered {
  readonly input: ReserveInput
  readonly user: LocalAccount
  readonly token: LocalAccount | undefined
}

interface Asked extends Uncovered {
  /** Called in the turn in which the grant arrives, before another call can use it. */
  readonly place: () => void
  readonly answer: (result: AllotResult) => void
  readonly fail: (error: unknown) => void
}

interface Round {
  readonly asked: Asked[]
  /** Its requests are under way. */
  end: Promise<void> | undefined
}

/**
 * Asks the ledger to admit calls and grant quota for them. Requests of one user are collected in rounds, one
 * round at a time. A round gives the free quota of its accounts back with the first request that names them, so
 * that everything is decided on the true state. Its last request asks for a refill, from what the others leave.
 */
export class Rounds {
  readonly #parts: RoundsParts
  readonly #rounds = new Map<LocalAccount, Round>()

  constructor(parts: RoundsParts) {
    this.#parts = parts
  }

  /** Resolves when the requests under way for this user have been answered; `undefined` when there are none. */
  underWay(user: LocalAccount): Promise<void> | undefined {
    return this.#rounds.get(user)?.end
  }

  /**
   * Asks for one call; `place` is called in the same turn in which its grant arrives, before another call can
   * use it. Must not be called while requests of the user are under way.
   */
  ask(call: Uncovered, place: () => void): Promise<AllotResult> {
    const round = this.#rounds.get(call.user) ?? this.#begin(call.user)
    count(call, 1)
    return new Promise((answer, fail) => round.asked.push({ ...call, place, answer, fail }))
  }

  /**
   * Asks for quota before a call needs it. Nothing is given back with the request, so calls are admitted meanwhile; when
   * it fails nothing is changed.
   */
  async askAhead({ input, user }: Pick<Uncovered, 'input' | 'user'>): Promise<boolean> {
    const { nowMs, parts, instanceId, allot } = this.#parts
    const refill = user.refill(input.amount, nowMs())
    const { tokenAccount: _token, ...others } = input
    const none: ReserveInput = { ...others, amount: 0n, ceiling: 0n, limits: undefined, overdraft: undefined }
    const call = { input: none, user, token: undefined }
    count(call, 1)
    try {
      const result = await allot({ ...none, wanted: refill, parts: parts(), reports: [], instanceId })
      if (result.type !== 'allotted') return false
      receive(call, result)
      user.noteRefill(result.grants.find(({ account }) => account === user.id)?.amount)
      return true
    } catch {
      // The next call that needs quota reports why there is none.
      user.noteRefill(undefined)
      return false
    } finally {
      count(call, -1)
    }
  }

  /** Everything asked for in one turn of the event loop is one round. */
  #begin(user: LocalAccount): Round {
    const round: Round = { asked: [], end: undefined }
    this.#rounds.set(user, round)
    setImmediate(() => {
      round.end = this.#sendAll(user, round)
    })
    return round
  }

  async #sendAll(user: LocalAccount, round: Round): Promise<void> {
    await Promise.all(round.asked.map((call, index) => this.#send(call, round, index)))
    this.#rounds.delete(user)
  }

  async #send(call: Asked, round: Round, index: number): Promise<void> {
    const input = this.#inputOf(call, round.asked, index)
    let result: AllotResult
    try {
      result = await this.#parts.allot(input)
    } catch (error) {
      count(call, -1)
      // Nothing was changed: what was to be returned with the request is here.
      for (const report of input.reports) accountOf(call, report.account)?.restore(report)
      return call.fail(error)
    }
    // In the same turn as what the answer brings, so that no comparison takes place between them.
    count(call, -1)
    try {
      for (const quota of result.taken ?? []) accountOf(call, quota.account)?.noteTaken(quota)
      if (result.type === 'allotted') {
        receive(call, result)
        call.place()
      }
      call.answer(result)
    } catch (error) {
      call.fail(error)
    }
  }

  #inputOf({ input, user, token }: Asked, asked: readonly Asked[], index: number): AllotInput {
    const { userAccount, tokenAccount, amount, ceiling, limits, overdraft } = input
    const { instanceId } = this.#parts
    const isLast = index === asked.length - 1
    const wanted = isLast ? user.refill(amount, this.#parts.nowMs()) : 0n
    const reports: AllotmentReport[] = []
    if (index === 0) reports.push(user.takeFree({ isBeforeAsked: true }))
    if (token && asked.findIndex((other) => other.token === token) === index)
      reports.push(token.takeFree({ isBeforeAsked: true }))
    const parts = this.#parts.parts()
    return {
      userAccount,
      tokenAccount,
      amount,
      ceiling,
      limits,
      overdraft,
      wanted,
      parts,
      reports,
      instanceId,
    }
  }
}

/** Until it is answered, a request may or may not be counted in the database. */
function count({ input, user, token }: Uncovered, difference: 1 | -1): void {
  user.asked += difference
  user.askedExposed += BigInt(difference) * (input.ceiling - input.amount)
  if (token) token.asked += difference
}

function receive({ user, token }: Uncovered, { grants }: Extract<AllotResult, { type: 'allotted' }>): void {
  for (const grant of grants) accountOf({ user, token }, grant.account)?.receive(grant)
}

function accountOf(
  { user, token }: Pick<Uncovered, 'user' | 'token'>,
  id: AccountId,
): LocalAccount | undefined {
  if (id === user.id) return user
  return id === token?.id ? token : undefined
}
