import type { Price } from '@tollgate/billing/price'
import type { PriceBookData } from '@tollgate/billing/price-book'
import { priceFromJson, listPartHashes, recompute, type PriceLookup } from '@tollgate/billing/recompute'
import { possibleVideoPrices } from '@tollgate/billing/video-price'

/** The cost that a ledger entry of a call records, and the usage and price behind it. */
export interface Charge {
  readonly key: string
  /**
   * The full price: the charged plus the waived units, and for a correction also the charge that it corrects.
   */
  readonly units: bigint
  /** Empty if the price is missing. */
  readonly priceJson: string
  readonly usageJson: string
  /** Returns the JSON of the prices that parts of the usage name. */
  readonly lookUp?: PriceLookup
}

/**
 * Describes what is wrong with a charge, if anything. Compares the charge with its own price, and that price
 * with the version it names.
 */
export function checkCharge(
  { key, units, priceJson, usageJson, lookUp }: Charge,
  bookOf: (version: number) => PriceBookData | undefined,
): string | undefined {
  if (priceJson === '') return `${key} names a price that is not kept`
  const again = recompute(priceJson, usageJson, lookUp)
  if (again !== units) return `${key} says ${units}, its usage costs ${again}`
  const parts = listPartHashes(usageJson).map((hash) => lookUp?.(hash) ?? '')
  for (const json of [priceJson, ...parts]) {
    const price = priceFromJson(json)
    const book = bookOf(price.version)
    if (!book) return `${key} names price version ${price.version}, which is not kept`
    if (!isOfBook(price, book)) return `${key} has another price than version ${price.version}`
  }
  return undefined
}

/**
 * Compares everything but the group ratio. A ratio may apply to a pair of groups, and the entry does not
 * record the second one.
 */
function isOfBook(price: Price, book: PriceBookData): boolean {
  const names = Object.keys(price.toolPrices ?? {})
  const rows = book.fees.filter(({ name }) => names.includes(name))
  const kept = book.find({
    model: price.model,
    group: price.group,
    acceptsUnpriced: true,
    ...(rows.length > 0 && { fees: { key: names.join(' '), rows } }),
  })
  if (kept === undefined) return false
  const charged = sameBut(price, price.groupRatio)
  return possibleVideoPrices(kept).some((sized) => sameBut(sized, price.groupRatio) === charged)
}

function sameBut(
  { rule, quotaPerUnit, toolPrices = {}, tierRatios = {}, contextTiers = [] }: Price,
  groupRatio: string,
): string {
  const maps = [rule, toolPrices, tierRatios, ...contextTiers].map(sorted)
  return JSON.stringify([maps, quotaPerUnit, groupRatio])
}

function sorted(object: object): readonly (readonly [string, unknown])[] {
  return Object.entries(object).toSorted(([left], [right]) => left.localeCompare(right))
}
