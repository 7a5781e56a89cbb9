import type { PricingRow } from '@tollgate/contract/pricing'
import { describe, expect, it } from 'vitest'
import { isBySecond, lineWord, listPriceText, priceLines, priceText, ratioText } from './prices.ts'

const row: PricingRow = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_ratio: 1.25,
  model_price: 0,
  owner_by: 'openai',
  owner_name: 'OpenAI',
  completion_ratio: 4,
  cache_ratio: 0.5,
  cache_creation_ratio: 1,
  cache_creation_1h_ratio: 1,
  image_ratio: 1,
  audio_ratio: 16,
  audio_completion_ratio: 2,
  tool_prices: {},
  tier_ratios: {},
  context_tiers: [],
  quality_prices: [],
  enable_groups: ['default'],
  traits: {},
  facts: {},
  supported_endpoint_types: ['chat'],
}
const byCall = { ...row, quota_type: 1, model_ratio: 0, model_price: 0.04 }
const dollars = { isCurrency: true, unitsPerDollar: 500_000 }

describe('model prices', () => {
  it('a million tokens cost model ratio x 2 x group ratio, times the ratio of their kind', () => {
    expect(priceLines(row, 1).map(({ name, price }) => [name, price])).toEqual([
      ['input', 2.5],
      ['output', 10],
      ['cacheRead', 1.25],
      ['audioInput', 40],
      ['audioOutput', 80],
    ])
    expect(priceLines(row, 0.5)[1]?.price).toBe(5)
  })

  it('a call with a fixed price costs that price x group ratio', () => {
    expect(priceLines(byCall, 2)).toEqual([{ name: 'call', ratio: 0, price: 0.08 }])
    expect(lineWord(byCall, 'call')).toBe('line.call')
    const quality = { quality: '1080p', quota_type: 1, model_price: 0.2, model_ratio: 0 }
    expect(lineWord({ ...byCall, quality_prices: [quality] }, 'call')).toBe('model.aSecond')
    expect([isBySecond({ ...byCall, quality_prices: [quality] }), isBySecond(byCall)]).toEqual([true, false])
  })
})

it.each([
  [2.5, '$2.50'],
  [0.075, '$0.075'],
  [1234.5, '$1,234.50'],
  [0.1 + 0.2, '$0.30'],
  [0, '$0.00'],
])('a price of %d is shown as %s', (price, text) => {
  expect(priceText(price, dollars)).toBe(text)
})

it.each([
  [16.438356, '$16.4384'],
  [3.125, '$3.125'],
  [0.027397, '$0.027397'],
])('a list shows a price of %d as %s', (price, text) => {
  expect(listPriceText(price, dollars)).toBe(text)
})

it('a site without currency shows units, and ratios have no floating-point noise', () => {
  expect(priceText(2.5, { ...dollars, isCurrency: false })).toBe('1,250,000')
  expect(ratioText(1.25 * 1.1)).toBe('1.375')
})
