import { describe, expect, it } from 'vitest'
import { convertExpression } from './convert-expression.ts'

const convert = (text: string, quotaPerUnit = 500_000) => convertExpression(text, { quotaPerUnit })

describe('a billing expression', () => {
  it.each([
    ['tier("base", p * 2.5 + c * 15 + cr * 0.25)', { ModelRatio: 1.25, CompletionRatio: 6, CacheRatio: 0.1 }],
    ['v1:tier("base", 3 * p + c * 15)', { ModelRatio: 1.5, CompletionRatio: 5, CacheRatio: 1 }],
    ['p * 2 + c * 8 + img * 2.5', { ModelRatio: 1, CompletionRatio: 4, ImageRatio: 1.25 }],
    [
      'tier("base", p * 3 + c * 15 + cr * 0.3 + cc * 3.75 + cc1h * 6)',
      { CacheRatio: 0.1, CreateCacheRatio: 1.25, CreateCache1hRatio: 2 },
    ],
    ['tier("base", p * 0.5 + c * 3 + ai * 4 + ao * 16)', { AudioRatio: 8, AudioCompletionRatio: 4 }],
    ['tier("base", (p + c * 5) * 3)', { ModelRatio: 1.5, CompletionRatio: 5 }],
    ['tier("free", p * 0 + c * 0)', { ModelRatio: 0 }],
    ['tier("request", fixed(0.01))', { ModelPrice: 0.01 }],
  ])('%s becomes ratios', (text, entries) => {
    expect(convert(text)).toMatchObject({ entries, steps: [] })
  })

  it('follows the units of the source', () => {
    expect(convert('p * 3 + c * 15', 1_000_000)).toMatchObject({ entries: { ModelRatio: 3 } })
  })

  it.each([
    ['len <= 200000 ? tier("s", p * 3 + c * 15) : tier("l", p * 6 + c * 22.5)', 200_000],
    ['len > 200000 ? tier("l", p * 6 + c * 22.5) : tier("s", p * 3 + c * 15)', 200_000],
    ['len < 200001 ? tier("s", p * 3 + c * 15) : tier("l", p * 6 + c * 22.5)', 200_000],
    ['p <= 128000 ? p * 3 + c * 15 : p * 6 + c * 22.5', 128_000],
  ])('%s becomes a step by length', (text, above) => {
    expect(convert(text)).toMatchObject({
      entries: { ModelRatio: 1.5, CompletionRatio: 5 },
      steps: [{ above, input: 2, output: 1.5, cache: 2 }],
    })
  })

  it('three lengths become two steps', () => {
    const text =
      'len <= 32000 ? tier("a", p * 1 + c * 2) : (len <= 128000 ? tier("b", p * 2 + c * 4) : tier("c", p * 4 + c * 8))'
    expect(convert(text)).toMatchObject({
      steps: [
        { above: 32_000, input: 2, output: 2 },
        { above: 128_000, input: 4, output: 4 },
      ],
    })
  })

  it.each([
    '(tier("base", p * 5 + c * 25)) * (param("service_tier") == "fast" ? 6 : 1)',
    'tier("base", p * 5 + c * 25)|||when(param("service_tier") == "fast") * 6',
  ])('%s becomes a factor of the service tier', (text) => {
    const price = convert(text)
    expect(typeof price === 'string' ? price : [...price.tiers]).toEqual([['fast', 6]])
  })

  it.each([
    ['hour("Asia/Shanghai") < 8 ? tier("n", p * 1) : tier("d", p * 3)', /length of the input/],
    ['(tier("base", p * 5)) * (hour("UTC") < 8 ? 0.5 : 1)', /service tier/],
    ['tier("base", p * 5)|||when(header("anthropic-beta") has "fast-mode") * 6', /missing/],
    ['len <= 32000 ? tier("s", fixed(0.01)) : tier("l", p * 2 + c * 8)', /mixes/],
    ['tier("base", p * 3 + c * 15 + 100)', /does not depend on tokens/],
    ['tier("base", c * 15)', /input is free/],
    ['tier("base", max(p * 3, c * 15))', /max/],
    ['tier("base", p * c)', /cannot be converted/],
    ['tier("base", p * 3 - c * 1)', /cannot be converted/],
    ['tier("base", p * 3 + cr * 0.3 + img_cr * 2)', /img_cr/],
    ['tier("image", fixed(0.04)) * image_count', /another way|cannot/],
    ['p <= 1000 ? p * 3 + cr * 0.3 : p * 6 + cr * 0.6', /depends on p/],
    ['len <= 1000 ? p * 3 + c * 15 + cr * 0.3 : p * 6 + c * 30 + cr * 0.3', /another factor/],
    ['len <= 1000 ? p * 3 + c * 15 : p * 0 + c * 15', /free in one step/],
    ['tier("base", p * 3', /missing/],
    ['', /ends too early/],
    ['p * 3 ; drop', /not understood/],
    [`${'('.repeat(200)}p${')'.repeat(200)}`, /nested/],
    ['p + '.repeat(3_000), /too long/],
  ])('%s is refused in words', (text, reason) => {
    expect(convert(text)).toMatch(reason)
  })
})
