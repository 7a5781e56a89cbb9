import type { AccountId } from '../account.ts'
import type { SettledCall } from '../journal/line.ts'
import type { TakenQuota } from '../results.ts'
import { endFollowedHold, endHold, smaller } from './account.ts'
import type { BatchState } from './batch-state.ts'
import type { AccountState, AllotmentState } from './state.ts'

type ChargedCall = Pick<SettledCall, 'userAccount' | 'tokenAccount' | 'isTokenFollowed' | 'budgetSinceMs'>

/** A call that was admitted without a budget counts in no period. */
const BEFORE_ALL = 0

interface AccountCharges {
  charged: bigint
  /** Charged while the token was unlimited. */
  followed: bigint
  /** By start of the budget period. */
  readonly byPeriod: Map<number, bigint>
}

/** Charges of many calls, summed per account, so that each account changes once. */
export class ChargeSums {
  readonly #sums = new Map<AccountId, AccountCharges>()

  add({ userAccount, tokenAccount, isTokenFollowed, budgetSinceMs }: ChargedCall, charge: bigint): void {
    this.#of(userAccount).charged += charge
    if (tokenAccount === undefined) return
    const token = this.#of(tokenAccount)
    if (isTokenFollowed) token.followed += charge
    else token.charged += charge
    const sinceMs = budgetSinceMs ?? BEFORE_ALL
    token.byPeriod.set(sinceMs, (token.byPeriod.get(sinceMs) ?? 0n) + charge)
  }

  /**
   * Charges the allotments of the instance, then what remains of the accounts, then debt. Returns what the
   * allotments did not cover.
   */
  apply(draft: BatchState, instanceId: string): readonly TakenQuota[] {
    const taken: TakenQuota[] = []
    for (const [id, charges] of this.#sums) {
      const row = draft.allotment(id, instanceId)
      const covered = smaller(charges.charged, row?.amount ?? 0n)
      const account = chargeAccount(draft.account(id), charges, covered)
      const budget = uncoveredBudget(row, charges)
      if (row) draft.putAllotment(chargeAllotment(row, charges, covered))
      draft.putAccount(account)
      if (charges.charged > covered || budget)
        taken.push({ account: id, amount: charges.charged - covered, ...(budget && { budget }) })
    }
    return taken
  }

  #of(account: AccountId): AccountCharges {
    const known = this.#sums.get(account)
    if (known) return known
    const fresh = { charged: 0n, followed: 0n, byPeriod: new Map<number, bigint>() }
    this.#sums.set(account, fresh)
    return fresh
  }
}

/** A charge of an earlier budget period does not count in the current one. */
function chargeAccount(
  account: AccountState,
  { charged, followed, byPeriod }: AccountCharges,
  covered: bigint,
): AccountState {
  const limited = endHold(account, { held: covered, charge: charged })
  const after = endFollowedHold(limited, { held: 0n, charge: followed })
  let earlier = 0n
  for (const [sinceMs, charge] of byPeriod) if (sinceMs < account.budgetSinceMs) earlier += charge
  return { ...after, budgetBase: account.budgetBase + earlier }
}

/** What calls of the allotted period cost beyond the allotment of the budget. */
function uncoveredBudget(
  row: AllotmentState | undefined,
  { byPeriod }: AccountCharges,
): TakenQuota['budget'] {
  const sinceMs =
    row && row.budgetSinceMs > BEFORE_ALL ? row.budgetSinceMs : Math.max(BEFORE_ALL, ...byPeriod.keys())
  const allotted = row?.budgetSinceMs === sinceMs ? row.budgetAmount : 0n
  const amount = (byPeriod.get(sinceMs) ?? 0n) - allotted
  return sinceMs > BEFORE_ALL && amount > 0n ? { sinceMs, amount } : undefined
}

function chargeAllotment(row: AllotmentState, { byPeriod }: AccountCharges, covered: bigint): AllotmentState {
  const amount = row.amount - covered
  const ofPeriod = byPeriod.get(row.budgetSinceMs) ?? 0n
  const budgetAmount = row.budgetAmount - smaller(ofPeriod, row.budgetAmount)
  return {
    ...row,
    amount,
    free: smaller(row.free, amount),
    budgetAmount,
    budgetFree: smaller(row.budgetFree, budgetAmount),
  }
}
