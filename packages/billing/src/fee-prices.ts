import { findFeeRow } from '@tollgate/catalogue/fees/fee-rows'
import type { FeeRow } from '@tollgate/catalogue/fees/fee-row'
import { invariant } from '@tollgate/kit/invariant'
import { isRecord } from '@tollgate/kit/json'
import { noUsage } from './buckets.ts'
import { chargeUnits } from './charge.ts'
import { listEntriesForModel } from './entries-for-model.ts'
import type { Decimal, Price } from './price.ts'
import type { PriceOptions } from './price-options.ts'

/** What a fee is priced by. */
export type ListedFee = Pick<FeeRow, 'name' | 'commonName' | 'price'>

/** The fees that the vendors of a call's candidates may take. Sets with the same key have the same rows. */
export interface FeeSet {
  readonly key: string
  readonly rows: readonly ListedFee[]
}

type FeeOptions = Pick<PriceOptions, 'toolPrices' | 'areListedFeesCharged'>

/** The part of a price that is about fees. */
type FeePrices = Pick<Price, 'toolPrices' | 'countedFees'>

/**
 * The prices of fees for one model, in currency units for 1,000 of each: the operator's for the name of the fee or
 * for all fees of its kind, else the vendor's list price. 0 switches a fee off. Where listed fees are only
 * counted, those that the operator did not price cost nothing and are named as counted. A fee without a known
 * price is left out.
 */
export function findFeePrices(options: FeeOptions, model: string, rows: readonly ListedFee[]): FeePrices {
  const operator = listEntriesForModel(options.toolPrices, model)
  const toolPrices: Record<string, Decimal> = {}
  for (const [name, price] of operator) if (price !== '0') toolPrices[name] = price
  const countedFees: string[] = []
  for (const row of rows) {
    const own = operator.get(row.name)
    if (own !== undefined) toolPrices[row.name] = own
    else if (!options.areListedFeesCharged) {
      toolPrices[row.name] = '0'
      countedFees.push(row.name)
    } else {
      const common = row.commonName === undefined ? undefined : operator.get(row.commonName)
      const price = common ?? findListPrice(row, model)
      if (price !== undefined) toolPrices[row.name] = price
    }
  }
  return { toolPrices, ...(countedFees.length > 0 && { countedFees }) }
}

/** The vendor's price for a model; the longest beginning of its name counts. */
export function findListPrice({ price }: ListedFee, model: string): Decimal | undefined {
  if (price === 'unknown') return undefined
  const prefixes = Object.keys(price.byModel ?? {}).filter((prefix) => model.startsWith(prefix))
  const [longest] = prefixes.toSorted((left, right) => right.length - left.length)
  return (longest === undefined ? undefined : price.byModel?.[longest]) ?? price.perThousand
}

/**
 * What the fees of a call that were counted, and not charged, would have cost at the price for all fees of their
 * kind, or else at their list price; less what was charged for the same uses under former names.
 */
export function estimateCountedFees(price: Price, counts: Readonly<Record<string, number>>): bigint {
  const { countedFees = [], toolPrices = {}, model } = price
  const counted = countedFees.filter((name) => (counts[name] ?? 0) > 0)
  if (counted.length === 0) return 0n
  const listed: Record<string, Decimal> = {}
  const uses: Record<string, number> = {}
  const formerNames = new Set<string>()
  for (const name of counted) {
    const row = findFeeRow(name)
    const common = row?.commonName
    const isCommonSet = common !== undefined && common in toolPrices && !countedFees.includes(common)
    const each = isCommonSet ? toolPrices[common] : row && findListPrice(row, model)
    if (each === undefined) continue
    listed[name] = each
    uses[name] = counts[name] ?? 0
    if (row?.formerName !== undefined) formerNames.add(row.formerName)
  }
  const former = Object.fromEntries(Object.entries(counts).filter(([name]) => formerNames.has(name)))
  const full = chargeUnits({ ...price, toolPrices: listed }, { ...noUsage, toolCalls: uses })
  const base = callUnits(price)
  const hasFormer = Object.keys(former).length > 0
  const formerUnits = hasFormer ? chargeUnits(price, { ...noUsage, toolCalls: former }) - base : 0n
  const units = full - base - formerUnits
  return units > 0n ? units : 0n
}

/** What a price per call takes for any use. */
function callUnits(price: Price): bigint {
  return price.rule.type === 'call' ? chargeUnits(price, { ...noUsage, inputText: 1 }) : 0n
}

/** The list prices that a version of the price book is made with, as they are kept with it. */
export function writeListedFees(rows: readonly ListedFee[]): string {
  return JSON.stringify(rows.map(({ name, commonName, price }) => ({ name, commonName, price })))
}

/** Price books of older releases have none. */
export function readListedFees(text: string | undefined): readonly ListedFee[] {
  if (text === undefined) return []
  const value: unknown = JSON.parse(text)
  invariant(Array.isArray(value) && value.every(isListedFee), 'kept fees have a name and a price')
  return value
}

function isListedFee(value: unknown): value is ListedFee {
  if (!isRecord(value) || typeof value['name'] !== 'string') return false
  const { price } = value
  return price === 'unknown' || (isRecord(price) && typeof price['perThousand'] === 'string')
}
