import { expect, test } from 'vitest'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { usageToJson } from './buckets.ts'
import { charge, CHARGE_UNITS_MAX, chargeUnits, inputUnits } from './charge.ts'
import type { Price, PriceRule } from './price.ts'
import { priceToJson, recompute } from './recompute.ts'

const ratioRule: PriceRule & { type: 'ratio' } = {
  type: 'ratio',
  modelRatio: '1',
  completionRatio: '1',
  cacheRatio: '1',
  cacheWriteRatio: '1.25',
  cacheWrite1hRatio: '2',
  imageRatio: '1',
  audioRatio: '1',
  audioCompletionRatio: '1',
}

function ratioPrice(ratios: Partial<typeof ratioRule>, rest: Partial<Price> = {}): Price {
  const rule = { ...ratioRule, ...ratios }
  return { version: 1, model: 'm', group: 'default', groupRatio: '1', quotaPerUnit: '500000', rule, ...rest }
}

function callPrice(price: string, rest: Partial<Price> = {}): Price {
  return { ...ratioPrice({}, rest), rule: { type: 'call', price } }
}

function usage(counts: Partial<Usage>): Usage {
  return { ...noUsage, ...counts }
}

test('OpenAI usage: a gpt-4o call with 1000 input tokens, 200 of them cached, and 500 output tokens costs 3625', () => {
  const price = ratioPrice({ modelRatio: '1.25', completionRatio: '4', cacheRatio: '0.5' })
  const receipt = charge(price, usage({ inputText: 800, cacheRead: 200, outputText: 500 }))
  expect(receipt).toEqual({
    units: 3625n,
    lines: [
      { bucket: 'inputText', count: 800, unitPrice: '1.25', amount: '1000' },
      { bucket: 'cacheRead', count: 200, unitPrice: '0.625', amount: '125' },
      { bucket: 'outputText', count: 500, unitPrice: '5', amount: '2500' },
    ],
    subtotal: '3625',
    groupRatio: '1',
    exact: '3625',
    rounding: 'none',
  })
})

test('Anthropic usage: 1000 input, 5000 cache-read, 2000 cache-write and 300 output tokens cost 8250', () => {
  const price = ratioPrice({ modelRatio: '1.5', completionRatio: '5', cacheRatio: '0.1' })
  const counts = usage({ inputText: 1000, cacheRead: 5000, cacheWrite5m: 2000, outputText: 300 })
  expect(chargeUnits(price, counts)).toBe(8250n)
})

test('a one-hour cache write costs 1.6 times a five-minute one', () => {
  const price = ratioPrice({ modelRatio: '1.5' })
  expect(chargeUnits(price, usage({ cacheWrite5m: 1000 }))).toBe(1875n)
  expect(chargeUnits(price, usage({ cacheWrite1h: 1000 }))).toBe(3000n)
})

test('audio chat charges text input, text output, audio input and audio output at separate prices', () => {
  const price = ratioPrice({
    modelRatio: '1.25',
    completionRatio: '4',
    audioRatio: '16',
    audioCompletionRatio: '2',
  })
  const counts = usage({ inputText: 10, outputText: 20, inputAudio: 30, outputAudio: 40 })
  expect(chargeUnits(price, counts)).toBe(2313n) // (10 + 80 + 480 + 1280) x 1.25 = 2312.5
})

test('image input is charged at the image ratio and image output at the completion ratio', () => {
  const price = ratioPrice({ modelRatio: '2.5', completionRatio: '8', imageRatio: '2' })
  expect(chargeUnits(price, usage({ inputImage: 100 }))).toBe(500n)
  expect(chargeUnits(price, usage({ outputImage: 100 }))).toBe(2000n)
})

test('a price per call is charged once, whatever the token count, and not at all when nothing was used', () => {
  const price = callPrice('0.04', { groupRatio: '0.5' })
  expect(chargeUnits(price, usage({ inputText: 1 }))).toBe(10_000n)
  expect(chargeUnits(price, usage({ inputText: 1_000_000, outputText: 1_000_000 }))).toBe(10_000n)
  expect(chargeUnits(price, noUsage)).toBe(0n)
  expect(charge(price, usage({ inputText: 7 })).lines).toEqual([
    { bucket: 'call', count: 1, unitPrice: '20000', amount: '20000' },
  ])
})

