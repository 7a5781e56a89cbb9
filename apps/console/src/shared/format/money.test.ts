import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  abbreviated,
  dollarAmount,
  exactMoney,
  glanceMoney,
  groupedInteger,
  type MoneyRule,
  shortMoney,
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
  ])('shows %d units with every decimal', (amount, text) => {
    expect(exactMoney(amount, dollars)).toBe(text)
  })

  it('shows units where the site does not show currency', () => {
    expect(exactMoney(32_438, units)).toBe('32,438')
  })

  it('loses nothing: the text read back is the amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 52 }), (amount) => {
        const digits = exactMoney(amount, dollars).replace(/[$,.]/g, '')
        expect(BigInt(digits)).toBe(BigInt(amount) * 2n)
      }),
    )
  })
})

describe('shortMoney', () => {
  it.each([
    [64_200_000, '$128.40'],
    [499_999, '$0.99'],
    [0, '$0.00'],
    [-1, '$0.00'],
    [-750_000, '-$1.50'],
  ])('never shows more than there is: %d', (amount, text) => {
    expect(shortMoney(amount, dollars)).toBe(text)
  })

  it('abbreviates units', () => {
    expect(shortMoney(64_200_000, units)).toBe('64.2M')
  })
})

describe('glanceMoney', () => {
  it.each([
    [0, '$0.00'],
    [1, '$0.000002'],
    [58, '$0.00011'],
    [50_000, '$0.10'],
    [17_000, '$0.034'],
    [499_999, '$0.99'],
    [64_200_000, '$128.40'],
    [-58, '-$0.00011'],
  ])('is never nothing when it is something: %d', (amount, text) => {
    expect(glanceMoney(amount, dollars)).toBe(text)
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
  ])('%d', (value, text) => {
    expect(abbreviated(value)).toBe(text)
  })

  it('never writes a thousand of a smaller step', () => {
    expect(abbreviated(999_999)).toBe('1M')
    expect(abbreviated(999_999_999)).toBe('1B')
  })
})

it('groups whole numbers by thousands', () => {
  expect(groupedInteger(1_234_567)).toBe('1,234,567')
  expect(groupedInteger(-12)).toBe('-12')
})

it('writes prices that are dollars already', () => {
  expect(dollarAmount(3, 2)).toBe('$3.00')
  expect(dollarAmount(0.064877)).toBe('$0.064877')
  expect(dollarAmount(-1234.5, 2)).toBe('-$1,234.50')
  expect(dollarAmount(-0.0000001)).toBe('$0.000000')
})
