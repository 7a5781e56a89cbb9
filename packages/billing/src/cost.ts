import type { Usage } from '@tollgate/dialects/usage'
import { chargeUnits } from './charge.ts'
import { parseDecimal } from './decimal.ts'
import type { Decimal, Price } from './price.ts'
import { pricedModel } from './video-price.ts'

/** What an upstream asks of the operator, as a share of the price list: 0.8 is a fifth less than callers pay in group ratio 1. */
export interface CostRatios {
  /** By model, as callers name it. */
  readonly byModel: ReadonlyMap<string, Decimal>
  /** Of every other model; `undefined`: not known. */
  readonly others: Decimal | undefined
}

const COST_RATIO_MAX = 1000

/** A plain decimal that can be a share of a price; `undefined` for anything else. Numbers are taken as they print. */
export function costRatio(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return undefined
  const decimal = parseDecimal(text.trim())
  const isRatio = decimal !== undefined && decimal.digits >= 0n && Number(text) <= COST_RATIO_MAX
  return isRatio ? text.trim() : undefined
}

/** What a call cost the operator, in quota units; `undefined` where the ratio of its model is not known. */
export function costUnits(ratios: CostRatios | undefined, price: Price, usage: Usage): bigint | undefined {
  const { byModel, others } = ratios ?? {}
  const ratio = byModel?.get(price.model) ?? byModel?.get(pricedModel(price)) ?? others
  return ratio === undefined ? undefined : chargeUnits(pricedAt(price, ratio), usage)
}

/** A price stays the same object for as long as its book is in use, and so does what it costs. */
const pricedAtRatio = new WeakMap<Price, Map<Decimal, Price>>()

function pricedAt(price: Price, ratio: Decimal): Price {
  const known = pricedAtRatio.get(price) ?? new Map<Decimal, Price>()
  const cost = known.get(ratio) ?? { ...price, groupRatio: ratio }
  pricedAtRatio.set(price, known.set(ratio, cost))
  return cost
}
