import { invariant } from '@tollgate/kit/invariant'
import type { SettleInput } from '../inputs.ts'
import { correct } from './account.ts'
import type { Alarm, CommandContext, Decision, RecoverInput } from './command.ts'
import type { BatchState } from './batch-state.ts'
import { closeHold } from './holds.ts'
import { consumeKey, correctionKey, refundedCallKey } from './keys.ts'
import { priceNames, recoveredLog, settledLog } from './log-row.ts'
import type { EntryState, HoldState } from './state.ts'

/**
 * Ends a hold with one consume entry. If recovery has already ended the hold, the difference is written as a
 * correction. A repeated settlement returns the first result.
 */
export function settle(
  draft: BatchState,
  input: SettleInput,
  circumstances: CommandContext,
): Decision<'settle'> {
  invariant(input.amount >= 0n, 'a charge is never negative')
  const open = draft.hold(input.holdId)
  if (open) return settleOpen(draft, { open, input, circumstances })
  const consumed = draft.entry(consumeKey(input.holdId))
  invariant(consumed, 'a call is settled after it was reserved')
  return consumed.flags.includes('recovered')
    ? correctRecovered(draft, { consumed, input, circumstances })
    : repeatedAnswer(consumed, input)
}

interface OpenSettlement {
  readonly open: HoldState
  readonly input: SettleInput
  readonly circumstances: CommandContext
}

function settleOpen(draft: BatchState, { open, input, circumstances }: OpenSettlement): Decision<'settle'> {
  invariant(open.instanceId === circumstances.instanceId, 'only the instance that holds may settle')
  const charged = input.amount < open.ceiling ? input.amount : open.ceiling
  const waived = input.amount - charged
  const flags = waived > 0n ? [...input.flags, 'waived'] : [...input.flags]
  const channelId = input.channelId ?? open.channelId
  closeHold(draft, open, charged)
  draft.addEntry({
    ...consumeEntry(open, charged),
    ...(input.priceJson !== undefined && { priceJson: input.priceJson }),
    channelId,
    flags,
    waived,
    usageJson: input.usageJson,
    createdMs: circumstances.nowMs,
  })
  draft.addPrices(input.partPrices ?? [])
  if (input.log)
    draft.addLog(settledLog({ row: input.log, requestId: open.id, quota: charged, flags, waived }))
  if (input.task) draft.addTask({ task: input.task, requestId: open.id, quota: charged })
  const outcome = { charged, waived, late: false }
  if (waived === 0n) return { outcome }
  const priceJson = input.priceJson ?? open.priceJson
  return { outcome, alarm: waivedAlarm(open, { amount: input.amount, channelId, priceJson }) }
}

/**
 * Charges min(checkpoint, hold): what the caller had certainly received, and never more than was reserved.
 */
export function recover(
  draft: BatchState,
  input: RecoverInput,
  circumstances: CommandContext,
): Decision<'recover'> {
  const open = draft.hold(input.holdId)
  invariant(open, 'a hold is recovered while it is open')
  const charged = open.checkpoint < open.amount ? open.checkpoint : open.amount
  closeHold(draft, open, charged)
  draft.addEntry({
    ...consumeEntry(open, charged),
    flags: ['recovered'],
    note: `ceiling ${open.ceiling}`,
    createdMs: circumstances.nowMs,
  })
  // Logged even when the charge is 0, so that the operator sees every call that a crash gave away.
  draft.addLog(recoveredLog({ hold: open, quota: charged, nowMs: circumstances.nowMs }))
  return { outcome: { charged, waived: 0n, late: false } }
}

interface LateSettlement {
  readonly consumed: EntryState
  readonly input: SettleInput
  readonly circumstances: CommandContext
}

