import type { AccountId } from '../account.ts'
import type { AllotmentReport } from '../inputs.ts'
import type { TakenQuota } from '../results.ts'
import { LocalAccount } from './local-account.ts'

/** The accounts on which this process has allotments or asks for one, and which of them are to be reported. */
export class LocalAccounts {
  readonly #accounts = new Map<AccountId, LocalAccount>()
  /** Changed since they were last reported. */
  #changed = new Set<LocalAccount>()

  of(id: AccountId): LocalAccount {
    const known = this.#accounts.get(id)
    if (known) return known
    const account = new LocalAccount(id)
    this.#accounts.set(id, account)
    return account
  }

  all(): readonly AccountId[] {
    return [...this.#accounts.keys()]
  }

  /** The account changed: its next report goes with the next fold. */
  note(account: LocalAccount): void {
    this.#changed.add(account)
  }

  /** Reports of the accounts that changed since the last call. */
  takeReports(): readonly AllotmentReport[] {
    const reports = [...this.#changed].map((account) => account.report())
    this.#changed = new Set()
    return reports
  }

  /** Reports accounts again, because an earlier report did not reach the database. */
  reportAgain(reports: readonly AllotmentReport[]): void {
    for (const { account } of reports) this.#changed.add(this.of(account))
  }

  /** Charges that the allotment did not cover were taken from the account itself. */
  noteTaken(taken: readonly TakenQuota[]): void {
    for (const { account, amount } of taken) this.of(account).free += amount
  }

  /**
   * Gives the free quota of these accounts away; the reports must reach the database. Until the next grant no
   * call is placed in memory.
   */
  takeBack(accounts: readonly AccountId[]): readonly AllotmentReport[] {
    return accounts.flatMap((id) => {
      const account = this.#accounts.get(id)
      if (!account || (!account.isAllotted && account.free <= 0n)) return []
      account.isAllotted = false
      return [account.takeFree()]
    })
  }

  /** A token became unlimited or limited. */
  setUnlimited(id: AccountId, isUnlimited: boolean): void {
    const token = this.#accounts.get(id)
    if (token) token.isUnlimited = isUnlimited
  }

  /** Accounts that no call has used since. */
  idleSince(ms: number): readonly AccountId[] {
    const idle: AccountId[] = []
    for (const account of this.#accounts.values())
      if (account.usedMs < ms && this.#isUnused(account)) idle.push(account.id)
    return idle
  }

  /** Forgets those of the accounts that were given back and are still unused. */
  forget(accounts: readonly AccountId[]): void {
    for (const id of accounts) {
      const account = this.#accounts.get(id)
      if (account && !account.isAllotted && account.free === 0n && this.#isUnused(account))
        this.#accounts.delete(id)
    }
  }

  #isUnused(account: LocalAccount): boolean {
    return account.openHolds === 0 && account.waiting === 0 && !this.#changed.has(account)
  }
}
