import { expect, test } from 'vitest'
import defaultPricing from './default-pricing.json' with { type: 'json' }
import { defaultPriceOptions } from './defaults.ts'
import familyRatios from './fixtures/family-completion-ratios.json' with { type: 'json' }
import { buildPriceBook, type PriceBookData } from './price-book.ts'
import { parsePriceOptions, priceOptionKeys, type PriceOptionKey } from './price-options.ts'
import type { Price } from './price.ts'
import { priceToJson } from './recompute.ts'
import { tierRatiosFor } from './service-tiers.ts'

function bookWith(texts: Partial<Record<PriceOptionKey, string>> = {}): PriceBookData {
  return buildPriceBook(parsePriceOptions({ ...defaultPriceOptions, ...texts }), 7)
}

function ratiosOf(book: PriceBookData, model: string) {
  const rule = find(book, model)?.rule
  return rule?.type === 'ratio' ? rule : undefined
}

function find(book: PriceBookData, model: string, group = 'default'): Price | undefined {
  return book.find({ model, group, acceptsUnpriced: false })
}

test('the price of a listed model is frozen and shared, and carries version and group', () => {
  const book = bookWith()
  const price = find(book, 'gpt-4o', 'vip')
  expect(price).toMatchObject({
    version: 7,
    model: 'gpt-4o',
    group: 'vip',
    groupRatio: '1',
    quotaPerUnit: '500000',
  })
  expect(price?.rule).toMatchObject({
    type: 'ratio',
    modelRatio: '1.25',
    completionRatio: '4',
    cacheRatio: '0.5',
  })
  expect(find(book, 'gpt-4o', 'vip')).toBe(price)
  expect(Object.isFrozen(price) && Object.isFrozen(price?.rule)).toBe(true)
})

test('the JSON of a price is serialised once and cached', () => {
  const price = find(bookWith(), 'gpt-4o')
  expect(price && priceToJson(price)).toBe(JSON.stringify(price))
})

test('a price per call overrides a ratio', () => {
  const book = bookWith({ ModelPrice: '{"gpt-4o":0.02}' })
  expect(find(book, 'gpt-4o')?.rule).toEqual({ type: 'call', price: '0.02' })
})

test('a model without a price is rejected, unless the site or the user accepts it at ratio 37.5', () => {
  expect(find(bookWith(), 'unheard-of')).toBeUndefined()
  const book = bookWith()
  const accepted = book.find({ model: 'unheard-of', group: 'default', acceptsUnpriced: true })
  expect(accepted?.rule).toMatchObject({ type: 'ratio', modelRatio: '37.5' })
  expect(find(book, 'unheard-of')).toBeUndefined()
  expect(find(bookWith({ SelfUseModeEnabled: 'true' }), 'unheard-of')?.rule).toMatchObject({
    modelRatio: '37.5',
  })
})

test('Unlike new-api: an unknown group has no price, whatever the model', () => {
  const book = bookWith({ SelfUseModeEnabled: 'true' })
  expect(find(book, 'gpt-4o', 'deleted')).toBeUndefined()
  expect(find(book, 'unheard-of', 'deleted')).toBeUndefined()
  expect(find(book, 'gpt-4o', '__proto__')).toBeUndefined()
  expect(find(book, 'constructor')).toMatchObject({ rule: { modelRatio: '37.5' } })
  expect([book.hasGroup('default'), book.hasGroup('deleted')]).toEqual([true, false])
})

test('Unlike new-api: a dated model name of a known family gets the cache discount of its family', () => {
  const book = bookWith()
  expect(ratiosOf(book, 'gpt-4.1-2025-04-14')?.cacheRatio).toBe('0.25')
  expect(ratiosOf(book, 'o3-2025-04-16')?.cacheRatio).toBe('0.25')
  expect(ratiosOf(book, 'o3-pro')?.cacheRatio).toBe('1')
  expect(ratiosOf(book, 'glm-4')?.cacheRatio).toBe('1')
})

test('a group-to-group ratio replaces the group ratio for that pair only', () => {
  const book = bookWith({
    GroupRatio: '{"default":1,"vip":2}',
    GroupGroupRatio: '{"default":{"vip":0.5,"gone":0.1}}',
  })
  const ask = (group: string, ownGroup?: string) =>
    book.find({ model: 'gpt-4o', group, acceptsUnpriced: false, ...(ownGroup !== undefined && { ownGroup }) })
      ?.groupRatio
  expect(ask('vip', 'default')).toBe('0.5')
  expect(ask('vip', 'vip')).toBe('2')
  expect(ask('vip')).toBe('2')
  expect(ask('default', 'default')).toBe('1')
  expect(ask('gone', 'default')).toBeUndefined()
})

