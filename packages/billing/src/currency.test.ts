import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { currencyText } from './currency.ts'
import { roundHalfAway, parseDecimal, multiply, scaledOf } from './decimal.ts'

test.each([
  [0n, '500000', '0'],
  [1n, '500000', '0.000002'],
  [325n, '500000', '0.00065'],
  [-325n, '500000', '-0.00065'],
  [500_000n, '500000', '1'],
  [1n, '0.5', '2'],
  [10n ** 18n, '500000', '2000000000000'],
  [1n, '300000', '0.000003333333333333'],
])('%s units at %s per currency unit are %s', (units, quotaPerUnit, text) => {
  expect(currencyText(units, quotaPerUnit)).toBe(text)
})

test('every amount turns back into the same units', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 10_000_000 }), (units, perCurrency) => {
      const currency = parseDecimal(currencyText(units, String(perCurrency)))
      expect(currency && roundHalfAway(multiply(currency, scaledOf(String(perCurrency))))).toBe(units)
    }),
  )
})
