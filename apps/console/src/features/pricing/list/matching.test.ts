import type { PricingRow } from '@tollgate/contract/pricing'
import { expect, it } from 'vitest'
import { byOwner, isFound, matching } from './matching.ts'

const row = (model_name: string, owner_by = 'openai', supported_endpoint_types = ['chat']): PricingRow => ({
  model_name,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  owner_by,
  owner_name: owner_by === 'custom' ? '' : owner_by.toUpperCase(),
  completion_ratio: 1,
  cache_ratio: 1,
  cache_creation_ratio: 1,
  cache_creation_1h_ratio: 1,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  tool_prices: {},
  tier_ratios: {},
  context_tiers: [],
  quality_prices: [],
  enable_groups: [],
  traits: {},
  facts: {},
  supported_endpoint_types,
})

it.each([
  ['', true],
  ['gpt', true],
  ['G4OM', true],
  ['4o mini', true],
  ['mini4', false],
  ['gpt-4o-minis', false],
])('a search for %j finds gpt-4o-mini: %s', (keyword, expected) => {
  expect(isFound('gpt-4o-mini', keyword)).toBe(expected)
})

it('filters combine; sections are sorted by provider, language models first and models without a provider last', () => {
  const rows = [
    row('mj_imagine', 'midjourney', ['midjourney']),
    row('x', 'custom'),
    row('b', 'zeta'),
    row('a'),
    row('e', 'openai', ['embeddings']),
  ]
  expect(byOwner(rows).map(({ owner, rows: own }) => [owner, own.length])).toEqual([
    ['openai', 2],
    ['zeta', 1],
    ['midjourney', 1],
    ['custom', 1],
  ])
  const found = matching(rows, { keyword: '', owner: 'openai', endpoint: 'embeddings' })
  expect(found.map(({ model_name: name }) => name)).toEqual(['e'])
})
