import { noUsage } from '@tollgate/dialects/usage'
import { expect, it } from 'vitest'
import { costRatio, costUnits } from './cost.ts'
import type { Price } from './price.ts'

const price: Price = {
  version: 1,
  model: 'gpt-4o',
  group: 'vip',
  groupRatio: '0.5',
  quotaPerUnit: '500000',
  rule: {
    type: 'ratio',
    modelRatio: '2',
    completionRatio: '4',
    cacheRatio: '1',
    cacheWriteRatio: '1',
    cacheWrite1hRatio: '1',
    imageRatio: '1',
    audioRatio: '1',
    audioCompletionRatio: '1',
  },
}
const usage = { ...noUsage, inputText: 100, outputText: 50 }

it("the cost is a share of the list price, independent of the caller's group", () => {
  const ratios = { byModel: new Map([['gpt-4o', '0.25']]), others: '0.8' }
  // (100 + 50 x 4) x 2 = 600
  expect(costUnits(ratios, price, usage)).toBe(150n)
  expect(costUnits(ratios, { ...price, model: 'o3' }, usage)).toBe(480n)
})

it('the cost is undefined without a ratio, and 0 when the ratio is zero', () => {
  expect(costUnits(undefined, price, usage)).toBeUndefined()
  expect(costUnits({ byModel: new Map(), others: undefined }, price, usage)).toBeUndefined()
  expect(costUnits({ byModel: new Map(), others: '0' }, price, usage)).toBe(0n)
})

it.each([0.8, '0.8', ' 1 ', 0])('%j is accepted as a cost ratio', (value) => {
  expect(costRatio(value)).toBe(String(value).trim())
})

it.each([-1, '1e3', 'x', '', null, Number.NaN, 1001, '0.5.1'])('%j is rejected as a cost ratio', (value) => {
  expect(costRatio(value)).toBeUndefined()
})
