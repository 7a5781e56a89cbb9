import { chargeUnits } from '@tollgate/billing/charge'
import type { StoredPart } from '@tollgate/billing/buckets'
import { usedOf } from '@tollgate/billing/buckets'
import { type CostRatios, costUnits } from '@tollgate/billing/cost'
import { dropImpossibleCounts, modelLimits, type UsageBounds } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { raiseToVendorCost } from '@tollgate/billing/vendor-cost'
import { priceHash } from '@tollgate/billing/price-hash'
import { partsUnits, type PricedPart } from '@tollgate/billing/priced-parts'
import { priceToJson } from '@tollgate/billing/recompute'
import { inputTokens, outputTokens, type Usage, type UsagePart } from '@tollgate/dialects/usage'
import type { Delivered } from '../outcome.ts'
import type { OwnerEntry, PriceBook } from '../../snapshots/snapshots.ts'
import type { CallFees } from './call-fees.ts'
import { findNamedPrice, type NamedPrice } from './further-models.ts'
import { isSameModel } from './same-model.ts'
import { hasToldCosts, readToldCost, type ToldCost } from './told-cost.ts'

/** What a call used, each part at the price it is charged at. */
export interface PricedUsage {
  /** The price of `usage`: that of the requested model, or of another one that the caller named. */
  readonly price: Price
  readonly usage: Usage
  readonly parts: readonly PricedPart[]
  readonly units: bigint
  /** A model that the upstream chose. */
  readonly servedOther?: string
  /** A name in the answer that is neither one of the call's models nor a known one. */
  readonly unknownName?: string
  /** Part of the report was no count and is not charged. */
  readonly isPartLost: boolean
}

/** What the prices of a call are found by. */
export interface PricedCall {
  readonly price: Price
  readonly namedPrices?: readonly NamedPrice[]
  readonly ask: { readonly model: string }
  readonly candidates: { readonly model: string }
  readonly bounds: Pick<UsageBounds, 'limits'>
  readonly prices: PriceBook
  readonly group: string
  readonly caller: { readonly owner: Pick<OwnerEntry, 'group'> }
  readonly fees?: Pick<CallFees, 'set'> | undefined
}

const NO_PARTS: readonly PricedPart[] = []

/**
 * Who chose a model pays for it: one that the caller named is charged at its own price on the hold. A model that
 * only the upstream chose is charged as the requested one.
 */
export function priceUsage(call: PricedCall, { parts, ...usage }: Usage, exit: Delivered): PricedUsage {
  const main = priceServed(call, usage, exit)
  if (parts === undefined)
    return { ...main, usage, parts: NO_PARTS, units: chargeUnits(main.price, usage), isPartLost: false }
  const believed = parts.map((part) => ({ ...part, usage: believePart(part, call) }))
  const counted = believed.filter(({ usage: own }) => inputTokens(own) + outputTokens(own) > 0)
  const priced = counted.map((part) => pricePart(call, part, exit))
  const stranger = priced.find(({ isStranger }) => isStranger)?.part.model
  const servedOther = main.servedOther ?? stranger
  const pricedParts = priced.map(({ part, price }) => ({
    kind: part.kind,
    price: price ?? main.price,
    usage: part.usage,
    ...(part.model !== undefined && { model: part.model }),
  }))
  return {
    ...main,
    usage,
    parts: pricedParts,
    units: partsUnits(main.price, usage, pricedParts),
    isPartLost: believed.some((part) => part.usage.lost !== undefined),
    ...(servedOther !== undefined && { servedOther }),
  }
}

function priceServed(
  call: PricedCall,
  usage: Usage,
  exit: Delivered,
): Pick<PricedUsage, 'price' | 'servedOther' | 'unknownName'> {
  const { price } = call
  const { model: served } = exit.reading
  if (served === undefined || served === '' || isRequested(call, exit, served)) return { price }
  const named = findNamedPrice(call.namedPrices, served)
  if (named !== undefined) return { price: named.price }
  if (!isKnownModel(call, served)) return { price, unknownName: served }
  return { price: cheaperServed(call, { served, usage, exit }) ?? price, servedOther: served }
}

/** A deployment may answer with any name of its own, which says nothing about the model. */
function isKnownModel(call: PricedCall, served: string): boolean {
  return findPrice(call, served) !== undefined || modelLimits(served).isUnknown !== true
}

interface ServedUsage {
  readonly served: string
  readonly usage: Usage
  readonly exit: Delivered
}

/** The price of the served model, where the channel charges it if it is cheaper. */
function cheaperServed(call: PricedCall, { served, usage, exit }: ServedUsage): Price | undefined {
  if (!exit.channel.settings.chargesServedIfCheaper) return undefined
  const price = findPrice(call, served)
  return price !== undefined && chargeUnits(price, usage) < chargeUnits(call.price, usage) ? price : undefined
}

