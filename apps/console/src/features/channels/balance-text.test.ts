import { expect, it } from 'vitest'
import { balanceText } from './balance-text.ts'

it('Unlike new-api: shows an amount in the currency of the upstream', () => {
  expect(balanceText({ balance: 17.351, balance_currency: 'USD' })).toBe('$17.35')
  expect(balanceText({ balance: 20, balance_currency: 'CNY' })).toBe('¥20.00')
  expect(balanceText({ balance: 5, balance_currency: 'points' })).toBe('5.00 points')
  expect(balanceText({ balance: 5, balance_currency: '' })).toBe('5.00')
})
