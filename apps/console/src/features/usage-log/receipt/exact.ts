/** An exact decimal: `digits` x 10^-`scale`. A receipt is recomputed with these, never with floating point. */
export interface Exact {
  readonly digits: bigint
  readonly scale: number
}

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/
const EXPONENT_FORM = /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i
/**
 * A number in a log row with a larger exponent is not a price; parsing it would only create a gigantic
 * product.
 */
const EXPONENT_MAX = 30

export const zero: Exact = { digits: 0n, scale: 0 }
export const one: Exact = { digits: 1n, scale: 0 }

/**
 * Parses a decimal exactly as it was written: 1.25, "1.25" and 1e-7 are valid; anything else returns
 * `undefined`.
 */
export function exactOf(value: unknown): Exact | undefined {
  if (typeof value === 'bigint') return { digits: value, scale: 0 }
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim()
  const exponentForm = EXPONENT_FORM.exec(text)
  if (!exponentForm) return fromPlain(text)
  const mantissa = fromPlain(text.slice(0, text.search(/e/i)))
  const exponent = Number(exponentForm[4])
  return mantissa && Math.abs(exponent) <= EXPONENT_MAX ? shift(mantissa, exponent) : undefined
}

export function add(left: Exact, right: Exact): Exact {
  const scale = Math.max(left.scale, right.scale)
  return { digits: digitsAt(left, scale) + digitsAt(right, scale), scale }
}

export function subtract(left: Exact, right: Exact): Exact {
  return add(left, { digits: -right.digits, scale: right.scale })
}

export function multiply(...factors: readonly Exact[]): Exact {
  return factors.reduce((product, factor) => ({
    digits: product.digits * factor.digits,
    scale: product.scale + factor.scale,
  }))
}

export function sum(values: readonly Exact[]): Exact {
  return values.reduce(add, zero)
}

/** The value with its decimal point moved: `shift(x, -6)` is x divided by a million. */
export function shift(value: Exact, places: number): Exact {
  const scale = value.scale - places
  if (scale >= 0) return { digits: value.digits, scale }
  return { digits: value.digits * 10n ** BigInt(-scale), scale: 0 }
}

export function isSame(left: Exact, right: Exact): boolean {
  return subtract(left, right).digits === 0n
}

/** Rounds to the nearest integer, half away from zero, as the gateway rounds a charge. */
export function roundHalfAway(value: Exact): bigint {
  return divideRounded(value.digits, 10n ** BigInt(value.scale))
}

/** Rounds towards zero, as new-api and its forks rounded some charges. */
export function truncate(value: Exact): bigint {
  return value.digits / 10n ** BigInt(value.scale)
}

/** `value / divisor` as text with `places` decimals, rounded half away from zero. */
export function quotientText(value: Exact, divisor: Exact, places: number): string {
  if (divisor.digits === 0n) return '0'
  const numerator = value.digits * 10n ** BigInt(divisor.scale + places)
  const denominator = divisor.digits * 10n ** BigInt(value.scale)
  return plainText({ digits: divideRounded(numerator, denominator), scale: places })
}

/** All digits of the value, with trailing zeros of the fraction dropped. */
export function exactText(value: Exact): string {
  const text = plainText(value)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

function fromPlain(text: string): Exact | undefined {
  const match = PLAIN.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length }
}

function plainText({ digits, scale }: Exact): string {
  const sign = digits < 0n ? '-' : ''
  const padded = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  return scale === 0 ? sign + whole : `${sign}${whole}.${padded.slice(padded.length - scale)}`
}

function digitsAt(value: Exact, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale)
}

function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const magnitude = (top * 2n + bottom) / (2n * bottom)
  return isNegative ? -magnitude : magnitude
}