test.each([
  ['0.4999', 1n, 'minimum'],
  ['0.5', 1n, 'half-away-from-zero'],
  ['1.4999', 1n, 'half-away-from-zero'],
  ['1.5', 2n, 'half-away-from-zero'],
  ['2.5', 3n, 'half-away-from-zero'],
  ['2', 2n, 'none'],
])('one token at ratio %s costs %s', (modelRatio, units, rounding) => {
  const receipt = charge(ratioPrice({ modelRatio }), usage({ inputText: 1 }))
  expect([receipt.units, receipt.rounding]).toEqual([units, rounding])
})

test('the charge is rounded once, after the sum and the group ratio', () => {
  const price = ratioPrice({ modelRatio: '0.3', completionRatio: '1' }, { groupRatio: '0.5' })
  // 0.15 + 0.15 + 0.15 = 0.45. Rounding each line separately would give 0 or 3.
  expect(chargeUnits(price, usage({ inputText: 1, cacheRead: 1, outputText: 1 }))).toBe(1n)
  expect(chargeUnits(price, usage({ inputText: 5, cacheRead: 5, outputText: 5 }))).toBe(2n)
})

test('built-in tool charges are added before the single rounding', () => {
  const price = ratioPrice({ modelRatio: '0.0001' }, { groupRatio: '2', toolPrices: { web_search: '10' } })
  const receipt = charge(price, usage({ inputText: 1, toolCalls: { web_search: 3, unpriced: 5 } }))
  expect(receipt.units).toBe(30_000n)
  expect(receipt.lines.at(-1)).toEqual({
    bucket: 'tool:web_search',
    count: 3,
    unitPrice: '5000',
    amount: '15000',
  })
})

test('the input part of a charge has every input bucket, at most the charge, and nothing of a price per call', () => {
  const price = ratioPrice({ modelRatio: '1.25', completionRatio: '4', cacheRatio: '0.5' })
  const used = usage({ inputText: 800, cacheRead: 200, outputText: 500, toolCalls: { web_search: 1 } })
  expect(inputUnits(price, used, 3625n)).toBe(1125n)
  expect(inputUnits(price, used, 100n)).toBe(100n)
  expect(inputUnits(price, usage({ outputText: 500 }), 2500n)).toBe(0n)
  expect(inputUnits(callPrice('1'), used, 500_000n)).toBe(0n)
})

test('a service tier multiplies everything except tools, and a tier without a ratio costs the ordinary price', () => {
  const tiers = { tierRatios: { priority: '1.75', flex: '0.5' }, toolPrices: { web_search: '10' } }
  const price = ratioPrice({ modelRatio: '1' }, tiers)
  const used = usage({ inputText: 1000, toolCalls: { web_search: 1 } })
  expect(chargeUnits(price, used)).toBe(6000n)
  expect(chargeUnits(price, { ...used, serviceTier: 'scale' })).toBe(6000n)
  expect(chargeUnits(price, { ...used, serviceTier: 'priority' })).toBe(6750n)
  const receipt = charge(price, { ...used, serviceTier: 'flex' })
  expect([receipt.units, receipt.lines[0]?.unitPrice]).toEqual([5500n, '0.5'])
  const kept = recompute(priceToJson(price), usageToJson({ ...used, serviceTier: 'priority' }))
  expect(kept).toBe(6750n)
})

test('a context tier multiplies all tokens of the call as soon as its input exceeds the limit', () => {
  const contextTiers = [
    { above: 100, input: '2', output: '1.5', cache: '4' },
    { above: 200, input: '3', output: '2', cache: '5' },
  ]
  const tiers = { contextTiers, tierRatios: { priority: '2' } }
  const price = ratioPrice({ modelRatio: '1', completionRatio: '4', cacheRatio: '0.5' }, tiers)
  const used = usage({ inputText: 60, cacheRead: 40, outputText: 10 })
  expect(chargeUnits(price, used)).toBe(60n + 20n + 40n)
  expect(chargeUnits(price, { ...used, inputText: 61 })).toBe(122n + 80n + 60n)
  expect(chargeUnits(price, { ...used, inputText: 160 })).toBe(320n + 80n + 60n)
  expect(chargeUnits(price, { ...used, inputText: 161 })).toBe(483n + 100n + 80n)
  const fast = { ...used, inputText: 161, serviceTier: 'priority' }
  expect(chargeUnits(price, fast)).toBe(2n * (483n + 100n + 80n))
  expect(recompute(priceToJson(price), usageToJson(fast))).toBe(chargeUnits(price, fast))
  expect(charge(price, fast).lines.map(({ unitPrice }) => unitPrice)).toEqual(['6', '5', '16'])
  const session = { ...used, inputText: 1000, turns: 20 }
  expect(chargeUnits(price, session)).toBe(1000n + 20n + 40n)
})

