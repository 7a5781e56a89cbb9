import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import { expect } from 'vitest'
import { accountId } from '../../src/account.ts'
import type { Ledger } from '../../src/ledger.ts'
import type { Store } from '@tollgate/store/database/open-store'
import type { Dice } from './faults.ts'

const CALLERS = 12
const RETRY_MS = 20
export const USERS = 3
export const userOf = (number: number): number => accountId('user', 1 + (number % USERS))

interface Place {
  readonly name: string
  readonly written: number
}

export interface LoadOptions {
  readonly dice: Dice
  /** Where the last line was written. */
  readonly place?: () => Place | undefined
  /** Begins the ids of its calls. */
  readonly mark?: string
  /** Whether calls may be refused for a while because the ledger cannot be written. */
  readonly isInterrupted?: boolean
  /** Each caller waits so long between two calls. */
  readonly pauseMs?: number
}

/** Gives each user far more than the calls of a load cost. */
export async function fillUsers(ledger: Ledger): Promise<void> {
  for (let owner = 0; owner < USERS; owner++)
    await ledger.credit({ key: `topup:${owner}`, account: userOf(owner), amount: 10n ** 9n })
}

export interface FoundCharge {
  readonly amount: bigint
  readonly flags: string
}

/** The charges in the database by call. */
export async function chargesIn({ db }: Store): Promise<ReadonlyMap<string, FoundCharge>> {
  const rows = await db
    .selectFrom('entry')
    .select(['request_id', 'amount', 'flags'])
    .where('kind', '=', 'consume')
    .execute()
  return new Map(rows.map(({ request_id: id, ...charge }) => [id ?? '', charge]))
}

/** A call that was charged, and where its line stands in the journal. */
export interface Charged {
  readonly amount: bigint
  readonly file: string
  readonly end: number
}

/** Callers whose calls begin and end one after the other, until {@link end}. */
export class JournalLoad {
  readonly charged = new Map<string, Charged>()
  readonly opened = new Set<string>()
  #isOver = false
  readonly #ledger: Ledger
  readonly #dice: Dice
  readonly #place: () => Place | undefined
  readonly #mark: string
  readonly #isInterrupted: boolean
  readonly #pauseMs: number
  readonly #callers: Promise<void>[]

  constructor(
    ledger: Ledger,
    { dice, place = () => undefined, mark = 'call', isInterrupted = false, pauseMs = 0 }: LoadOptions,
  ) {
    this.#ledger = ledger
    this.#dice = dice
    this.#place = place
    this.#mark = mark
    this.#isInterrupted = isInterrupted
    this.#pauseMs = pauseMs
    this.#callers = Array.from({ length: CALLERS }, (_, number) => this.#call(number))
  }

  end(): Promise<unknown> {
    this.#isOver = true
    return Promise.all(this.#callers)
  }

  async #call(number: number): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const holdId = `${this.#mark}-${number}-${count}`
      const call = { holdId, userAccount: userOf(number), amount: 200n, ceiling: 900n }
      const { type } = await this.#ledger.reserve({ ...call, priceJson: samplePriceJson })
      if (type === 'unavailable' && this.#isInterrupted) {
        await sleep(RETRY_MS)
        continue
      }
      expect(type).toBe('reserved')
      this.opened.add(holdId)
      if (this.#dice.chance(0.5)) await this.#ledger.checkpoint({ holdId, amount: 150n })
      for (let wait = this.#dice.below(4); wait > 0; wait--) await turn()
      const amount = BigInt(this.#dice.below(400))
      await this.#ledger.settle({ holdId, amount, flags: [], usageJson: '', log: sampleLog(holdId) })
      const { name = '', written = 0 } = this.#place() ?? {}
      this.charged.set(holdId, { amount, file: name, end: written })
      await (this.#pauseMs > 0 ? sleep(this.#pauseMs) : turn())
    }
  }
}
