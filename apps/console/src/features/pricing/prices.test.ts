import type { PricingRow } from '@tollgate/contract/pricing'
import { describe, expect, it } from 'vitest'
import {
  estimate,
  inQuality,
  isBySecond,
  lineWord,
  linesOfCall,
  priceLines,
  listPriceText,
  priceText,
  ratioText,
  toolsCost,
} from './prices.ts'

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
  })
})

it('prices of a long call follow its input length, with a separate factor for input, output and cache', () => {
  const long = { ...row, context_tiers: [{ above: 1000, input: 2, output: 1.5, cache: 4 }] }
  const prices = (input: number) =>
    linesOfCall(long, 1, { input, cacheRead: 400, output: 5000 }).map(({ price }) => price)
  expect(prices(600)).toEqual([2.5, 10, 1.25, 2.5, 2.5, 40, 80])
  expect(prices(601)).toEqual([5, 15, 5, 10, 10, 80, 120])
})

describe('an estimate', () => {
  const lines = priceLines(row, 1)

  it('multiplies the seconds of a video by the price of its quality', () => {
    const qualities = [{ quality: '1080p', quota_type: 1, model_price: 0.2, model_ratio: 0 }]
    const video = { ...byCall, quality_prices: qualities }
    const cost = (quality: string) => {
      const priced = inQuality(video, quality)
      return estimate({ lines: priceLines(priced, 2), tokens: {}, seconds: 10 }, 500_000)
    }
    expect([isBySecond(video), isBySecond(byCall)]).toEqual([true, false])
    expect([cost('1080p'), cost('')]).toEqual([4, 0.8])
  })

  it('equals the actual charge for a known example', () => {
    const tokens = { input: 800, cacheRead: 200, output: 500 }
    expect(estimate({ lines, tokens }, 500_000)).toBe(0.00725)
  })

  it('adds tools per thousand calls with the group ratio and without a tier factor', () => {
    const searching = { ...row, tool_prices: { web_search: 10, file_search: 2.5 } }
    const tools = toolsCost(searching, 2, { web_search: 3, file_search: 2, other: 9 })
    expect(tools).toBeCloseTo(0.07)
    expect(estimate({ lines, tokens: {}, tools }, 500_000)).toBe(0.07)
    expect(estimate({ lines, tokens: { input: 1000 }, tools }, 500_000)).toBe(0.0725)
  })

  it('is at least one unit for a billable call, and zero for an empty or free one', () => {
    expect(estimate({ lines: priceLines(row, 0.0001), tokens: { input: 1 } }, 500_000)).toBe(1 / 500_000)
    expect(estimate({ lines, tokens: {} }, 500_000)).toBe(0)
    expect(estimate({ lines: priceLines(row, 0), tokens: { input: 1000 } }, 500_000)).toBe(0)
    expect(estimate({ lines: priceLines(byCall, 1), tokens: {} }, 500_000)).toBe(0.04)
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
