import { invariant } from '@tollgate/kit/invariant'
import type { AccountId } from '../account.ts'
import type { AdjustInput, CreditInput, RefundInput, TransferInput } from '../inputs.ts'
import { correct, grant } from './account.ts'
import { shownBalance, useOf } from './account-use.ts'
import { isTokenAccount, isUserAccount } from './account-kind.ts'
import type { CommandContext, Decision } from './command.ts'
import type { BatchState } from './batch-state.ts'
import {
  adjustKey,
  consumeKey,
  correctionKey,
  creditKey,
  refundKey,
  refundedCallKey,
  transferInKey,
  transferOutKey,
} from './keys.ts'
import { isPayment, isVouchedFor } from './payments.ts'
import { conflict } from './settlements.ts'
import type { AccountState, EntryState } from './state.ts'

/** Applied exactly once per key. The same key with other content is refused. */
export function credit(draft: BatchState, input: CreditInput, { nowMs }: CommandContext): Decision<'credit'> {
  invariant(input.amount >= 0n, 'a credit is never negative')
  const { account, amount } = input
  const opKey = creditKey(input.key)
  const known = draft.entry(opKey)
  if (known) return repeatedCredit(known, { account, amount })
  if (isTooSoon(draft, input, nowMs)) return { outcome: { type: 'conflict' } }
  const before = draft.account(account)
  const after = { ...grant(before, amount), hasPaid: before.hasPaid || isPayment(input) }
  draft.putAccount(after)
  draft.addEntry({ ...grantEntry(draft, { opKey, amount, after, nowMs }), kind: 'credit', note: input.note })
  return { outcome: { type: 'credited', repeated: false } }
}

function isTooSoon(draft: BatchState, { spacing }: CreditInput, nowMs: number): boolean {
  return (spacing?.keys ?? []).some((key) => {
    const earlier = draft.entry(creditKey(key))
    return earlier !== undefined && nowMs - earlier.createdMs < (spacing?.spacingMs ?? 0)
  })
}

function repeatedCredit(
  known: EntryState,
  { account, amount }: { account: AccountId; amount: bigint },
): {
  outcome: { type: 'credited'; repeated: true } | { type: 'conflict' }
  alarm?: ReturnType<typeof conflict>
} {
  if (known.userAccount === account && known.amount === amount)
    return { outcome: { type: 'credited', repeated: true } }
  return {
    outcome: { type: 'conflict' },
    alarm: conflict(`the key ${known.opKey} came again with other content`),
  }
}

/** A user's balance may become debt; a token's may not. */
export function adjust(draft: BatchState, input: AdjustInput, { nowMs }: CommandContext): Decision<'adjust'> {
  const { account, delta, expected, unlimited } = input
  invariant(unlimited === undefined || isTokenAccount(account), 'only tokens can be unlimited')
  const opKey = adjustKey(input.key)
  const known = draft.entry(opKey)
  if (known) return repeatedAdjust(known, input)
  const before = draft.account(account)
  const actual = shownBalance(useOf(draft, account))
  if (expected !== undefined && expected !== actual) return { outcome: { type: 'changed', actual } }
  if (!isUserAccount(account) && delta < 0n && actual + delta < 0n)
    return { outcome: { type: 'refused', remaining: actual > 0n ? actual : 0n } }
  const hasPaid = before.hasPaid || isVouchedFor(input)
  const after = { ...grant(before, delta), hasPaid, isUnlimited: unlimited ?? before.isUnlimited }
  draft.putAccount(after)
  const flags = after.isUnlimited === before.isUnlimited ? [] : [after.isUnlimited ? 'unlimited' : 'limited']
  draft.addEntry({
    ...grantEntry(draft, { opKey, amount: delta, after, nowMs }),
    kind: 'adjust',
    flags,
    note: input.note,
  })
  if (input.notice) draft.addNotice(input.notice)
  return { outcome: { type: 'adjusted', before: actual, after: actual + delta, repeated: false } }
}

function repeatedAdjust(known: EntryState, { account, delta }: AdjustInput): Decision<'adjust'> {
  const after = known.balanceAfter
  if (known.userAccount !== account || known.amount !== delta || after === undefined)
    return {
      outcome: { type: 'conflict' },
      alarm: conflict(`the key ${known.opKey} came again with other content`),
    }
  return { outcome: { type: 'adjusted', before: after - delta, after, repeated: true } }
}

