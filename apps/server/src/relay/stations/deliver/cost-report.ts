import { inputUnits } from '@tollgate/billing/charge'
import { currencyText } from '@tollgate/billing/currency'
import {
  reportInBody,
  reportInFrames,
  type CostMembers,
  type ReportedCost,
} from '@tollgate/dialects/cost/report-cost'
import type { UnsentAnswer } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { Settled } from '../settle/settle.ts'

type Reporting = Pick<Held, 'call' | 'price' | 'settings'>

/**
 * Reports the charge of a settled call to its caller, where the operator wants that: in the head of a whole
 * response, and in its usage object or in the last one of a stream. Nothing is reported if the ledger has not
 * confirmed the charge.
 */
export function reportCost(
  { call, price, settings }: Reporting,
  settled: Settled | undefined,
  rest: UnsentAnswer | undefined,
): UnsentAnswer | undefined {
  if (settings.costReport === 'off' || settled === undefined) return rest
  noteCost({ call, price, settings }, settled.charged)
  // Gemini's usage has no member for a cost.
  if (settings.costReport === 'header' || call.dialect.name === 'gemini' || rest === undefined) return rest
  return withCost(rest, costOf(settled, price), call.dialect.name === 'responses' ? 'responses' : 'chat')
}

/** Puts the charge into the head of a whole response, where the operator wants that. */
export function noteCost({ call, price, settings }: Reporting, charged: bigint): void {
  if (settings.costReport !== 'off') call.cost = currencyText(charged, price.quotaPerUnit)
}

function costOf({ charged, usage }: Settled, price: Held['price']): ReportedCost {
  const input = usage === undefined ? 0n : inputUnits(price, usage, charged)
  const text = (units: bigint) => currencyText(units, price.quotaPerUnit)
  return { total: text(charged), input: text(input), output: text(charged - input) }
}

function withCost(rest: UnsentAnswer, cost: ReportedCost, members: CostMembers): UnsentAnswer {
  if (rest.type === 'frames' || rest.type === 'error')
    return { ...rest, frames: reportInFrames(rest.frames, cost, members) }
  if (rest.type !== 'whole' || !rest.answer.type.startsWith('application/json')) return rest
  return { ...rest, answer: { ...rest.answer, body: reportInBody(rest.answer.body, cost, members) } }
}
