import { expect, it } from 'vitest'
import { currencyAmount } from './currency-amount.ts'

it.each([
  [0n, 500_000, 0],
  [1n, 500_000, 0.000002],
  [-1n, 500_000, -0.000002],
  [1_234_567n, 500_000, 2.469134],
  [-750_000n, 500_000, -1.5],
  [1n, 8_000_000, 0.000000125],
  [1n, 3, 0.3333333333333333],
  [9_007_199_254_740_993n, 1_000_000, 9_007_199_254.740993],
])('%d quota units at %d per currency unit are %d', (units, unit, amount) => {
  expect(currencyAmount(units, unit)).toBe(amount)
})
