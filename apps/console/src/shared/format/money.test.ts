import { currencyText } from '@tollgate/billing/currency'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  abbreviated,
  columnMoney,
  dollarAmount,
  exactMoney,
  groupedInteger,
  type MoneyRule,
  summaryMoney,
} from './money.ts'

const dollars: MoneyRule = { unitsPerDollar: 500_000, isCurrency: true }
const units: MoneyRule = { ...dollars, isCurrency: false }

describe('exactMoney', () => {
  it.each([
    [0, '$0.000000'],
    [1, '$0.000002'],
    [32_438, '$0.064876'],
    [500_000, '$1.000000'],
    [617_283_945_000, '$1,234,567.890000'],
    [-1, '-$0.000002'],
  ])('shows %d units with six decimals', (amount, text) => {
    expect(exactMoney(amount, dollars)).toBe(text)
  })

  it('shows the same amount as is reported to callers, at the usual units per dollar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 45 }), (amount) => {
        const shown = exactMoney(amount, dollars).replaceAll(/[$,]/g, '')
        expect(shown.replace(/\.?0+$/, '') || '0').toBe(currencyText(BigInt(amount), '500000'))
      }),
    )
  })

  it('shows units on a site that does not show currency', () => {
    expect(exactMoney(32_438, units)).toBe('32,438')
  })

  it('is lossless: parsing the text returns the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 52 }), (amount) => {
        const digits = exactMoney(amount, dollars).replace(/[$,.]/g, '')
        expect(BigInt(digits)).toBe(BigInt(amount) * 2n)
      }),
    )
  })
})

describe('summaryMoney', () => {
  it.each([
    [0, '$0.00'],
    [64_200_000, '$128.40'],
    [257_926, '$0.52'],
    [688_101, '$1.38'],
    [17_000, '$0.03'],
    [7_500, '$0.02'],
    [7_499, '$0.01'],
    [499_999, '$1.00'],
    [-257_926, '-$0.52'],
    [-750_000, '-$1.50'],
  ])('rounds to the cent: %d', (amount, text) => {
    expect(summaryMoney(amount, dollars)).toBe(text)
  })

  it.each([
    [5_000, '$0.01'],
    [4_999, '$0.0100'],
    [2_100, '$0.0042'],
    [58, '$0.0001'],
    [49, '$0.000098'],
    [1, '$0.000002'],
    [-2_100, '-$0.0042'],
  ])('has more decimals below one cent: %d', (amount, text) => {
    expect(summaryMoney(amount, dollars)).toBe(text)
  })

  it('abbreviates units', () => {
    expect(summaryMoney(64_200_000, units)).toBe('64.2M')
  })
})

const column = (...all: readonly number[]) => all.map(columnMoney(all, dollars))

describe('columnMoney', () => {
  it('uses the same number of decimals for all amounts', () => {
    expect(column(120_000, 26_000, 20_000)).toEqual(['$0.24', '$0.05', '$0.04'])
    expect(column(120_000, 2_000, 0)).toEqual(['$0.2400', '$0.0040', '$0.0000'])
    expect(column(2_000, -10)).toEqual(['$0.004000', '-$0.000020'])
    expect(column(0, 0)).toEqual(['$0.00', '$0.00'])
    expect(column()).toEqual([])
  })

  it('never shows a non-zero amount as zero', () => {
    expect(column(900_000, 100, -100, 0)).toEqual(['$1.80', '<$0.01', '>-$0.01', '$0.00'])
    expect(column(120_000, 10)).toEqual(['$0.2400', '<$0.0001'])
  })

  it('shows every unit on a site that does not show currency', () => {
    expect(columnMoney([1, 64_200_000], units)(64_200_000)).toBe('64,200,000')
  })
})

describe('abbreviated', () => {
  it.each([
    [9999, '9,999'],
    [10_000, '10k'],
    [812_345, '812.3k'],
    [6_420_000, '6.4M'],
    [2_000_000_000, '2B'],
    [-10_000, '-10k'],
  ])('shortens %d', (value, text) => {
    expect(abbreviated(value)).toBe(text)
  })

  it('never shows a thousand of the next smaller unit', () => {
    expect(abbreviated(999_999)).toBe('1M')
    expect(abbreviated(999_999_999)).toBe('1B')
  })
})

it('groups integers by thousands', () => {
  expect(groupedInteger(1_234_567)).toBe('1,234,567')
  expect(groupedInteger(-12)).toBe('-12')
})

it('formats prices that are already in dollars', () => {
  expect(dollarAmount(3, 2)).toBe('$3.00')
  expect(dollarAmount(0.064877)).toBe('$0.064877')
  expect(dollarAmount(-1234.5, 2)).toBe('-$1,234.50')
  expect(dollarAmount(-0.0000001)).toBe('$0.000000')
})
