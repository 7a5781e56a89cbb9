import { invariant } from '@tollgate/kit/invariant'
import type { AccountId } from '../account.ts'
import type { AllotInput, AllotmentReport, Budget, GiveBackInput, ReclaimInput } from '../inputs.ts'
import type { AllotmentGrant, ScarceAccount, TakenQuota } from '../results.ts'
import { reserveQuota, returnQuota, smaller } from './account.ts'
import { callsInFlight, exposureInFlight, useOf } from './account-use.ts'
import { beginPeriod, refuse } from './admission.ts'
import type { BatchState } from './batch-state.ts'
import type { CommandContext, Decision } from './command.ts'
import { exposureOf } from './overdraft.ts'
import { isScarce, noteExact } from './scarcity.ts'
import type { AllotmentState } from './state.ts'
import { budgetLeft } from './token-limits.ts'

/**
 * Admits one call and grants this process quota for it, and more if that remains. Free quota that the process
 * reports is taken back first, so that the decision is exact; after a refusal it stays with the account.
 */
export function allot(draft: BatchState, input: AllotInput, context: CommandContext): Decision<'allot'> {
  invariant(input.amount >= 0n && input.ceiling >= input.amount, 'a call is between zero and its ceiling')
  invariant(input.wanted >= 0n && input.parts >= 1, 'a grant is a part of what remains')
  const { instanceId } = context
  const taken = ownReports(input, context).flatMap((report) => takeBack(draft, report, instanceId))
  const refusal = refuse(draft, input, context)
  if (refusal) return { outcome: taken.length === 0 ? refusal : { ...refusal, taken } }
  beginPeriod(draft, input)
  const accounts = [input.userAccount, input.tokenAccount].filter((id) => id !== undefined)
  const grants = accounts.map((id) => grantTo(draft, input, { id, context }))
  return { outcome: { type: 'allotted', instanceId, grants, taken } }
}

/** Returns free quota of this process. Rows without quota and calls are removed. */
export function giveBack(
  draft: BatchState,
  input: GiveBackInput,
  context: CommandContext,
): Decision<'giveBack'> {
  const scarce: ScarceAccount[] = []
  const taken: TakenQuota[] = []
  for (const report of ownReports(input, context)) {
    taken.push(...takeBack(draft, report, context.instanceId))
    const row = draft.allotment(report.account, context.instanceId)
    if (row && row.amount === 0n && row.openHolds === 0) draft.endAllotment(row)
    else scarce.push(...noteExact(draft, report.account, context))
  }
  return { outcome: { type: 'returned', scarce, taken } }
}

/** Returns the allotments of a dead process on these accounts. A row that is gone was returned before. */
export function reclaim(draft: BatchState, { instanceId, accounts }: ReclaimInput): Decision<'reclaim'> {
  for (const account of accounts) {
    const row = draft.allotment(account, instanceId)
    if (!row) continue
    draft.putAccount(returnQuota(draft.account(account), row.amount))
    draft.endAllotment(row)
  }
  return { outcome: { type: 'done' } }
}

/** A process that was declared dead continues as another instance, whose allotments its reports do not mean. */
function ownReports(
  { reports, instanceId }: GiveBackInput,
  context: CommandContext,
): readonly AllotmentReport[] {
  return instanceId === context.instanceId ? reports : []
}

/**
 * Returns the reported free quota to the account, at most what the row has, and notes what is in flight. A fold that
 * came after the report, but is decided before it, may have charged a part of that quota: the result names it.
 */
function takeBack(draft: BatchState, report: AllotmentReport, instanceId: string): readonly TakenQuota[] {
  const row = draft.allotment(report.account, instanceId)
  if (!row) return notReturned(report, NOTHING_RETURNED)
  const returned = smaller(report.free, row.amount)
  if (returned > 0n) draft.putAccount(returnQuota(draft.account(row.account), returned))
  const isOfPeriod = report.budget?.sinceMs === row.budgetSinceMs
  const budgetReturned = report.budget && isOfPeriod ? smaller(report.budget.free, row.budgetAmount) : 0n
  const less = {
    ...row,
    amount: row.amount - returned,
    free: 0n,
    openHolds: report.openHolds,
    exposed: report.exposed,
    budgetAmount: row.budgetAmount - budgetReturned,
    budgetFree: 0n,
  }
  draft.putAllotment(less)
  return notReturned(report, { amount: returned, budgetAmount: isOfPeriod ? budgetReturned : undefined })
}

