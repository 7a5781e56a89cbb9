import { feeRows } from '@tollgate/catalogue/fees/fee-rows'
import { contextTiersFor } from './context-tiers.ts'
import { effectiveRule, ruleAt } from './effective-rule.ts'
import { findForModel } from './entries-for-model.ts'
import { type FeeSet, findFeePrices, type ListedFee } from './fee-prices.ts'
import type { Decimal, Price, PriceRule } from './price.ts'
import type { PriceOptions } from './price-options.ts'
import { priceToJson } from './recompute.ts'
import { tierRatiosFor } from './service-tiers.ts'
import { toolPricesOf } from './tool-prices.ts'
import { modelOfPrice } from './video-price.ts'

/**
 * Price lookup over one published version of the pricing options. Immutable; the prices that it returns are
 * frozen and shared.
 */
export interface PriceBookData {
  readonly version: number
  /** The list prices of fees that this version was made with. */
  readonly fees: readonly ListedFee[]
  /**
   * Returns `undefined` when the model has no price or the group no ratio. Such a call is rejected, never
   * free.
   */
  find(question: PriceQuery): Price | undefined
  /** Whether the operator's prices or the built-in ones have this name, which may contain a wildcard. */
  isPriced(model: string): boolean
  hasGroup(group: string): boolean
  /**
   * Names of the additional prices that a model has for certain video qualities, for example `viduq1@1080p`.
   */
  qualitiesOf(model: string): readonly string[]
  /** The public groups plus the user's own, with their descriptions. */
  usableGroups(ownGroup: string): ReadonlyMap<string, string>
}

export interface PriceQuery {
  readonly model: string
  readonly group: string
  /** The user accepts models without a price, at the fallback ratio. */
  readonly acceptsUnpriced: boolean
  /** The user's own group: a site may set a ratio for calls from one group into another. */
  readonly ownGroup?: string
  /** The fees that the vendors may take; their prices are part of the price. */
  readonly fees?: FeeSet
}

/** Ratio of a model without a price, where such models are accepted. It is high enough to be noticed. */
const UNPRICED_RATIO: Decimal = '37.5'
/** Cache bound per group: model names come from callers. Prices beyond it are computed on each lookup. */
const PRICES_KEPT_MAX = 10_000
/** The channels of a model have few sets of vendors. */
const FEE_SETS_MAX = 1_000
const OWN_GROUP_DESCRIPTION = '用户分组'

export function buildPriceBook(
  options: PriceOptions,
  version: number,
  fees: readonly ListedFee[] = feeRows,
): PriceBookData {
  const sheets = priceSheets(options, version)
  const qualities = qualityNames(options)
  const priceFees = createFeePricing(options)
  return {
    version,
    fees,
    find: ({ model, group, acceptsUnpriced, ownGroup, fees: feeSet }) => {
      const sheet = sheets.between(ownGroup, group)
      const price =
        sheet?.listed(model) ?? (acceptsUnpriced || options.isSelfUse ? sheet?.unpriced(model) : undefined)
      return price === undefined || feeSet === undefined ? price : priceFees(price, feeSet)
    },
    isPriced: (model) => effectiveRule(options, model) !== undefined,
    hasGroup: (group) => options.groupRatio.has(group),
    qualitiesOf: (model) => qualities.get(model) ?? [],
    usableGroups: (ownGroup) => withOwnGroup(options.userUsableGroups, ownGroup),
  }
}

type FeePricing = (price: Price, fees: FeeSet) => Price

/** Adds the prices of fees to a price, once for each set of fees. */
function createFeePricing(options: PriceOptions): FeePricing {
  const pricesByPrice = new WeakMap<Price, Map<string, Price>>()
  return (price, fees) => {
    const bySet = pricesByPrice.get(price) ?? new Map<string, Price>()
    pricesByPrice.set(price, bySet)
    const cachedPrice = bySet.get(fees.key)
    if (cachedPrice !== undefined) return cachedPrice
    const priced: Price = Object.freeze({ ...price, ...findFeePrices(options, price.model, fees.rows) })
    priceToJson(priced)
    if (bySet.size < FEE_SETS_MAX) bySet.set(fees.key, priced)
    return priced
  }
}

