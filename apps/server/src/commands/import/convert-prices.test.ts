import { chargeUnits } from '@tollgate/billing/charge'
import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { buildPriceBook } from '@tollgate/billing/price-book'
import { parsePriceOptions } from '@tollgate/billing/price-options'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { describe, expect, it } from 'vitest'
import { convertPrices } from './convert-prices.ts'

const MODEL = 'claude-of-the-test'

/** The charge that the gateway makes after an import of this expression. */
function chargeAfterImport(expression: string, usage: Usage): bigint | undefined {
  const stored = new Map([
    ['billing_setting.billing_mode', JSON.stringify({ [MODEL]: 'tiered_expr' })],
    ['billing_setting.billing_expr', JSON.stringify({ [MODEL]: expression })],
    ['ModelRatio', JSON.stringify({ [MODEL]: 99, other: 1 })],
    ['ModelPrice', JSON.stringify({ [`${MODEL}@1080p`]: 9 })],
  ])
  const { texts } = convertPrices(stored)
  const options = parsePriceOptions({ ...defaultPriceOptions, ...Object.fromEntries(texts) })
  const price = buildPriceBook(options, 1).find({ model: MODEL, group: 'default', acceptsUnpriced: false })
  return price && chargeUnits(price, usage)
}

/** Units of the source: dollars for a million tokens times 500,000 units for a dollar. */
const units = (dollarsPerMillion: number): bigint => BigInt(Math.round(dollarsPerMillion / 2))

const usages: readonly Usage[] = [
  { ...noUsage, inputText: 1_000, outputText: 500 },
  { ...noUsage, inputText: 700, cacheRead: 200, cacheWrite5m: 60, cacheWrite1h: 40, outputText: 77 },
  { ...noUsage, inputText: 150_000, cacheRead: 60_000, outputText: 1_000 },
  { ...noUsage, inputText: 300, inputImage: 90, inputAudio: 30, outputText: 10, outputAudio: 20 },
  { ...noUsage, inputText: 400, outputText: 9, serviceTier: 'fast' },
]

const whole = (usage: Usage): number =>
  usage.inputText +
  usage.cacheRead +
  usage.cacheWrite5m +
  usage.cacheWrite1h +
  usage.inputImage +
  usage.inputAudio

const output = (usage: Usage): number => usage.outputText + usage.outputAudio

describe('a model that the source prices by an expression', () => {
  it.each<[string, (usage: Usage) => number]>([
    ['tier("base", p * 3 + c * 15)', (usage) => whole(usage) * 3 + output(usage) * 15],
    [
      'tier("base", p * 3 + c * 15 + cr * 0.3 + cc * 3.75 + cc1h * 6)',
      (usage) =>
        (usage.inputText + usage.inputImage + usage.inputAudio) * 3 +
        output(usage) * 15 +
        usage.cacheRead * 0.3 +
        usage.cacheWrite5m * 3.75 +
        usage.cacheWrite1h * 6,
    ],
    [
      'tier("base", p * 0.43 + c * 3.06 + img * 0.78 + ai * 3.81 + ao * 15.11)',
      (usage) =>
        (whole(usage) - usage.inputImage - usage.inputAudio) * 0.43 +
        usage.outputText * 3.06 +
        usage.inputImage * 0.78 +
        usage.inputAudio * 3.81 +
        usage.outputAudio * 15.11,
    ],
    [
      'len <= 200000 ? tier("s", p * 3 + c * 15) : tier("l", p * 6 + c * 22.5)',
      (usage) =>
        whole(usage) <= 200_000
          ? whole(usage) * 3 + output(usage) * 15
          : whole(usage) * 6 + output(usage) * 22.5,
    ],
    [
      '(tier("base", p * 5 + c * 25)) * (param("service_tier") == "fast" ? 6 : 1)',
      (usage) => (whole(usage) * 5 + output(usage) * 25) * (usage.serviceTier === 'fast' ? 6 : 1),
    ],
  ])('is charged alike after the import: %s', (expression, cost) => {
    for (const usage of usages) {
      // Other factors of service tiers are the operator's own and not part of the expression.
      const isTiered = usage.serviceTier !== undefined && !expression.includes('service_tier')
      if (!isTiered) expect(chargeAfterImport(expression, usage)).toBe(units(cost(usage)))
    }
  })

  it('one call costs its fixed price', () => {
    expect(chargeAfterImport('tier("request", fixed(0.01))', usages[0] ?? noUsage)).toBe(5_000n)
  })

  it.each(['hour("UTC") < 8 ? p * 1 : p * 3', 'p * ', 'tier("b", p * 3 + c * 15 + 7)'])(
    'has no price, and never the old one, when %s cannot be converted',
    (expression) => {
      expect(chargeAfterImport(expression, usages[0] ?? noUsage)).toBeUndefined()
    },
  )

  it('the prices of other models and settings that need no change stay as they are', () => {
    const stored = new Map([
      ['ModelRatio', '{"a":1}'],
      ['billing_setting.billing_mode', '{"a":"ratio"}'],
      ['billing_setting.billing_expr', '{"a":"p * 3"}'],
    ])
    expect([...convertPrices(stored).texts]).toEqual([['ModelRatio', '{"a":1}']])
  })
})