interface ReturnedQuota {
  readonly amount: bigint
  /** `undefined` when the row is of another budget period. */
  readonly budgetAmount: bigint | undefined
}

const NOTHING_RETURNED: ReturnedQuota = { amount: 0n, budgetAmount: 0n }

function notReturned(
  { account, free, budget }: AllotmentReport,
  { amount, budgetAmount }: ReturnedQuota,
): readonly TakenQuota[] {
  const budgetTaken =
    budget && budgetAmount !== undefined && budget.free > budgetAmount
      ? { sinceMs: budget.sinceMs, amount: budget.free - budgetAmount }
      : undefined
  if (free === amount && budgetTaken === undefined) return []
  return [{ account, amount: free - amount, ...(budgetTaken && { budget: budgetTaken }) }]
}

interface Grantee {
  readonly id: AccountId
  readonly context: CommandContext
}

function grantTo(draft: BatchState, input: AllotInput, { id, context }: Grantee): AllotmentGrant {
  const account = draft.account(id)
  const { isUnlimited } = account
  const { instanceId } = context
  const asked = isScarce(account, context.nowMs) ? { ...input, wanted: 0n } : input
  const extra = isUnlimited ? 0n : shareOf(account.remaining - input.amount, asked)
  const amount = isUnlimited ? 0n : input.amount + extra
  const row = draft.allotment(id, instanceId) ?? { account: id, instanceId, ...NO_ALLOTMENT }
  const elsewhere = useOf(draft, id)
  const openHoldsElsewhere = callsInFlight(elsewhere) - row.openHolds
  const exposedElsewhere = exposureInFlight(elsewhere) - row.exposed
  const isUser = id === input.userAccount
  const budget = isUser ? undefined : budgetGrant(draft, id, asked)
  draft.putAccount(reserveQuota(account, amount))
  draft.putAllotment({
    ...withBudget(row, budget, input.amount),
    amount: row.amount + amount,
    free: row.free + extra,
    openHolds: row.openHolds + 1,
    exposed: row.exposed + (isUser ? exposureOf(input) : 0n),
  })
  // Calls on an unlimited account are admitted without a grant, until the process returns what it has.
  if (!isUnlimited) noteExact(draft, id, context)
  const scarceUntilMs = account.scarceUntilMs > context.nowMs ? account.scarceUntilMs : 0
  return { account: id, amount, isUnlimited, exposedElsewhere, openHoldsElsewhere, budget, scarceUntilMs }
}

/** The part of the quota left after the call that is granted beyond it. */
function shareOf(left: bigint, { wanted, parts }: AllotInput): bigint {
  return left > 0n ? smaller(wanted, left / BigInt(parts)) : 0n
}

type BudgetGrant = NonNullable<AllotmentGrant['budget']>

/** A call of an earlier period, by a clock that is behind, counts in the current one. */
function budgetGrant(draft: BatchState, token: AccountId, input: AllotInput): BudgetGrant | undefined {
  const budget: Budget | undefined = input.limits?.budget
  if (budget === undefined) return undefined
  const use = useOf(draft, token)
  const extra = shareOf(budgetLeft(use, budget) - input.amount, input)
  return { sinceMs: use.account.budgetSinceMs, amount: input.amount + extra }
}

function withBudget(row: AllotmentState, grant: BudgetGrant | undefined, amount: bigint): AllotmentState {
  if (grant === undefined) return row
  const { budgetAmount, budgetFree } = row.budgetSinceMs === grant.sinceMs ? row : NO_ALLOTMENT
  return {
    ...row,
    budgetSinceMs: grant.sinceMs,
    budgetAmount: budgetAmount + grant.amount,
    budgetFree: budgetFree + grant.amount - amount,
  }
}

const NO_ALLOTMENT: Omit<AllotmentState, 'account' | 'instanceId'> = {
  amount: 0n,
  free: 0n,
  openHolds: 0,
  exposed: 0n,
  budgetSinceMs: 0,
  budgetAmount: 0n,
  budgetFree: 0n,
  exactUntilMs: 0,
}
