import type { AccountId } from '../account.ts'
import type { AllotmentReport } from '../inputs.ts'
import type { TakenQuota } from '../results.ts'
import { LocalAccount } from './local-account.ts'

/** The accounts on which this process has allotments or asks for one, and which of them are to be reported. */
export class LocalAccounts {
  readonly #accounts = new Map<AccountId, LocalAccount>()
  /** Changed since they were last reported. */
  #changed = new Set<LocalAccount>()
  /** Changed since they were last compared with the database. */
  readonly #unchecked = new Set<LocalAccount>()
  #isRetired = false
  readonly #onChanged: () => void

  /** `onChanged` is called for the first change since all were reported. */
  constructor(onChanged: () => void) {
    this.#onChanged = onChanged
  }

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

  /** Number of accounts with an allotment. */
  get allotments(): number {
    return [...this.#accounts.values()].filter(({ isAllotted }) => isAllotted).length
  }

  /** The account changed: its next report goes with the next fold. */
  note(account: LocalAccount): void {
    if (this.#changed.size === 0) this.#onChanged()
    this.#changed.add(account)
  }

  /** Whether accounts changed since their last report. */
  get hasReports(): boolean {
    return this.#changed.size > 0 && !this.#isRetired
  }

  /**
   * Reports of the accounts that changed since the last call. While the ledger decides about calls of an account,
   * it would be unknown whether the report includes them; that only matters to other processes.
   */
  takeReports({ isAlone }: { readonly isAlone: boolean }): readonly AllotmentReport[] {
    if (this.#isRetired) return []
    const settled = [...this.#changed].filter(({ asked }) => isAlone || asked === 0)
    for (const account of settled) {
      this.#changed.delete(account)
      this.#unchecked.add(account)
    }
    return settled.map((account) => account.report())
  }

  /** The allotments belong to an instance that was declared dead: there is nothing to report or return. */
  retire(): void {
    this.#isRetired = true
  }

  /** Reports accounts again, because an earlier report did not reach the database. */
  reportAgain(reports: readonly AllotmentReport[]): void {
    for (const { account } of reports) this.#changed.add(this.of(account))
  }

  noteTaken(taken: readonly TakenQuota[]): void {
    for (const quota of taken) this.of(quota.account).noteTaken(quota)
  }

  /**
   * Gives the free quota of these accounts away; the reports must reach the database. Until the next grant no
   * call is placed in memory. `hasEnded`: a call ended, which the database is to know even if nothing is free.
   */
  takeBack(accounts: readonly AccountId[], { hasEnded = false } = {}): readonly AllotmentReport[] {
    if (this.#isRetired) return []
    return accounts.flatMap((id) => {
      const account = this.#accounts.get(id)
      if (!account || !(hasEnded || account.isAllotted || account.free > 0n)) return []
      account.isAllotted = false
      account.returning++
      return [account.takeFree()]
    })
  }

  /** The ledger has carried a return out, or will not: then the quota is `restored`. */
  noteReturned(reports: readonly AllotmentReport[], { isRestored }: { readonly isRestored: boolean }): void {
    for (const report of reports) {
      const account = this.of(report.account)
      account.returning--
      if (isRestored) account.restore(report)
    }
  }

  get hasUnchecked(): boolean {
    return this.#unchecked.size > 0 && !this.#isRetired
  }

  /** Accounts that changed since they were last compared with the database, and of which no call holds anything. */
  takeUnchecked(max: number): readonly LocalAccount[] {
    const quiet: LocalAccount[] = []
    for (const account of this.#unchecked) {
      if (quiet.length === max) break
      if (account.openHolds > 0 || !account.isSettled) continue
      this.#unchecked.delete(account)
      quiet.push(account)
    }
    return quiet
  }

  /** Not if it was forgotten since: then the row belongs to what the process counts of it now. */
  checkAgain(account: LocalAccount): void {
    if (this.isCurrent(account)) this.#unchecked.add(account)
  }

  /** Whether it was not forgotten since it was looked up. */
  isCurrent(account: LocalAccount): boolean {
    return this.#accounts.get(account.id) === account
  }

  /** A token became unlimited or limited. */
  setUnlimited(id: AccountId, isUnlimited: boolean): void {
    const token = this.#accounts.get(id)
    if (token) token.isUnlimited = isUnlimited
  }

  /** Returns whether the process has quota or calls of the account. From now on every call is asked for. */
  noteScarce(id: AccountId, untilMs: number): boolean {
    const account = this.#accounts.get(id)
    account?.noteScarce(untilMs)
    return account !== undefined && (account.isAllotted || account.free > 0n || account.openHolds > 0)
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

  /** An answer that is under way brings quota, so the account must be there to receive it. */
  #isUnused(account: LocalAccount): boolean {
    const { openHolds, waiting, asked, returning } = account
    const isIdle = openHolds + waiting + asked + returning === 0
    return isIdle && !this.#changed.has(account) && !this.#unchecked.has(account)
  }
}
