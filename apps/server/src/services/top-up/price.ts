import {
  type Scaled,
  compare,
  decimalFromNumber,
  digitsAt,
  divideHalfAway,
  multiply,
  scaledOf,
} from '@tollgate/billing/decimal'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/kit/problem'
import type { Options } from '../services.ts'

/** What an amount buys and what it costs, worked out with whole numbers from the first to the last step. */
export interface TopUpPrice {
  /** What is credited, to the unit: also the part of a currency unit that is paid for. */
  readonly quota: bigint
  /** Two places. */
  readonly money: string
}

const CENTS = 100n

/** `amount`: whole currency units where quota is shown as money, quota otherwise. */
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

/** Two sums that are written differently may be the same: `73`, `73.0`, `73.00`. */
export function isSameMoney(left: string, right: string): boolean {
  const [one, other] = [left, right].map(readMoney)
  return one !== undefined && other !== undefined && compare(one, other) === 0
}

function readMoney(text: string): Scaled | undefined {
  return /^\d{1,12}(\.\d{1,12})?$/.test(text) ? scaledOf(text) : undefined
}

/** Quota in units, times the price of one, in hundredths; rounded once. */
function centsOf(price: Scaled, { quota, unit }: { quota: bigint; unit: bigint }): bigint {
  const numerator = quota * CENTS * digitsAt(price, price.scale)
  return divideHalfAway(numerator, unit * 10n ** BigInt(price.scale))
}

function priceOf(options: Options): Scaled {
  return scaledNumber(options.get('Price'))
}

/** A group that is not named, or named with 0, pays the full price. */
function ratioOf(options: Options, group: string): Scaled {
  return scaledNumber(options.get('TopupGroupRatio').get(group) || 1)
}

function scaledNumber(value: number): Scaled {
  const text = decimalFromNumber(value)
  invariant(text !== undefined, 'a setting is a number within bounds')
  return scaledOf(text)
}
