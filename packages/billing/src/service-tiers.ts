import { entriesForModel } from './entries-for-model.ts'
import { decimalText, largest, multiply, parseDecimal, scaledOf, trimmed } from './decimal.ts'
import type { Decimal } from './price.ts'
import type { DecimalMap } from './price-options.ts'

/** Tier for inference bound to the United States. It can be combined with every other tier. */
const PLACE = 'geo-us'
/** Tiers of the vendor that offers `geo-us` (Anthropic). */
const BESIDE = ['fast', 'priority', 'batch']

/**
 * Factors of the service tiers of a model. For Claude, every tier also exists bound to the United States, for
 * example `fast-geo-us`; it costs the product of both factors unless the operator sets a factor for it.
 */
export function tierRatiosFor(option: DecimalMap, model: string): Record<string, Decimal> | undefined {
  const chosen = entriesForModel(option, model)
  if (chosen === undefined || !/claude/i.test(model)) return chosen
  const { [PLACE]: place, ...tiers } = chosen
  const placed = [...new Set([...Object.keys(tiers), ...BESIDE])]
    .filter((tier) => !tier.endsWith(PLACE) && (place ?? tiers[tier]) !== undefined)
    .map((tier) => [`${tier}-${PLACE}`, product(tiers[tier], place)] as const)
  return { ...Object.fromEntries(placed), ...chosen }
}

/** When the product has more digits than a decimal may have, the larger factor alone is used. */
function product(left: Decimal = '1', right: Decimal = '1'): Decimal {
  const [one, other] = [scaledOf(left), scaledOf(right)]
  const text = decimalText(trimmed(multiply(one, other)))
  return parseDecimal(text) === undefined ? decimalText(largest(one, other)) : text
}
