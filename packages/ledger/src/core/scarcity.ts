import type { AccountId } from '../account.ts'
import type { RecallInput } from '../inputs.ts'
import type { HeldElsewhere, ScarceAccount } from '../results.ts'
import type { BatchState } from './batch-state.ts'
import type { CommandContext, Decision, Refusal } from './command.ts'
import type { AccountState, AllotmentState } from './state.ts'

/**
 * A refusal makes an account scarce when other processes have quota of it. Until that ends, processes return free
 * quota at once and are granted exactly what each call needs. A process whose row is `exact` knows that: what it
 * still has belongs to calls in flight.
 */
const SCARCE_MS = 5_000
/** Within this rest of the time the account is marked again. */
const MARKED_MS_MIN = SCARCE_MS / 2
/** Grants stay exact for this much longer, because the clocks of nodes differ. */
const CLOCKS_DIFFER_MS = 2_000

export function isScarce({ scarceUntilMs }: Pick<AccountState, 'scarceUntilMs'>, nowMs: number): boolean {
  return scarceUntilMs > 0 && nowMs < scarceUntilMs + CLOCKS_DIFFER_MS
}

type Refused = Pick<RefusedCall, 'userAccount' | 'tokenAccount'>

interface RefusedCall {
  readonly userAccount: AccountId
  readonly tokenAccount?: AccountId
}

/** Adds to a refusal what other processes have of the account, and marks the account as scarce. */
export function withElsewhere<R extends Refusal>(
  draft: BatchState,
  refusal: R,
  { call, context }: { readonly call: Refused; readonly context: CommandContext },
): R {
  const account = refusingAccount(refusal, call)
  const others = othersOn(draft, account, context).filter(hasQuotaOrCalls)
  if (others.length === 0) return refusal
  const mayReturn = others.some((row) => !isExact(row, context))
  const untilMs = mayReturn ? markScarce(draft, account, context) : draft.account(account).scarceUntilMs
  const elsewhere: HeldElsewhere = { account, untilMs, mayReturn }
  return { ...refusal, elsewhere }
}

function refusingAccount(refusal: Refusal, { userAccount, tokenAccount = userAccount }: Refused): AccountId {
  if (refusal.type === 'crowded') return tokenAccount
  return refusal.by === 'user' || refusal.by === 'overdraft' ? userAccount : tokenAccount
}

/** Marks accounts of which other processes may use quota without asking. */
export function recall(
  draft: BatchState,
  { accounts }: RecallInput,
  context: CommandContext,
): Decision<'recall'> {
  const waiting = accounts.filter((account) =>
    othersOn(draft, account, context).some((row) => !isExact(row, context)),
  )
  for (const account of waiting) markScarce(draft, account, context)
  return { outcome: { type: 'recalled', waiting } }
}

/** The account, if it is scarce and the process does not return free quota of it at once. */
export function unknownScarcity(
  draft: BatchState,
  account: AccountId,
  { instanceId, nowMs }: CommandContext,
): readonly ScarceAccount[] {
  const { scarceUntilMs: untilMs } = draft.account(account)
  const row = draft.allotment(account, instanceId)
  return untilMs <= nowMs || !row || row.exactUntilMs >= untilMs ? [] : [{ account, untilMs }]
}

/** The process has no free quota now, and learns from the result that it must not keep any. */
export function noteExact(
  draft: BatchState,
  account: AccountId,
  context: CommandContext,
): readonly ScarceAccount[] {
  const unknown = unknownScarcity(draft, account, context)
  const row = draft.allotment(account, context.instanceId)
  for (const { untilMs } of unknown) if (row) draft.putAllotment({ ...row, exactUntilMs: untilMs })
  return unknown
}

function markScarce(draft: BatchState, id: AccountId, { nowMs }: CommandContext): number {
  const account = draft.account(id)
  if (account.scarceUntilMs >= nowMs + MARKED_MS_MIN) return account.scarceUntilMs
  const scarceUntilMs = nowMs + SCARCE_MS
  draft.putAccount({ ...account, scarceUntilMs })
  return scarceUntilMs
}

function othersOn(
  draft: BatchState,
  account: AccountId,
  { instanceId }: CommandContext,
): readonly AllotmentState[] {
  return draft.allotments(account).filter((row) => row.instanceId !== instanceId)
}

function hasQuotaOrCalls({ amount, openHolds, budgetAmount }: AllotmentState): boolean {
  return amount > 0n || openHolds > 0 || budgetAmount > 0n
}

function isExact({ exactUntilMs, free, budgetFree }: AllotmentState, { nowMs }: CommandContext): boolean {
  return exactUntilMs > nowMs && free === 0n && budgetFree === 0n
}