test('a stored price whose context tiers are out of order is rejected', () => {
  const tier = { above: 100, input: '2', output: '1.5', cache: '4' }
  for (const contextTiers of [[tier, tier], [{ ...tier, above: 0 }], [{ ...tier, cache: 4 }], {}, [null]]) {
    const text = JSON.stringify({ ...ratioPrice({}), contextTiers })
    expect(() => recompute(text, '{"inputText":1}')).toThrow()
  }
})

test('an invalid quantity throws instead of producing a credit', () => {
  const price = ratioPrice({})
  for (const count of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    expect(() => chargeUnits(price, usage({ inputText: count })), String(count)).toThrow(/safe integer/)
  }
})

test('a charge is capped below the range of a 64-bit column', () => {
  const price = ratioPrice({ modelRatio: '1000000', completionRatio: '1000000' }, { groupRatio: '1000000' })
  const receipt = charge(price, usage({ outputText: Number.MAX_SAFE_INTEGER }))
  expect([receipt.units, receipt.rounding]).toEqual([CHARGE_UNITS_MAX, 'maximum'])
})

test('an entry recomputes from its stored JSON to the same integer', () => {
  const price = ratioPrice(
    { modelRatio: '0.1369863014', completionRatio: '1.3333333333333333' },
    { groupRatio: '0.87' },
  )
  const counts = usage({
    inputText: 1234,
    outputText: 567,
    reasoning: 5,
    toolCalls: { web_search: 1 },
    raw: { a: 1 },
  })
  expect(recompute(priceToJson(price), usageToJson(counts))).toBe(chargeUnits(price, counts))
  expect(usageToJson(counts)).not.toContain('raw')
})

test.each(['{', 'null', '[]', '{}', '{"rule":{"type":"ratio"},"groupRatio":"1","quotaPerUnit":"1"}'])(
  '%s is rejected as a stored price',
  (text) => {
    expect(() => recompute(text, '{}')).toThrow(/stored price|JSON/)
  },
)

test('a stored usage with counts that are not numbers is rejected', () => {
  expect(() => recompute(priceToJson(ratioPrice({})), '{"inputText":"1"}')).toThrow(/stored usage/)
  expect(() => recompute(priceToJson(ratioPrice({})), '[]')).toThrow(/stored usage/)
})

test('Unlike new-api: token prices and per-call prices both scale with the quota per unit', () => {
  const half = { quotaPerUnit: '250000' }
  expect(chargeUnits(ratioPrice({ modelRatio: '1' }, half), usage({ inputText: 1000 }))).toBe(500n)
  expect(chargeUnits(callPrice('0.002', half), usage({ inputText: 1000 }))).toBe(500n)
})

test('Unlike new-api: a tiny call costs at least one unit', () => {
  expect(chargeUnits(ratioPrice({ modelRatio: '0.01' }), usage({ inputText: 1 }))).toBe(1n)
  expect(chargeUnits(callPrice('0.0000001'), usage({ inputText: 1 }))).toBe(1n)
})

test('Unlike new-api: a group with ratio 0 is free, and no charge is lost to truncation', () => {
  expect(chargeUnits(ratioPrice({ modelRatio: '1.5' }, { groupRatio: '0' }), usage({ inputText: 9 }))).toBe(
    0n,
  )
  expect(chargeUnits(ratioPrice({ modelRatio: '0' }), usage({ inputText: 9 }))).toBe(0n)
  expect(chargeUnits(ratioPrice({ modelRatio: '0.6' }), usage({ inputText: 3 }))).toBe(2n)
})

test('Unlike new-api: cached input is counted beside the uncached input, neither subtracted from it nor charged twice', () => {
  const price = ratioPrice({ modelRatio: '1.5', cacheRatio: '0.1' })
  expect(chargeUnits(price, usage({ inputText: 10, cacheRead: 10_000 }))).toBe(1515n)
})

test('Unlike new-api: a response without text is still charged for its input', () => {
  expect(chargeUnits(ratioPrice({ modelRatio: '0.05' }), usage({ inputText: 1000 }))).toBe(50n)
})
