import { invariant } from '@tollgate/kit/invariant'
import type { Decimal } from './price.ts'

/** An exact decimal: `digits` x 10^-`scale`. */
export interface FixedPoint {
  readonly digits: bigint
  readonly scale: number
}

/**
 * Longer numbers are rejected before any arithmetic, so that an imported price cannot blow up the size of a
 * product.
 */
const INTEGER_DIGITS_MAX = 18
const FRACTION_DIGITS_MAX = 24

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const EXPONENT_FORM = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/

export const ZERO: FixedPoint = { digits: 0n, scale: 0 }

/**
 * Parses plain digits with an optional fraction. Returns `undefined` for anything else and for a number
 * outside the bounds.
 */
export function parseDecimal(text: Decimal): FixedPoint | undefined {
  const match = DECIMAL.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  if (whole.length > INTEGER_DIGITS_MAX || fraction.length > FRACTION_DIGITS_MAX) return undefined
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

/**
 * Parses a decimal that was validated when it was stored, so a malformed or negative one is a bug and throws.
 */
export function scaledOf(text: Decimal): FixedPoint {
  const scaled = parseDecimal(text)
  invariant(scaled !== undefined && scaled.digits >= 0n, 'a stored price is a plain decimal, never negative')
  return scaled
}

/** The shortest text of a value: no trailing zeros, no exponent, no `-0`. */
export function decimalText(value: FixedPoint): Decimal {
  const sign = value.digits < 0n ? '-' : ''
  const digits = (value.digits < 0n ? -value.digits : value.digits).toString().padStart(value.scale + 1, '0')
  const whole = digits.slice(0, digits.length - value.scale)
  const fraction = digits.slice(digits.length - value.scale).replace(/0+$/, '')
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

export function multiply(left: FixedPoint, right: FixedPoint): FixedPoint {
  return { digits: left.digits * right.digits, scale: left.scale + right.scale }
}

export function add(left: FixedPoint, right: FixedPoint): FixedPoint {
  const scale = Math.max(left.scale, right.scale)
  return { digits: digitsAt(left, scale) + digitsAt(right, scale), scale }
}

/** Negative, zero or positive when `left` is less than, equal to or greater than `right`. */
export function compare(left: FixedPoint, right: FixedPoint): number {
  const scale = Math.max(left.scale, right.scale)
  const difference = digitsAt(left, scale) - digitsAt(right, scale)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

export function largest(first: FixedPoint, ...others: readonly FixedPoint[]): FixedPoint {
  return others.reduce((best, value) => (compare(value, best) > 0 ? value : best), first)
}

/** The digits of the value when it is written with `scale` decimal places. */
export function digitsAt(value: FixedPoint, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale)
}

/** The same value with trailing zeros removed, so that products stay short. */
export function trimmed(value: FixedPoint): FixedPoint {
  let { digits, scale } = value
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n
    scale -= 1
  }
  return { digits, scale }
}

/**
 * The only place where money is rounded: `numerator / denominator` to the nearest integer, with halves away
 * from zero.
 */
export function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  const magnitude = ((numerator < 0n ? -numerator : numerator) * 2n + denominator) / (2n * denominator)
  return numerator < 0n ? -magnitude : magnitude
}

export function roundHalfAway({ digits, scale }: FixedPoint): bigint {
  return divideHalfAway(digits, 10n ** BigInt(scale))
}

/**
 * Converts a JSON number to a decimal: 1.25 gives "1.25", 1e-7 gives "0.0000001". Returns `undefined` when
 * the number is not finite or is outside the bounds of {@link parseDecimal}.
 */
export function decimalFromNumber(value: number): Decimal | undefined {
  const scaled = parseDecimal(plainDigits(String(value)))
  return scaled && decimalText(scaled)
}

function plainDigits(text: string): string {
  const match = EXPONENT_FORM.exec(text)
  if (!match) return text
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const exponent = Number(exponentText)
  const digits = whole + fraction
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  return sign + digits.padEnd(exponent + 1, '0')
}
