import { decimalText, type FixedPoint } from '@tollgate/billing/decimal'
import { groupedInteger, type MoneyRule } from '../../../shared/format/money.ts'
import { one, quotientText, shift } from './exact.ts'
import type { ReceiptLine } from './receipt.ts'

/** Formats the amounts of a receipt: in currency if the site shows currency, otherwise in quota units. */
export interface ReceiptMoney {
  readonly amount: (units: FixedPoint) => string
  /** `$3.00` for the number of items given by the line's `per`. */
  readonly unitPrice: (line: Pick<ReceiptLine, 'unitPrice' | 'per'>) => string
}

const AMOUNT_PLACES = 6
const PRICE_PLACES_MAX = 6
const PRICE_PLACES_MIN = 2
const UNIT_PLACES = 2

const powerOfTen = { million: 6, thousand: 3, one: 0 } as const

export function receiptMoney(quotaPerUnit: FixedPoint, rule: MoneyRule): ReceiptMoney {
  if (!rule.isCurrency) {
    return {
      amount: (units) => grouped(trimmed(quotientText(units, one, UNIT_PLACES), 0)),
      unitPrice: ({ unitPrice, per }) => grouped(decimalText(shift(unitPrice, powerOfTen[per]))),
    }
  }
  return {
    amount: (units) => `$${grouped(quotientText(units, quotaPerUnit, AMOUNT_PLACES))}`,
    unitPrice: ({ unitPrice, per }) => {
      const price = quotientText(shift(unitPrice, powerOfTen[per]), quotaPerUnit, PRICE_PLACES_MAX)
      return `$${grouped(trimmed(price, PRICE_PLACES_MIN))}`
    },
  }
}

/** Removes trailing zeros of the fraction, but keeps at least `placesMin` decimals. */
export function trimmed(text: string, placesMin: number): string {
  const [whole = '0', fraction = ''] = text.split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(placesMin, '0')
  return kept === '' ? whole : `${whole}.${kept}`
}

/** `32438.25` as `32,438.25`. */
export function grouped(text: string): string {
  const [whole = '0', fraction] = text.split('.')
  const digits = groupedInteger(Number(whole))
  return fraction === undefined ? digits : `${digits}.${fraction}`
}
