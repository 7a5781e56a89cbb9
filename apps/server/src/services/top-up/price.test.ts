import { describe, expect, it } from 'vitest'
import { isSameMoney, priceTopUp } from './price.ts'

const settings = {
  DisplayInCurrencyEnabled: true,
  QuotaPerUnit: 500_000,
  MinTopUp: 1,
  Price: 7.3,
  TopupGroupRatio: new Map([
    ['default', 1],
    ['vip', 0.85],
    ['odd', 0],
  ]),
}
function price(amount: number, group: string, changed: Partial<typeof settings> = {}) {
  const all: Record<string, unknown> = { ...settings, ...changed }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the settings above have the types of their keys
  return priceTopUp({ get: (key) => all[key] as never }, { amount, group })
}

describe('the price of a top-up', () => {
  it.each([
    [10, 'default', {}, 5_000_000n, '73.00'],
    [10, 'vip', {}, 5_000_000n, '62.05'],
    [10, 'unknown', {}, 5_000_000n, '73.00'],
    [10, 'odd', {}, 5_000_000n, '73.00'],
    [3, 'default', { Price: 0.115 }, 1_500_000n, '0.35'],
    [1_000_000_000_000, 'default', {}, 500_000_000_000_000_000n, '7300000000000.00'],
  ])('is exact for %d in group %s', (amount, group, changed, quota, money) => {
    expect(price(amount, group, changed)).toEqual({ quota, money })
  })

  it('credits fractions of a currency unit when amounts are in quota units', () => {
    expect(price(1_200_000, 'default', { DisplayInCurrencyEnabled: false })).toEqual({
      quota: 1_200_000n,
      money: '17.52',
    })
  })

  it('has a minimum in the unit of the request', () => {
    expect(() => price(4, 'default', { MinTopUp: 5 })).toThrow('top_up_below_minimum')
    const asQuota = { DisplayInCurrencyEnabled: false, MinTopUp: 2 }
    expect(() => price(999_999, 'default', asQuota)).toThrow('top_up_below_minimum')
    expect(price(1_000_000, 'default', asQuota).money).toBe('14.60')
  })

  it('is at least 0.01', () => {
    expect(() => price(1, 'default', { Price: 0.0001 })).toThrow('top_up_too_small')
  })
})

it.each([
  ['73', '73.00', true],
  ['73.0', '73.00', true],
  ['73.01', '73.00', false],
  ['7.3e1', '73.00', false],
  ['-73.00', '73.00', false],
  ['', '', false],
])('comparing %s with %s as money gives %s', (left, right, same) => {
  expect(isSameMoney(left, right)).toBe(same)
})
