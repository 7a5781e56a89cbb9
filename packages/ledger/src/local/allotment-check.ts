import type { AccountId } from '../account.ts'
import type { Alarm } from '../core/command.ts'
import type { AllotmentAnswer, AllotmentQuestion, AllottedQuota } from '../core/storage.ts'
import type { UnfoldedRange } from './unfolded-range.ts'
import type { LocalAccount } from './local-account.ts'
import type { LocalAccounts } from './local-accounts.ts'
import type { LocalCall } from './local-call.ts'

export interface AllotmentCheckParts {
  readonly accounts: LocalAccounts
  readonly openCalls: () => Iterable<LocalCall>
  /** Whether the range ends with the last line of the journal, and the allotments are those of this process. */
  readonly isWhole: (range: UnfoldedRange) => boolean
  readonly read: (question: AllotmentQuestion) => Promise<AllotmentAnswer>
  /** The accounts that have rows of this process, to find those that it does not know. */
  readonly readAccounts: () => Promise<readonly AccountId[]>
  readonly nowMs: () => number
  readonly onMended: (mended: readonly MendedAllotment[]) => void
  /** A comparison is due: it is to begin with the next fold. */
  readonly wake: () => void
}

export interface MendedAllotment {
  readonly account: AccountId
  /** Quota that is in reach again; negative when the process counted more than it had. */
  readonly amount: bigint
  /** The same of the budget of a token. */
  readonly budgetAmount: bigint
}

/** How often accounts were mended since the start, and when last; 0 when that never happened. */
export interface MendedCount {
  readonly accounts: number
  readonly lastMs: number
}

/** What this process counted of an account at one moment. */
interface CountedQuota {
  readonly account: LocalAccount
  readonly changes: number
  amount: bigint
  readonly budgetSinceMs: number
  budgetAmount: bigint
}

/** Accounts at a time, so that neither the event loop nor the database notices. */
const ACCOUNTS_MAX = 1_000

/**
 * Compares what this process counts of its accounts with what the database has set aside for it, and mends a
 * difference. Nothing causes one as far as anybody knows; if something does, its quota does not stay out of reach.
 *
 * A comparison begins with a fold of everything that the journal has: then `amount` of the row is what is free here
 * plus what calls hold. It is made only of accounts about which no request to the ledger is under way, and is worth
 * nothing if one was made before its answer. So what is mended cannot be granted or returned a second time.
 */
export class AllotmentCheck {
  readonly #parts: AllotmentCheckParts
  /** Left of the accounts that are all looked at, also with calls in flight. */
  #all: AccountId[] = []
  #isDue = false
  #mended: MendedCount = { accounts: 0, lastMs: 0 }

  constructor(parts: AllotmentCheckParts) {
    this.#parts = parts
  }

  get mended(): MendedCount {
    return this.#mended
  }

  get isDue(): boolean {
    return this.#isDue
  }

