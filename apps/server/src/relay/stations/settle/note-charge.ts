import { estimateCountedFees } from '@tollgate/billing/fee-prices'
import { isChargeNoteKind, type ChargeNoteKind } from '@tollgate/kit/codes'
import type { ChargeNotes } from '../../metrics/charge-notes.ts'
import { findToldCost, type PricedCall } from '../../prices/price-usage.ts'
import type { CallFees } from '../../prices/call-fees.ts'
import { listUnpricedFees } from '../../prices/settle-fees.ts'
import type { Charged } from './assess.ts'

export interface SettlementNote {
  readonly kind: ChargeNoteKind
  readonly detail: string
  /** Units that the note is about, where they are not those of the charge. */
  readonly units?: bigint
}

const NOTHING: readonly SettlementNote[] = []
const NO_USES: Readonly<Record<string, number>> = {}

/** What is unusual about a charge, before the ledger has settled it. */
export function describeCharge(
  call: PricedCall & { readonly fees?: Pick<CallFees, 'set' | 'unknownTools'> | undefined },
  charged: Charged,
  notes: Pick<ChargeNotes, 'addNames' | 'addTools'>,
): readonly SettlementNote[] {
  const { flags, usage, parts, servedOther = '', exit } = charged
  const names = [usage, ...parts.map((part) => part.usage)].flatMap((each) => each.unknownCounts ?? [])
  const cost = findToldCost(call, charged, exit)
  const tools = call.fees?.unknownTools.get(exit.channel.provider.id) ?? []
  const counted = estimateCountedFees(charged.price, usage.toolCalls ?? NO_USES)
  if (flags.length + names.length + tools.length === 0 && cost?.isDoubted !== true && counted === 0n)
    return NOTHING
  const described = flags
    .map((flag): string => flag)
    .filter(isChargeNoteKind)
    .map((kind): SettlementNote => ({ kind, detail: describeFlag(kind) }))
  if (counted > 0n) described.push({ kind: 'fee_counted', detail: '', units: counted })
  if (tools.length > 0)
    described.push({ kind: 'tool_unknown', detail: notes.addTools(exit.channel.id, tools).join(', ') })
  if (names.length > 0)
    described.push({ kind: 'usage_unknown', detail: notes.addNames(exit.channel.id, names).join(', ') })
  if (cost?.isDoubted === true) described.push({ kind: 'cost_doubted', detail: `$${cost.amount}` })
  return described

  function describeFlag(kind: ChargeNoteKind): string {
    if (kind === 'fee_unknown') return listUnpricedFees(charged, usage).join(', ')
    return kind === 'served_other' ? servedOther : ''
  }
}

interface SettledCharge {
  readonly channelId: number
  readonly model: string
  readonly notes: readonly SettlementNote[]
  readonly charged: bigint
  readonly waived: bigint
}

/** Counts the notes of a call once the ledger has settled it, with what it was charged. */
export function noteCharge(
  charges: Pick<ChargeNotes, 'note'>,
  { channelId, model, notes, charged, waived }: SettledCharge,
): void {
  for (const note of notes) charges.note({ units: charged, ...note, channelId, model })
  if (waived > 0n) charges.note({ kind: 'waived', detail: '', channelId, model, units: waived })
}