function qualityNames({ modelPrice, modelRatio }: PriceOptions): ReadonlyMap<string, readonly string[]> {
  const names = [...new Set([...modelPrice.keys(), ...modelRatio.keys()])].toSorted()
  const ofVideos = names.filter((name) => modelOfPrice({ model: name }) !== name)
  return Map.groupBy(ofVideos, (name) => modelOfPrice({ model: name }))
}

function withOwnGroup(groups: ReadonlyMap<string, string>, ownGroup: string): ReadonlyMap<string, string> {
  if (groups.has(ownGroup) || ownGroup === '') return groups
  return new Map([...groups, [ownGroup, OWN_GROUP_DESCRIPTION]])
}

/** The prices of one group, each computed once and then cached. */
interface PriceSheet {
  listed(model: string): Price | undefined
  unpriced(model: string): Price
}

interface PriceSheets {
  between(ownGroup: string | undefined, group: string): PriceSheet | undefined
}

/** A group without a ratio has no sheet, even when a group-to-group ratio names it. */
function priceSheets(options: PriceOptions, version: number): PriceSheets {
  const sheetOf = (group: string, groupRatio: Decimal) => priceSheet({ options, version, group, groupRatio })
  const sheets = new Map([...options.groupRatio].map(([group, ratio]) => [group, sheetOf(group, ratio)]))
  const special = new Map(
    [...options.groupGroupRatio].map(([ownGroup, ratios]) => [
      ownGroup,
      new Map([...ratios].map(([group, ratio]) => [group, sheetOf(group, ratio)])),
    ]),
  )
  return {
    between: (ownGroup, group) => {
      const sheet = sheets.get(group)
      return (sheet && ownGroup !== undefined && special.get(ownGroup)?.get(group)) || sheet
    },
  }
}

interface SheetInput {
  readonly options: PriceOptions
  readonly version: number
  readonly group: string
  readonly groupRatio: Decimal
}

function priceSheet(input: SheetInput): PriceSheet {
  const listed = new Map<string, Price>()
  const unpriced = new Map<string, Price>()
  return {
    listed: (model) => listed.get(model) ?? keep(listed, model, listedPrice(input, model)),
    unpriced: (model) => unpriced.get(model) ?? keep(unpriced, model, unpricedPrice(input, model)),
  }
}

function keep<T extends Price | undefined>(prices: Map<string, Price>, model: string, price: T): T {
  if (price && prices.size < PRICES_KEPT_MAX) prices.set(model, price)
  return price
}

function listedPrice(input: SheetInput, model: string): Price | undefined {
  const effective = effectiveRule(input.options, model)
  return effective && frozenPrice(input, effective.name, effective.rule)
}

function unpricedPrice(input: SheetInput, model: string): Price {
  return frozenPrice(input, model, ruleAt(input.options, model, UNPRICED_RATIO))
}

/**
 * Freezes the price and serialises its JSON in advance, so that neither costs time when a call is admitted.
 */
function frozenPrice(
  { options, version, group, groupRatio }: SheetInput,
  model: string,
  rule: PriceRule,
): Price {
  const toolPrices = toolPricesOf(options.toolPrices, model)
  const tierRatios = tierRatiosFor(options.serviceTierRatio, model)
  const contextTiers = rule.type === 'ratio' ? contextTiersFor(options.contextTierRatio, model) : undefined
  const vendorCostRatio = findForModel(options.vendorCostRatio, model)
  const price: Price = Object.freeze({
    version,
    model,
    group,
    groupRatio,
    quotaPerUnit: options.quotaPerUnit,
    rule: Object.freeze(rule),
    toolPrices: toolPrices && Object.freeze(toolPrices),
    tierRatios: tierRatios && Object.freeze(tierRatios),
    contextTiers,
    ...(vendorCostRatio !== undefined && { vendorCostRatio }),
  })
  priceToJson(price)
  return price
}
