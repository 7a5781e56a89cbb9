import {
  type FixedPoint,
  compare,
  decimalFromNumber,
  digitsAt,
  divideHalfAway,
  multiply,
  scaledOf,
} from '@tollgate/billing/decimal'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/problems/problem'
import type { Options } from '../services.ts'

/** The quota that an amount buys and its price, calculated with integers throughout. */
export interface TopUpPrice {
  /** Quota to credit, including a fraction of a currency unit. */
  readonly quota: bigint
  /** With two decimals. */
  readonly money: string
}

const CENTS = 100n

/** `amount` is in whole currency units when currency display is on, otherwise in quota units. */
export function priceTopUp(
  options: Options,
  { amount, group }: { amount: number; group: string },
): TopUpPrice {
  const isCurrency = options.get('DisplayInCurrencyEnabled')
  const unit = BigInt(options.get('QuotaPerUnit'))
  const min = BigInt(options.get('MinTopUp')) * (isCurrency ? 1n : unit)
  const asked = BigInt(amount)
  if (asked < min) throw problem('top_up_below_minimum', { min })
  const quota = isCurrency ? asked * unit : asked
  const cents = centsOf(multiply(priceOf(options), ratioOf(options, group)), { quota, unit })
  if (cents < 1n) throw problem('top_up_too_small')
  return { quota, money: `${cents / CENTS}.${String(cents % CENTS).padStart(2, '0')}` }
}

/** Compares amounts by value: `73`, `73.0` and `73.00` are equal. */
export function isSameMoney(left: string, right: string): boolean {
  const [one, other] = [left, right].map(readMoney)
  return one !== undefined && other !== undefined && compare(one, other) === 0
}

function readMoney(text: string): FixedPoint | undefined {
  return /^\d{1,12}(\.\d{1,12})?$/.test(text) ? scaledOf(text) : undefined
}

/** Quota divided by the quota per unit, times the price per unit, in hundredths; rounded once. */
function centsOf(price: FixedPoint, { quota, unit }: { quota: bigint; unit: bigint }): bigint {
  const numerator = quota * CENTS * digitsAt(price, price.scale)
  return divideHalfAway(numerator, unit * 10n ** BigInt(price.scale))
}

function priceOf(options: Options): FixedPoint {
  return scaledNumber(options.get('Price'))
}

/** A group without a ratio, or with ratio 0, pays the full price. */
function ratioOf(options: Options, group: string): FixedPoint {
  return scaledNumber(options.get('TopupGroupRatio').get(group) || 1)
}

function scaledNumber(value: number): FixedPoint {
  const text = decimalFromNumber(value)
  invariant(text !== undefined, 'a setting is a number within bounds')
  return scaledOf(text)
}