test.each([
  ['gpt-4-gizmo-g-abc', { type: 'call', price: '0.1' }],
  ['gpt-4o-gizmo-g-abc', { modelRatio: '2.5', completionRatio: '3' }],
  ['gemini-2.5-pro-preview-06-05-thinking-1024', { modelRatio: '0.625', completionRatio: '8' }],
  ['gemini-2.5-flash-thinking-1024', { modelRatio: '0.075' }],
])('%s is priced by the entry of its family', (model, rule) => {
  expect(find(bookWith(), model)?.rule).toMatchObject(rule)
})

test('Unlike new-api: the family entry of gemini-2.5-flash-lite is matched', () => {
  expect(ratiosOf(bookWith(), 'gemini-2.5-flash-lite-preview-06-17-thinking-512')?.modelRatio).toBe('0.05')
})

test('gpt-4o-mini-tts is priced by its tokens, not per call', () => {
  const found = find(bookWith(), 'gpt-4o-mini-tts')
  expect(found?.rule).toMatchObject({ type: 'ratio', modelRatio: '0.3', completionRatio: '20' })
})

test('the large llama-3-sonar models are not free', () => {
  const book = bookWith()
  expect(ratiosOf(book, 'llama-3-sonar-large-32k-chat')?.modelRatio).toBe('0.5')
  expect(ratiosOf(book, 'llama-3-sonar-large-32k-online')?.modelRatio).toBe('0.5')
})

test('a one-hour cache write has a price of its own, or one derived from the five-minute price', () => {
  const own = {
    CreateCacheRatio: '{"claude-a":1.25,"claude-b":1.25}',
    CreateCache1hRatio: '{"claude-a":2.5}',
  }
  const book = bookWith({ ModelRatio: '{"claude-a":1,"claude-b":1}', ...own })
  expect(ratiosOf(book, 'claude-a')?.cacheWrite1hRatio).toBe('2.5')
  expect(ratiosOf(book, 'claude-b')?.cacheWrite1hRatio).toBe('2')
})

test('Unlike new-api: an entry of the operator always wins over the built-in ratios', () => {
  const names = [
    'gpt-4o',
    'o1',
    'claude-3-opus-20240229',
    'gpt-3.5-turbo',
    'deepseek-chat',
    'openai/gpt-oss-120b',
  ]
  const book = bookWith({
    CompletionRatio: JSON.stringify(Object.fromEntries(names.map((name) => [name, 1.5]))),
  })
  for (const name of names) expect.soft(ratiosOf(book, name)?.completionRatio, name).toBe('1.5')
})

/**
 * Models whose completion ratio in new-api is wrong, with the vendor's ratio; see the decision record on
 * completion ratios.
 */
const corrected: Record<string, number> = {
  'gpt-4.1': 4,
  'gpt-4.1-2025-04-14': 4,
  'gpt-4.1-mini': 4,
  'gpt-4.1-mini-2025-04-14': 4,
  'gpt-4.1-nano': 4,
  'gpt-4.1-nano-2025-04-14': 4,
  'gpt-4o-all': 2,
  'o4-mini': 4,
  'o4-mini-2025-04-16': 4,
  'o4-mini-deep-research': 4,
  'o4-mini-deep-research-2025-06-26': 4,
  'gemini-2.5-flash-preview-04-17': 23.3333333333,
  'gemini-2.5-flash-preview-04-17-thinking': 23.3333333333,
  'gemini-2.5-pro-exp-03-25': 8,
}

test('Unlike new-api: every default model has the completion ratio of its vendor', () => {
  const book = bookWith({ ModelPrice: '{}' })
  for (const [model, ratio] of Object.entries(familyRatios)) {
    const actual = Number(ratiosOf(book, model)?.completionRatio)
    expect.soft(actual, model).toBeCloseTo(corrected[model] ?? ratio, 9)
  }
})

test('the audio ratio comes from the option, then from the built-in rules for older models, then defaults to 1', () => {
  const book = bookWith({ SelfUseModeEnabled: 'true' })
  const audio = (model: string) => [
    ratiosOf(book, model)?.audioRatio,
    ratiosOf(book, model)?.audioCompletionRatio,
  ]
  expect(audio('gpt-4o-audio-preview')).toEqual(['16', '2'])
  expect(audio('gpt-4o-audio-preview-2024-10-01')).toEqual(['40', '2'])
  expect(audio('gpt-4o-realtime-preview-2024-12-17')).toEqual(['8', '2'])
  expect(audio('gpt-4o-mini-realtime-preview-2024-12-17')).toEqual(['16.6666666667', '2'])
  expect(audio('gpt-4o')).toEqual(['1', '1'])
})

