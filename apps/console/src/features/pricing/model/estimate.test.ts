import type { PricingRow } from '@tollgate/contract/pricing'
import { describe, expect, it } from 'vitest'
import { inQuality } from '../prices.ts'
import { estimateUnits, linesOfCall, type Sample } from './estimate.ts'

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

const units = (priced: PricingRow, sample: Partial<Sample>, groupRatio = 1) =>
  estimateUnits(priced, { tokens: {}, ...sample }, { groupRatio, quotaPerUnit: 500_000 })

it('prices of a long call follow its input length, with a separate factor for input, output and cache', () => {
  const long = { ...row, context_tiers: [{ above: 1000, input: 2, output: 1.5, cache: 4 }] }
  const prices = (input: number) =>
    linesOfCall(long, 1, { input, cacheRead: 400, output: 5000 }).map(({ price }) => price)
  expect(prices(600)).toEqual([2.5, 10, 1.25, 2.5, 2.5, 40, 80])
  expect(prices(601)).toEqual([5, 15, 5, 10, 10, 80, 120])
})

describe('an estimate', () => {
  it('multiplies the seconds of a video by the price of its quality', () => {
    const qualities = [{ quality: '1080p', quota_type: 1, model_price: 0.2, model_ratio: 0 }]
    const video = { ...byCall, quality_prices: qualities }
    const cost = (quality: string) => units(inQuality(video, quality), { seconds: 10 }, 2)
    expect([cost('1080p'), cost('')]).toEqual([2_000_000, 400_000])
  })

  it('equals the actual charge for a known example', () => {
    expect(units(row, { tokens: { input: 800, cacheRead: 200, output: 500 } })).toBe(3625)
  })

  it('adds tools per thousand calls with the group ratio and without a tier factor', () => {
    const searching = {
      ...row,
      tool_prices: { web_search: 10, file_search: 2.5 },
      tier_ratios: { priority: 2 },
    }
    const toolCalls = { web_search: 3, file_search: 2, other: 9 }
    expect(units(searching, { toolCalls }, 2)).toBe(35_000)
    expect(units(searching, { toolCalls, tokens: { input: 1000 } }, 2)).toBe(37_500)
    expect(units(searching, { toolCalls, tokens: { input: 1000 }, serviceTier: 'priority' }, 2)).toBe(40_000)
  })

  it('is at least one unit for a billable call, and zero for an empty or free one', () => {
    expect(units(row, { tokens: { input: 1 } }, 0.0001)).toBe(1)
    expect(units(row, {})).toBe(0)
    expect(units(row, { tokens: { input: 1000 } }, 0)).toBe(0)
    expect(units(byCall, {})).toBe(20_000)
  })
})