  /** Looks at the accounts that changed since they were looked at last, once no call holds anything of them. */
  checkQuiet(): void {
    if (this.#all.length === 0 && !this.#parts.accounts.hasUnchecked) return
    this.#isDue = true
    this.#parts.wake()
  }

  /** Looks at every account that the process or its rows know. */
  async checkAll(): Promise<void> {
    const rows = await this.#parts.readAccounts()
    this.#all = [...new Set([...this.#parts.accounts.all(), ...rows])]
    this.checkQuiet()
  }

  /** To be called when the range is submitted; the returned function, when it was folded or could not be. */
  begin(range: UnfoldedRange): ((isFolded: boolean) => Promise<void>) | undefined {
    if (!this.#isDue || !this.#parts.isWhole(range)) return undefined
    this.#isDue = false
    const counted = [...this.#count().values()]
    if (counted.length === 0) return undefined
    return async (isFolded) => {
      // What the fold took changes an account, too.
      const compared = isFolded ? counted.filter((each) => this.#isUnchanged(each)) : []
      const isAnswered = await this.#compare(compared, range).catch(() => false)
      for (const each of counted)
        if (!isAnswered || !this.#isUnchanged(each)) this.#parts.accounts.checkAgain(each.account)
    }
  }

  #count(): Map<AccountId, CountedQuota> {
    const { accounts, openCalls } = this.#parts
    const counted = new Map<AccountId, CountedQuota>()
    for (const account of accounts.takeUnchecked(ACCOUNTS_MAX)) counted.set(account.id, countFree(account))
    if (this.#all.length === 0) return counted
    const busy = new Map<AccountId, CountedQuota>()
    for (const id of this.#all.splice(0, ACCOUNTS_MAX)) {
      const account = accounts.of(id)
      if (account.isSettled) busy.set(id, countFree(account))
      else accounts.checkAgain(account)
    }
    for (const call of openCalls()) addHeld(call, busy)
    return new Map([...counted, ...busy])
  }

  /** Resolves to false when the database cannot tell. */
  async #compare(counted: readonly CountedQuota[], { fileId, to }: UnfoldedRange): Promise<boolean> {
    if (counted.length === 0) return false
    const { position, rows } = await this.#parts.read({
      accounts: counted.map(({ account }) => account.id),
      fileId,
    })
    // Otherwise the database was set back, and the next fold finds that out.
    if (position !== to) return false
    const byAccount = new Map(rows.map((row) => [row.account, row]))
    const unchanged = counted.filter((each) => this.#isUnchanged(each))
    const mended = unchanged.flatMap((each) => mend(each, byAccount.get(each.account.id)))
    if (mended.length === 0) return true
    this.#mended = { accounts: this.#mended.accounts + mended.length, lastMs: this.#parts.nowMs() }
    for (const { account } of mended) this.#parts.accounts.note(this.#parts.accounts.of(account))
    this.#parts.onMended(mended)
    return true
  }

  /** Nothing was granted, returned or asked for since the account was counted, and it was not forgotten. */
  #isUnchanged({ account, changes }: CountedQuota): boolean {
    return account.isSettled && account.changes === changes && this.#parts.accounts.isCurrent(account)
  }
}

function countFree(account: LocalAccount): CountedQuota {
  const { free, budgetSinceMs, budgetFree, changes } = account
  return { account, changes, amount: free, budgetSinceMs, budgetAmount: budgetFree }
}

function addHeld(
  { user, token, isTokenFollowed, held, budgetSinceMs }: LocalCall,
  counted: ReadonlyMap<AccountId, CountedQuota>,
): void {
  const ofUser = counted.get(user.id)
  if (ofUser) ofUser.amount += held
  const ofToken = token && counted.get(token.id)
  if (ofToken === undefined) return
  if (!isTokenFollowed) ofToken.amount += held
  if (budgetSinceMs === ofToken.budgetSinceMs) ofToken.budgetAmount += held
}

function mend(counted: CountedQuota, row: AllottedQuota | undefined): readonly MendedAllotment[] {
  const { account, budgetSinceMs } = counted
  const amount = (row?.amount ?? 0n) - counted.amount
  const isOfPeriod = row !== undefined && budgetSinceMs >= 0 && row.budgetSinceMs === budgetSinceMs
  const budgetAmount = isOfPeriod ? row.budgetAmount - counted.budgetAmount : 0n
  if (amount === 0n && budgetAmount === 0n) return []
  account.noteTaken({ account: account.id, amount, budget: { sinceMs: budgetSinceMs, amount: budgetAmount } })
  return [{ account: account.id, amount, budgetAmount }]
}

/** More accounts are only counted. */
const NAMED_MAX = 5

export function createMendedAlarm(mended: readonly MendedAllotment[]): Alarm {
  const named = mended.slice(0, NAMED_MAX).map(describe)
  const rest = mended.length > NAMED_MAX ? ` and ${mended.length - NAMED_MAX} more` : ''
  return {
    type: 'allotment_mended',
    detail: `this process counted other quota than was set aside for it, which is mended: ${named.join('; ')}${rest}`,
  }
}

function describe({ account, amount, budgetAmount }: MendedAllotment): string {
  const budget = budgetAmount === 0n ? '' : `, ${budgetAmount} of its budget`
  return `account ${account} by ${amount} units${budget}`
}
