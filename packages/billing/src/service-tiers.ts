import { chosenFor } from './chosen-for.ts'
import { decimalText, largest, multiply, parseDecimal, scaledOf, trimmed } from './decimal.ts'
import type { Decimal } from './price.ts'
import type { DecimalMap } from './price-options.ts'

/** An answer that must be made in the United States; it comes in every other tier too. */
const PLACE = 'geo-us'
/** Tiers that a vendor who asks for the place has. */
const BESIDE = ['fast', 'priority', 'batch']

/**
 * What other service tiers of a model cost, as factors. Where answers may be bound to a place, so may those of each tier,
 * `fast-geo-us`, and cost both factors unless the operator says otherwise.
 */
export function tierRatiosFor(option: DecimalMap, model: string): Record<string, Decimal> | undefined {
  const chosen = chosenFor(option, model)
  if (chosen === undefined || !/claude/i.test(model)) return chosen
  const { [PLACE]: place, ...tiers } = chosen
  const placed = [...new Set([...Object.keys(tiers), ...BESIDE])]
    .filter((tier) => !tier.endsWith(PLACE) && (place ?? tiers[tier]) !== undefined)
    .map((tier) => [`${tier}-${PLACE}`, product(tiers[tier], place)] as const)
  return { ...Object.fromEntries(placed), ...chosen }
}

/** Of more digits than a price may have, the larger factor alone. */
function product(left: Decimal = '1', right: Decimal = '1'): Decimal {
  const [one, other] = [scaledOf(left), scaledOf(right)]
  const text = decimalText(trimmed(multiply(one, other)))
  return parseDecimal(text) === undefined ? decimalText(largest(one, other)) : text
}