/** An operator's own name for a model, or the name that was sent for it. */
function isRequested(
  { ask, candidates }: PricedCall,
  { upstreamModel: sent }: Delivered,
  served: string,
): boolean {
  return [sent, candidates.model, ask.model].some((name) => isSameModel(served, name))
}

interface FoundPrice {
  readonly part: UsagePart
  /** Absent for the price of the call. */
  readonly price?: Price
  /** Neither the requested model nor one that the caller named. */
  readonly isStranger: boolean
}

function pricePart(call: PricedCall, part: UsagePart, exit: Delivered): FoundPrice {
  const { model } = part
  if (model === undefined) return { part, isStranger: false }
  if (isRequested(call, exit, model)) return { part, price: call.price, isStranger: false }
  const named = findNamedPrice(call.namedPrices, model)
  // In the row and the receipt it has the name that the caller wrote.
  if (named !== undefined)
    return { part: { ...part, model: named.model }, price: named.price, isStranger: false }
  return { part, price: call.price, isStranger: true }
}

/** A part may be the sum of many steps, each of which reads its whole context. */
const READINGS_MAX = 100

/** The counts of a part that are possible; the gateway has no count of its own for the others. */
function believePart({ model, usage }: UsagePart, { bounds }: PricedCall): Usage {
  const limits = model === undefined ? bounds.limits : modelLimits(model)
  return dropImpossibleCounts(usage, { limits, inputTokensCounted: 0, choices: 1, readings: READINGS_MAX })
}

const LIST_PRICE: CostRatios = { byModel: new Map(), others: '1' }

/** What the vendor told that the call cost, beside what it costs by the operator's figures, or by the list price. */
export function findToldCost(call: PricedCall, priced: PricedUsage, exit: Delivered): ToldCost | undefined {
  const { raw } = priced.usage
  const provider = exit.channel.provider.id
  if (raw === undefined || !hasToldCosts(provider)) return undefined
  const own = sumCost(call, priced, { exit, costs: exit.channel.costs })
  const ownUnits = own ?? sumCost(call, priced, { exit, costs: LIST_PRICE }) ?? 0n
  const { quotaPerUnit } = priced.price
  return readToldCost({ provider, raw, quotaPerUnit, ownUnits })
}

/** Raises a charge to what its price demands of the cost that the vendor told. */
export function raiseToCost(call: PricedCall, priced: PricedUsage, exit: Delivered): PricedUsage {
  if (priced.price.vendorCostRatio === undefined) return priced
  const cost = findToldCost(call, priced, exit)
  if (cost?.isDoubted !== false) return priced
  const parts = raiseToVendorCost({ ...priced, toldUnits: cost.units })
  if (parts === undefined) return priced
  return { ...priced, parts, units: partsUnits(priced.price, priced.usage, parts) }
}

/** What the upstream takes for the call: what it told, or what the operator's figures say. */
export function computeCost(call: PricedCall, priced: PricedUsage, exit: Delivered): bigint | undefined {
  const toldCost = findToldCost(call, priced, exit)
  return toldCost?.isDoubted === false
    ? toldCost.units
    : sumCost(call, priced, { exit, costs: exit.channel.costs })
}

interface CostInput {
  readonly exit: Delivered
  readonly costs: CostRatios | undefined
}

/** A model that the upstream chose costs what that model costs. */
function sumCost(
  call: PricedCall,
  { price, usage, parts, servedOther }: PricedUsage,
  { exit, costs }: CostInput,
): bigint | undefined {
  const servedPrice = exit.reading.model === servedOther ? findPrice(call, servedOther) : undefined
  const main = costUnits(costs, servedPrice ?? price, usage)
  if (parts.length === 0 || main === undefined) return main
  return parts.reduce<bigint | undefined>((sum, part) => {
    const own = costUnits(
      costs,
      part.model === servedOther ? (findPrice(call, part.model) ?? part.price) : part.price,
      part.usage,
    )
    return sum === undefined || own === undefined ? undefined : sum + own
  }, main)
}

/** The price of a model that nobody asked for, in the price book of the call. */
function findPrice(
  { prices, group, caller, fees }: PricedCall,
  model: string | undefined,
): Price | undefined {
  if (model === undefined) return undefined
  const question = { model, group, acceptsUnpriced: false, ownGroup: caller.owner.group }
  return prices.find(fees === undefined ? question : { ...question, fees: fees.set })
}

/** The parts as the entry stores them. */
export function writeParts({ price, parts }: PricedUsage): readonly StoredPart[] {
  return parts.map((part) => ({
    kind: part.kind,
    ...(part.model !== undefined && { model: part.model }),
    ...(part.price !== price && { price: priceHash(priceToJson(part.price)) }),
    ...usedOf(part.usage),
  }))
}

/** The prices that the stored parts name. */
export function listPartPrices({ price, parts }: PricedUsage): readonly string[] | undefined {
  const further = parts.filter((part) => part.price !== price)
  return further.length === 0 ? undefined : [...new Set(further.map((part) => priceToJson(part.price)))]
}
