import {
  decimalFromNumber,
  decimalText,
  divideHalfAway,
  type FixedPoint,
  parseDecimal,
} from '@tollgate/billing/decimal'
import type { Decimal } from '@tollgate/billing/price'

const EXPONENT_FORM = /^-?\d+(?:\.\d+)?e[+-]?\d+$/i

export const one: FixedPoint = { digits: 1n, scale: 0 }

/** Parses a price or count of a log row, a number or text; `undefined` for anything else. */
export function exactOf(value: unknown): FixedPoint | undefined {
  if (typeof value === 'number') return parseDecimal(decimalFromNumber(value) ?? '')
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return EXPONENT_FORM.test(text) ? exactOf(Number(text)) : parseDecimal(text)
}

/** A price or ratio in the form in which a charge is computed; `undefined` for a negative one. */
export function pricePart(value: FixedPoint | undefined): Decimal | undefined {
  return value && value.digits >= 0n ? decimalText(value) : undefined
}

/** Parses a result of our own arithmetic, which may have more digits than a price. */
export function resultOf(text: Decimal): FixedPoint {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/** The value with its decimal point moved: `shift(x, -6)` is x divided by a million. */
export function shift(value: FixedPoint, places: number): FixedPoint {
  const scale = value.scale - places
  if (scale >= 0) return { digits: value.digits, scale }
  return { digits: value.digits * 10n ** BigInt(-scale), scale: 0 }
}

/** Rounds towards zero, as new-api and its forks rounded some charges. */
export function truncate(value: FixedPoint): bigint {
  return value.digits / 10n ** BigInt(value.scale)
}

/** `value / divisor` as text with `places` decimals, rounded half away from zero. */
export function quotientText(value: FixedPoint, divisor: FixedPoint, places: number): string {
  if (divisor.digits === 0n) return '0'
  const numerator = value.digits * 10n ** BigInt(divisor.scale + places)
  const denominator = divisor.digits * 10n ** BigInt(value.scale)
  return plainText({ digits: divideHalfAway(numerator, denominator), scale: places })
}

function plainText({ digits, scale }: FixedPoint): string {
  const sign = digits < 0n ? '-' : ''
  const padded = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  return scale === 0 ? sign + whole : `${sign}${whole}.${padded.slice(padded.length - scale)}`
}
