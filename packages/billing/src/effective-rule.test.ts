import { expect, it } from 'vitest'
import { bucketPrices } from './bucket-prices.ts'
import { defaultPriceOptions } from './defaults.ts'
import { effectiveRule } from './effective-rule.ts'
import { parsePriceOptions, type PriceOptionKey } from './price-options.ts'

const ruleOf = (model: string, texts: Partial<Record<PriceOptionKey, string>> = {}) =>
  effectiveRule(parsePriceOptions({ ...defaultPriceOptions, ...texts }), model)

it('gpt-4o output costs $10 per million tokens, by a built-in ratio', () => {
  const found = ruleOf('gpt-4o')
  if (found?.type !== 'ratio') throw new Error('gpt-4o is priced by its tokens')
  expect(found.parts).toMatchObject({
    modelRatio: { value: '1.25', source: 'set' },
    completionRatio: { value: '4', source: 'built-in' },
    cacheRatio: { value: '0.5', source: 'set' },
  })
  expect(bucketPrices(found.rule)).toMatchObject({ inputText: '2.5', outputText: '10', cacheRead: '1.25' })
})

it('a family entry prices a model that has no entry of its own', () => {
  const texts = { ModelRatio: '{"gpt-4o-gizmo-*":2}', CompletionRatio: '{"gpt-4o-gizmo-x":3}' }
  expect(ruleOf('gpt-4o-gizmo-x', texts)).toMatchObject({
    name: 'gpt-4o-gizmo-*',
    parts: {
      modelRatio: { value: '2', source: 'family' },
      completionRatio: { value: '3', source: 'set' },
    },
  })
})

it('the one-hour cache write ratio is derived from the five-minute one', () => {
  const texts = { ModelRatio: '{"m":1}', CreateCacheRatio: '{"m":1.5}' }
  expect(ruleOf('m', texts)).toMatchObject({
    parts: {
      cacheWriteRatio: { value: '1.5', source: 'set' },
      cacheWrite1hRatio: { value: '2.4', source: 'built-in' },
    },
  })
})

it('a price per call has no other parts, and a model without an entry has no rule', () => {
  expect(ruleOf('m', { ModelPrice: '{"m":0.1}' })).toEqual({
    type: 'call',
    name: 'm',
    rule: { type: 'call', price: '0.1' },
    price: { name: 'm', value: '0.1', source: 'set' },
  })
  expect(ruleOf('unheard-of')).toBeUndefined()
})
