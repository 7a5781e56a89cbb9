import type { AccountId } from '../account.ts'
import type { AllotmentState, EntryState, HoldState, RollupState } from './state.ts'

export interface OwnSums {
  held: bigint
  holds: number
  /** Users only: how much their open holds may cost beyond the amounts held. */
  exposed: bigint
  granted: bigint
  used: bigint
}

/** Sums per account, computed from entries, holds and allotments. */
export class AccountSums {
  readonly #sums = new Map<AccountId, OwnSums>()
  readonly #recovered = new Map<string, bigint>()

  addHold({ userAccount, tokenAccount, amount, ceiling }: HoldState): void {
    this.#of(userAccount).exposed += ceiling - amount
    for (const account of [userAccount, tokenAccount]) {
      if (account === undefined) continue
      const sums = this.#of(account)
      sums.held += amount
      sums.holds++
    }
  }

  addAllotment({ account, amount }: AllotmentState): void {
    this.#of(account).held += amount
  }

  addRollup({ account, used, granted }: RollupState): void {
    this.#of(account).used += used
    this.#of(account).granted += granted
  }

  addEntry(entry: EntryState): void {
    if (entry.kind === 'credit' || entry.kind === 'adjust') {
      this.#of(entry.userAccount).granted += entry.amount
      return
    }
    const used = entry.kind === 'refund' ? -entry.amount : entry.amount
    this.#of(entry.userAccount).used += used
    if (entry.tokenAccount !== undefined) this.#of(entry.tokenAccount).used += used
    if (entry.requestId !== undefined && entry.flags.includes('recovered'))
      this.#recovered.set(entry.requestId, entry.amount)
  }

  recoveredCharge(requestId: string): bigint {
    return this.#recovered.get(requestId) ?? 0n
  }

  /**
   * Returns and removes the sums of an account; it is called once per account. Sums that remain belong to
   * accounts that do not exist.
   */
  take(account: AccountId): Readonly<OwnSums> {
    const sums = this.#of(account)
    this.#sums.delete(account)
    return sums
  }

  *unseen(): Generator<AccountId> {
    for (const [account, { held, holds, granted, used }] of this.#sums)
      // `exposed` needs no check: it is zero without a hold.
      if (held !== 0n || holds !== 0 || granted !== 0n || used !== 0n) yield account
  }

  #of(account: AccountId): OwnSums {
    const known = this.#sums.get(account)
    if (known) return known
    const fresh = { held: 0n, holds: 0, exposed: 0n, granted: 0n, used: 0n }
    this.#sums.set(account, fresh)
    return fresh
  }
}