test('the longest matching prefix of a tool price wins, and a price of zero disables the tool price', () => {
  const prices = { search: 10, 'search:gpt-4*': 20, 'search:gpt-4o*': 30, 'search:gpt-4o-free*': 0 }
  const book = bookWith({ ToolPrices: JSON.stringify(prices), SelfUseModeEnabled: 'true' })
  expect(find(book, 'o1')?.toolPrices).toEqual({ search: '10' })
  expect(find(book, 'gpt-4')?.toolPrices).toEqual({ search: '20' })
  expect(find(book, 'gpt-4o')?.toolPrices).toEqual({ search: '30' })
  expect(find(book, 'gpt-4o-free-1')?.toolPrices).toBeUndefined()
})

test('a tool price without a star applies to exactly one model and wins over every prefix, and model names may contain colons', () => {
  const prices = { search: 10, 'search:llama*': 20, 'search:llama': 30, 'search:llama:8b': 40 }
  const book = bookWith({ ToolPrices: JSON.stringify(prices), SelfUseModeEnabled: 'true' })
  expect(find(book, 'llama')?.toolPrices).toEqual({ search: '30' })
  expect(find(book, 'llama:8b')?.toolPrices).toEqual({ search: '40' })
  expect(find(book, 'llama:8b-free')?.toolPrices).toEqual({ search: '20' })
})

function tiers(option: object, model: string) {
  return tierRatiosFor(new Map(Object.entries(option).map(([key, value]) => [key, String(value)])), model)
}

test('a US-only Claude tier costs the product of the tier and place factors, unless it has an entry of its own', () => {
  const said = { fast: 6, 'geo-us:claude*': 1.1, 'batch-geo-us': 0.5, priority: `1.${'1'.repeat(19)}1` }
  expect(tiers(said, 'claude-opus-4-6')).toEqual({
    fast: '6',
    'fast-geo-us': '6.6',
    'geo-us': '1.1',
    'batch-geo-us': '0.5',
    priority: said.priority,
    'priority-geo-us': expect.stringMatching(/^1\.[12]/),
  })
  expect(tiers({ fast: 6 }, 'claude-opus-4-6')).toEqual({ fast: '6', 'fast-geo-us': '6' })
  expect(tiers({ fast: 6 }, 'gpt-4o')).toEqual({ fast: '6' })
  expect(tiers({}, 'claude-opus-4-6')).toBeUndefined()
})

test('the service tiers of a model come from the longest matching prefix', () => {
  const ratios = { 'priority:gpt-4*': 2, 'priority:gpt-4o*': 1.7, flex: 0.5, 'flex:gpt-4o*': 0 }
  const book = bookWith({ ServiceTierRatio: JSON.stringify(ratios) })
  expect(find(book, 'gpt-4')?.tierRatios).toEqual({ priority: '2', flex: '0.5' })
  expect(find(book, 'gpt-4o')?.tierRatios).toEqual({ priority: '1.7' })
})

test('the context tiers of a model come from its own entry or else the longest prefix, sorted by length', () => {
  const tiers = {
    'gpt-4*': [
      { above: 300, input: 3, output: 1.5 },
      { above: 200, input: 2, output: 1.5, cache: 1.25 },
    ],
    'gpt-4o*': [{ above: 500, input: 2, output: 1.5 }],
    'gpt-4o-mini': [],
  }
  const book = bookWith({ ContextTierRatio: JSON.stringify(tiers), ModelPrice: '{"gpt-4o-call":1}' })
  expect(find(book, 'gpt-4')?.contextTiers).toEqual([
    { above: 200, input: '2', output: '1.5', cache: '1.25' },
    { above: 300, input: '3', output: '1.5', cache: '3' },
  ])
  expect(find(book, 'gpt-4o')?.contextTiers).toMatchObject([{ above: 500 }])
  for (const model of ['gpt-4o-mini', 'gpt-4o-call', 'o1'])
    expect(find(book, model)).toSatisfy((price: Price) => price.contextTiers === undefined)
})

test("the usable groups are the public groups plus the user's own group", () => {
  const book = bookWith()
  expect([...book.usableGroups('default')]).toEqual([
    ['default', '默认分组'],
    ['vip', 'vip分组'],
  ])
  expect([...book.usableGroups('svip').keys()]).toEqual(['default', 'vip', 'svip'])
  expect([...book.usableGroups('').keys()]).toEqual(['default', 'vip'])
})

test('prices stay correct when more model names are requested than the cache holds', () => {
  const book = bookWith({ SelfUseModeEnabled: 'true' })
  for (let i = 0; i < 10_050; i++) find(book, `stranger-${i}`)
  expect(find(book, 'stranger-10049')?.rule).toMatchObject({ modelRatio: '37.5' })
  expect(find(book, 'gpt-4o')).toBe(find(book, 'gpt-4o'))
})

test('every default option is valid and every default ratio yields a price', () => {
  expect(Object.keys(defaultPriceOptions).sort()).toEqual([...priceOptionKeys].sort())
  const book = bookWith()
  for (const model of Object.keys(defaultPricing.ModelRatio))
    expect.soft(find(book, model), model).toBeDefined()
})
