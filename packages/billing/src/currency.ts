import { decimalText, divideHalfAway, scaledOf } from './decimal.ts'
import type { Decimal } from './price.ts'

/** Enough for every amount to be turned back into the same units. */
const FRACTION_DIGITS = 18

/**
 * Converts quota units to currency. The text is exact where the amount has at most {@link FRACTION_DIGITS}
 * decimal places, as for every `quotaPerUnit` that divides a power of ten: 1 of 500,000 gives "0.000002".
 * Otherwise it is rounded at the last place.
 */
export function currencyText(units: bigint, quotaPerUnit: Decimal): Decimal {
  const perCurrency = scaledOf(quotaPerUnit)
  const numerator = units * 10n ** BigInt(perCurrency.scale + FRACTION_DIGITS)
  return decimalText({ digits: divideHalfAway(numerator, perCurrency.digits), scale: FRACTION_DIGITS })
}
