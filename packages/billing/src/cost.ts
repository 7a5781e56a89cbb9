import type { Usage } from '@tollgate/dialects/usage'
import { chargeUnits } from './charge.ts'
import { parseDecimal } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import { modelOfPrice } from './video-price.ts'

/**
 * What an upstream charges the operator, as a share of the list price. 0.8 means 20 % less than callers in a
 * group with ratio 1 pay.
 */
export interface CostRatios {
  /** By model name as callers send it. */
  readonly byModel: ReadonlyMap<string, Decimal>
  /** Ratio of every model not in `byModel`; `undefined` when it is not known. */
  readonly others: Decimal | undefined
}

const COST_RATIO_MAX = 1000

/**
 * Parses a cost ratio: a plain decimal from 0 to {@link COST_RATIO_MAX}, as text or as a number. Returns
 * `undefined` for anything else.
 */
export function costRatio(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return undefined
  const decimal = parseDecimal(text.trim())
  const isRatio = decimal !== undefined && decimal.digits >= 0n && Number(text) <= COST_RATIO_MAX
  return isRatio ? text.trim() : undefined
}

/**
 * Cost of a call to the operator, in quota units; `undefined` when the cost ratio of its model is not known.
 */
export function costUnits(ratios: CostRatios | undefined, price: Price, usage: Usage): bigint | undefined {
  const { byModel, others } = ratios ?? {}
  const ratio = byModel?.get(price.model) ?? byModel?.get(modelOfPrice(price)) ?? others
  return ratio === undefined ? undefined : chargeUnits(pricedAt(price, ratio), usage)
}

/**
 * Cached by price object: a price keeps its identity while its price book is in use, so the derived cost
 * price (and its compiled rates) can be reused.
 */
const pricedAtRatio = new WeakMap<Price, Map<Decimal, Price>>()

function pricedAt(price: Price, ratio: Decimal): Price {
  const known = pricedAtRatio.get(price) ?? new Map<Decimal, Price>()
  const cost = known.get(ratio) ?? { ...price, groupRatio: ratio }
  pricedAtRatio.set(price, known.set(ratio, cost))
  return cost
}
