import type { Usage } from '@tollgate/dialects/usage'
import { type Charge, charge, CHARGE_UNITS_MAX, type ChargeLine, computeExactly } from './charge.ts'
import { add, decimalText, divideHalfAway, type FixedPoint, ZERO } from './decimal.ts'
import type { Decimal, Price } from './price.ts'

/**
 * A part of a call that is charged beside its own usage: the summary of a compacted conversation, or the advice
 * of another model.
 */
export interface PricedPart {
  /** The vendor's name of the step. */
  readonly kind: string
  /** The model that served the part, where the vendor named one. */
  readonly model?: string
  readonly price: Price
  readonly usage: Usage
}

/** The most prices that one call may have: that of the requested model, and those of others it may use. */
export const CALL_PRICES_MAX = 8

/** The charge of a call and its parts. The sum is rounded once, and at least 1 when anything in it was owed. */
export function partsUnits(price: Price, usage: Usage, parts: readonly PricedPart[]): bigint {
  const all = [computeExactly(price, usage), ...parts.map((part) => computeExactly(part.price, part.usage))]
  const divisor = all.reduce((largest, each) => (each.divisor > largest ? each.divisor : largest), 1n)
  const digits = all.reduce((sum, each) => sum + each.digits * (divisor / each.divisor), 0n)
  const units = divideHalfAway(digits, divisor)
  if (units > CHARGE_UNITS_MAX) return CHARGE_UNITS_MAX
  return units === 0n && all.some(({ isOwed }) => isOwed) ? 1n : units
}

/** The part of a call to which a line of its receipt belongs; `undefined` for the call itself. */
export interface PartLine extends ChargeLine {
  readonly part?: { readonly kind: string; readonly model: string | undefined }
}

export interface PartsCharge extends Omit<Charge, 'lines'> {
  readonly lines: readonly PartLine[]
}

/**
 * {@link partsUnits} with its receipt. All prices of a call are those of its group, so they have one group ratio.
 */
export function chargeParts(price: Price, usage: Usage, parts: readonly PricedPart[]): PartsCharge {
  const main = charge(price, usage)
  if (parts.length === 0) return main
  const charges = parts.map((part) => charge(part.price, part.usage))
  const lines = parts.flatMap(({ kind, model }, index) =>
    (charges[index]?.lines ?? []).map((line) => ({ ...line, part: { kind, model } })),
  )
  const units = partsUnits(price, usage, parts)
  const exact = sumText([main, ...charges].map((each) => each.exact))
  return {
    units,
    lines: [...main.lines, ...lines],
    subtotal: sumText([main, ...charges].map((each) => each.subtotal)),
    groupRatio: main.groupRatio,
    exact,
    rounding: describeRounding(exact, units),
  }
}

function describeRounding(exact: Decimal, units: bigint): Charge['rounding'] {
  const { digits, scale } = exactly(exact)
  const divisor = 10n ** BigInt(scale)
  const paid = units * divisor
  if (paid === digits) return 'none'
  if (units === CHARGE_UNITS_MAX && paid < digits) return 'maximum'
  return units === 1n && digits * 2n < divisor ? 'minimum' : 'half-away-from-zero'
}

function sumText(values: readonly Decimal[]): Decimal {
  return decimalText(values.map(exactly).reduce(add, ZERO))
}

/** Sums have more digits than a price may have, so `scaledOf` does not read them. */
function exactly(text: Decimal): FixedPoint {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}
