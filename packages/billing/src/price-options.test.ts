import { expect, test } from 'vitest'
import { defaultPriceOptions } from './defaults.ts'
import { parsePriceOptions, priceOptionFault, priceOptionKeys } from './price-options.ts'

test('every default option text is accepted', () => {
  for (const key of priceOptionKeys)
    expect.soft(priceOptionFault(key, defaultPriceOptions[key]), key).toBeUndefined()
})

test.each([
  ['ModelRatio', '{', 'must be a JSON object'],
  ['ModelRatio', '[1]', 'must be a JSON object'],
  ['ModelRatio', 'null', 'must be a JSON object'],
  ['ModelRatio', '{"a":"1"}', 'a: must be a number'],
  ['ModelRatio', '{"a":-1}', 'a: must be a number from 0 to 1000000'],
  ['GroupRatio', '{"vip":-0.1}', 'vip: must be a number from 0 to 1000000'],
  ['GroupRatio', '{"vip":1e9}', 'vip: must be a number from 0 to 1000000'],
  ['UserUsableGroups', '{"vip":1}', 'vip: must be a text'],
  ['GroupGroupRatio', '{"vip":1}', 'vip: must be a JSON object'],
  ['GroupGroupRatio', '{"vip":{"a":-1}}', 'a: must be a number from 0 to 1000000'],
  ['ContextTierRatio', '{"a":2}', 'a: must be a list of at most 8 tiers'],
  ['ContextTierRatio', '{"a":[7]}', 'a: must be a JSON object'],
  [
    'ContextTierRatio',
    '{"a":[{"above":0.5,"input":1,"output":1}]}',
    'a: above must be a whole number from 1 to 1000000000',
  ],
  ['ContextTierRatio', '{"a":[{"above":5,"input":1}]}', 'a: output: must be a number'],
  ['ContextTierRatio', '{"a":[{"above":5,"input":0,"output":1}]}', 'a: input: must be above 0'],
  ['ContextTierRatio', '{"a":[{"above":5,"input":1,"output":1,"chache":1}]}', 'a: a tier has no chache'],
  [
    'ContextTierRatio',
    '{"a":[{"above":5,"input":1,"output":1},{"above":5,"input":2,"output":1}]}',
    'a: two tiers begin at the same number of tokens',
  ],
  ['QuotaPerUnit', '0', 'must be a number above 0, at most 1000000000000'],
  ['QuotaPerUnit', '', 'must be a number above 0, at most 1000000000000'],
  ['QuotaPerUnit', 'many', 'must be a number above 0, at most 1000000000000'],
  ['SelfUseModeEnabled', 'yes', 'must be true or false'],
] as const)('%s rejects %s: %s', (key, text, fault) => {
  expect(priceOptionFault(key, text)).toBe(fault)
  expect(() => parsePriceOptions({ ...defaultPriceOptions, [key]: text })).toThrow(fault)
})

test.each([
  ['GroupRatio', '{"v\\u0000ip":1}'],
  ['ModelRatio', '{"gpt\\n":1}'],
  ['GroupGroupRatio', '{"vip":{"a\\u0007":1}}'],
] as const)('%s rejects a new name with control characters', (key, text) => {
  expect(priceOptionFault(key, text)).toBe('a name has control characters')
  expect(() => parsePriceOptions({ ...defaultPriceOptions, [key]: text })).not.toThrow()
})

test('numbers keep every digit that they were written with', () => {
  const { modelRatio } = parsePriceOptions({
    ...defaultPriceOptions,
    ModelRatio: '{"a":0.1369863014,"b":1e-7,"c":2.50}',
  })
  expect([...modelRatio]).toEqual([
    ['a', '0.1369863014'],
    ['b', '0.0000001'],
    ['c', '2.5'],
  ])
})

test('names that would reach a prototype are dropped', () => {
  const { modelRatio } = parsePriceOptions({
    ...defaultPriceOptions,
    ModelRatio: '{"__proto__":1,"constructor":1,"prototype":1,"a":1}',
  })
  expect([...modelRatio.keys()]).toEqual(['a'])
})

test('the quality words of a price name may come in any order', () => {
  const { modelPrice, modelRatio } = parsePriceOptions({
    ...defaultPriceOptions,
    ModelPrice: '{"kling-v2@pro+audio":0.3}',
    ModelRatio: '{"seedance@flex+audio":2}',
  })
  expect([...modelPrice.keys(), ...modelRatio.keys()]).toEqual(['kling-v2@audio+pro', 'seedance@audio+flex'])
})

test('pricing the same quality words twice is rejected, but already stored options are still read', () => {
  const ModelPrice = '{"v@pro+audio":1,"v@audio+pro":2}'
  expect(priceOptionFault('ModelPrice', ModelPrice)).toBe('v@audio+pro: the same words are priced twice')
  expect(parsePriceOptions({ ...defaultPriceOptions, ModelPrice }).modelPrice.get('v@audio+pro')).toBe('2')
})