/** Writes the difference between the charge of the recovery and the actual charge. */
export function correctRecovered(
  draft: BatchState,
  { consumed, input, circumstances }: LateSettlement,
): Decision<'settle'> {
  const requestId = input.holdId
  const earlier = draft.entry(correctionKey(requestId))
  const filed = earlier ?? correctionEntry({ consumed, input, circumstances })
  const outcome = { charged: consumed.amount + filed.amount, waived: filed.waived, late: true }
  if (earlier) return { outcome }
  if (draft.entry(refundedCallKey(requestId))) return refundedBefore(consumed)
  for (const id of [consumed.userAccount, consumed.tokenAccount])
    if (id !== undefined) draft.putAccount(correct(draft.account(id), filed.amount))
  draft.addEntry(filed)
  draft.addPrices(input.partPrices ?? [])
  const { flags, waived } = filed
  if (input.log)
    draft.addLog(settledLog({ row: input.log, requestId, quota: outcome.charged, flags, waived }))
  if (input.task) draft.addTask({ task: input.task, requestId, quota: outcome.charged })
  return {
    outcome,
    alarm: { type: 'late_settlement', detail: `call ${requestId} was settled after its recovery` },
  }
}

/** A recovered call that was already refunded gets no correction: its task is over. */
function refundedBefore({ amount, requestId }: EntryState): Decision<'settle'> {
  const alarm = conflict(`call ${requestId} was settled after its refund`)
  return { outcome: { charged: amount, waived: 0n, late: true }, alarm }
}

/** The ceiling was deleted with the hold, but the recovered entry keeps it in its note. */
function correctionEntry({ consumed, input, circumstances }: LateSettlement): EntryState {
  const ceiling = ceilingOf(consumed)
  const actual = input.amount < ceiling ? input.amount : ceiling
  return {
    ...consumed,
    opKey: correctionKey(input.holdId),
    kind: 'correction',
    channelId: input.channelId ?? consumed.channelId,
    amount: actual - consumed.amount,
    flags: [...input.flags, 'late', ...(actual < input.amount ? ['waived'] : [])],
    waived: input.amount - actual,
    priceJson: input.priceJson ?? consumed.priceJson,
    usageJson: input.usageJson,
    note: undefined,
    createdMs: circumstances.nowMs,
  }
}

function ceilingOf(recovered: EntryState): bigint {
  const text = recovered.note?.match(/^ceiling (\d+)$/)?.[1]
  invariant(text, 'a recovered entry notes the ceiling of its hold')
  return BigInt(text)
}

function repeatedAnswer(consumed: EntryState, input: SettleInput): Decision<'settle'> {
  const outcome = { charged: consumed.amount, waived: consumed.waived, late: false }
  if (consumed.amount + consumed.waived === input.amount) return { outcome }
  return { outcome, alarm: conflict(`call ${input.holdId} was settled again with another amount`) }
}

export function consumeEntry(hold: ChargedCall, amount: bigint): EntryState {
  return {
    opKey: consumeKey(hold.id),
    kind: 'consume',
    requestId: hold.id,
    taskId: undefined,
    userAccount: hold.userAccount,
    tokenAccount: hold.tokenAccount,
    channelId: hold.channelId,
    amount,
    flags: [],
    waived: 0n,
    balanceAfter: undefined,
    priceJson: hold.priceJson,
    usageJson: undefined,
    note: undefined,
    createdMs: 0,
  }
}

type ChargedCall = Pick<HoldState, 'id' | 'userAccount' | 'tokenAccount' | 'channelId' | 'priceJson'>

type Waived = Pick<EntryState, 'amount' | 'channelId' | 'priceJson'>

export function waivedAlarm(
  { id, ceiling }: Pick<HoldState, 'id' | 'ceiling'>,
  { amount, channelId, priceJson }: Waived,
): Alarm {
  const { model } = priceNames(priceJson ?? '')
  return {
    type: 'charge_waived',
    detail:
      `call ${id} to model ${model} on channel ${channelId ?? 'unknown'} cost ${amount}, ` +
      `above its ceiling of ${ceiling}`,
  }
}

export function conflict(detail: string): Alarm {
  return { type: 'key_conflict', detail }
}
