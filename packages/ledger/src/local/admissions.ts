import type { Refusal } from '../core/command.ts'
import type { AccountId } from '../account.ts'
import type { ReserveResult } from '../results.ts'
import type { LocalAccount } from './local-account.ts'
import { Patience } from './patience.ts'
import { Rounds, type RoundsParts, type Uncovered } from './rounds.ts'

export interface AdmissionsParts extends RoundsParts {
  /** Why no request of this user can be queued for the ledger, or `undefined`. */
  readonly busy: (user: AccountId) => 'gateway' | 'user' | undefined
  /** Asks other processes to return their free quota. */
  readonly recall: (account: AccountId) => void
  /** How long they need for that at most. */
  readonly patienceMs: () => number
}

/** How a call is placed in memory. */
export interface Placement {
  /** Whether the allotments cover it by now. */
  readonly covers: () => boolean
  /** Called in the turn in which they cover it. */
  readonly place: () => void
  /** Its caller was refused meanwhile. */
  readonly isGivenUp?: () => boolean
}

export interface Opening extends Pick<Placement, 'covers'> {
  readonly open: () => ReserveResult
  readonly unused: () => void
}

/** How often a call is tried again because quota became free while it was refused. */
const TRIES_MAX = 3
/** How long an admission waits for the ledger. */
const ADMISSION_MS = 5_000
/** Admissions of one user that wait for the ledger at a time. */
const WAITING_PER_USER_MAX = 256

const UNAVAILABLE: ReserveResult = { type: 'unavailable' }

/** Calls that the allotments do not cover: asks the ledger, and other processes for what they do not use. */
export class Admissions {
  readonly #parts: AdmissionsParts
  readonly #rounds: Rounds

  constructor(parts: AdmissionsParts) {
    this.#parts = parts
    this.#rounds = new Rounds(parts)
  }

  /**
   * Admits a call; `open` places it. A caller that waited too long is refused; a grant that comes later is `unused`
   * and stays for other calls.
   */
  async admit(call: Uncovered, { covers, open, unused }: Opening): Promise<ReserveResult> {
    const { user, token } = call
    const scope = user.waiting >= WAITING_PER_USER_MAX ? 'user' : this.#parts.busy(user.id)
    if (scope) return { type: 'busy', scope }
    let isGivenUp = false
    let opened = UNAVAILABLE
    const place = (): void => {
      if (isGivenUp) unused()
      else opened = open()
    }
    for (const account of [user, token]) if (account) account.waiting++
    const timeout = Promise.withResolvers<ReserveResult>()
    const timer = setTimeout(() => {
      isGivenUp = true
      timeout.resolve(UNAVAILABLE)
    }, ADMISSION_MS)
    try {
      const refused = this.cover(call, { covers, place, isGivenUp: () => isGivenUp })
      return await Promise.race([refused.then((refusal) => refusal ?? opened), timeout.promise])
    } finally {
      clearTimeout(timer)
      for (const account of [user, token]) if (account) account.waiting--
    }
  }

  /**
   * Has quota for further calls asked for, if that runs low. Not for a token with a limit: each process would take a
   * part of what little a token has.
   */
  refillAhead(call: Uncovered, onGranted: () => void): void {
    if (call.token !== undefined && !call.token.isUnlimited) return
    if (!call.user.needsRefill(this.#parts.nowMs()) || this.#rounds.underWay(call.user)) return
    void this.#rounds.askAhead(call).then((isGranted) => isGranted && onGranted())
  }

  /** Resolves once the call was placed or given up, or to its refusal. */
  async cover(call: Uncovered, { covers, place, isGivenUp }: Placement): Promise<Refusal | undefined> {
    let patience: Patience | undefined
    for (let tries = 1; ; tries++) {
      await this.#rounds.underWay(call.user)
      if (isGivenUp?.()) return undefined
      if (covers()) {
        place()
        return undefined
      }
      const { ended } = call.user
      const result = await this.#rounds.ask(call, place)
      if (result.type === 'allotted') return undefined
      if (tries < TRIES_MAX && call.user.ended !== ended) continue
      if (result.elsewhere === undefined) return result
      noteScarce(call, result)
      patience ??= new Patience(this.#parts.patienceMs())
      if (result.elsewhere.mayReturn) this.#parts.recall(result.elsewhere.account)
      if (!(await patience.wait(result.elsewhere))) return result
    }
  }
}

function noteScarce({ user, token }: Uncovered, { elsewhere }: Refusal): void {
  if (elsewhere === undefined) return
  const refusing: LocalAccount | undefined = elsewhere.account === user.id ? user : token
  refusing?.noteScarce(elsewhere.untilMs)
}