/** Refunds a task, at most what the ledger shows as charged for its call. A call has at most one task. */
export function refund(draft: BatchState, input: RefundInput, { nowMs }: CommandContext): Decision<'refund'> {
  invariant(input.amount >= 0n, 'a refund is never negative')
  const opKey = refundKey(input.taskId)
  const known = draft.entry(opKey)
  if (known) return repeatedRefund(known, input)
  const consumed = draft.entry(consumeKey(input.requestId))
  invariant(consumed, 'only a call that was settled is refunded')
  const marker = refundedCallKey(input.requestId)
  if (draft.entry(marker)) return refundConflict(input)
  if (input.end && !draft.isTaskAt(input.end)) return { outcome: { type: 'changed' } }
  const charged = consumed.amount + (draft.entry(correctionKey(input.requestId))?.amount ?? 0n)
  invariant(input.amount <= charged, 'a refund is at most what the call was charged')
  for (const id of [consumed.userAccount, consumed.tokenAccount])
    if (id !== undefined) draft.putAccount(correct(draft.account(id), -input.amount))
  draft.addEntry({
    ...consumed,
    opKey,
    kind: 'refund',
    taskId: input.taskId,
    amount: input.amount,
    flags: [],
    waived: 0n,
    usageJson: undefined,
    note: undefined,
    createdMs: nowMs,
  })
  const after = draft.account(consumed.userAccount)
  const note = `for task ${input.taskId}`
  draft.addEntry({ ...grantEntry(draft, { opKey: marker, amount: 0n, after, nowMs }), kind: 'adjust', note })
  if (input.end) draft.endTask(input.end)
  if (input.notice) draft.addNotice(input.notice)
  if (input.log) draft.addLog(input.log)
  return { outcome: { type: 'credited', repeated: false } }
}

function repeatedRefund(known: EntryState, input: RefundInput): Decision<'refund'> {
  if (known.requestId === input.requestId && known.amount === input.amount)
    return { outcome: { type: 'credited', repeated: true } }
  return refundConflict(input)
}

function refundConflict({ taskId, requestId }: RefundInput): Decision<'refund'> {
  const alarm = conflict(`task ${taskId} or its call ${requestId} was refunded otherwise before`)
  return { outcome: { type: 'conflict' }, alarm }
}

/** Writes a consume entry on the affiliate account and a credit on the user's account. */
export function transfer(
  draft: BatchState,
  input: TransferInput,
  { nowMs }: CommandContext,
): Decision<'transfer'> {
  invariant(input.amount > 0n && input.from !== input.to, 'a transfer moves something somewhere')
  const { amount } = input
  const outKey = transferOutKey(input.key)
  const known = draft.entry(outKey)
  if (known) return repeatedTransfer(known, input)
  const from = draft.account(input.from)
  if (from.remaining < amount) return { outcome: { type: 'refused', remaining: from.remaining } }
  const source = correct(from, amount)
  const target = grant(draft.account(input.to), amount)
  draft.putAccount(source)
  draft.putAccount(target)
  const note = `to ${input.to}`
  draft.addEntry({
    ...grantEntry(draft, { opKey: outKey, amount, after: source, nowMs }),
    kind: 'consume',
    note,
  })
  const inKey = transferInKey(input.key)
  draft.addEntry({ ...grantEntry(draft, { opKey: inKey, amount, after: target, nowMs }), kind: 'credit' })
  return { outcome: { type: 'transferred', repeated: false } }
}

function repeatedTransfer(known: EntryState, { from, to, amount }: TransferInput): Decision<'transfer'> {
  if (known.userAccount === from && known.note === `to ${to}` && known.amount === amount)
    return { outcome: { type: 'transferred', repeated: true } }
  return {
    outcome: { type: 'conflict' },
    alarm: conflict(`the key ${known.opKey} came again with other content`),
  }
}

interface Grant {
  readonly opKey: string
  readonly amount: bigint
  readonly after: AccountState
  readonly nowMs: number
}

function grantEntry(draft: BatchState, { opKey, amount, after, nowMs }: Grant): EntryState {
  return {
    opKey,
    kind: 'credit',
    requestId: undefined,
    taskId: undefined,
    userAccount: after.id,
    tokenAccount: undefined,
    channelId: undefined,
    amount,
    flags: [],
    waived: 0n,
    balanceAfter: shownBalance({ account: after, allotments: draft.allotments(after.id) }),
    priceJson: undefined,
    usageJson: undefined,
    note: undefined,
    createdMs: nowMs,
  }
}
