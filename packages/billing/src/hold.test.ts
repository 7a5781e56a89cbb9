import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUsage } from '@tollgate/dialects/usage'
import { chargeUnits } from './charge.ts'
import { fittingOutput, holdAmounts, inputBound, type HoldInput } from './hold.ts'
import type { Price } from './price.ts'

const price: Price = {
  version: 1,
  model: 'm',
  group: 'default',
  groupRatio: '1',
  quotaPerUnit: '500000',
  rule: {
    type: 'ratio',
    modelRatio: '1',
    completionRatio: '4',
    cacheRatio: '0.5',
    cacheWriteRatio: '1',
    cacheWrite1hRatio: '1',
    imageRatio: '1',
    audioRatio: '20',
    audioCompletionRatio: '2',
  },
}

const call: HoldInput = {
  price,
  inputTokensCounted: 1000,
  outputTokensMax: 100,
  modelOutputTokensMax: 8192,
  choices: 1,
  preConsumedTokens: 500,
  mode: 'metered',
}

test('metered mode holds the estimate, and the ceiling is the price of the largest possible call', () => {
  expect(holdAmounts(call)).toEqual({
    hold: 1400n,
    estimate: 1400n,
    ceiling: BigInt(1000 * 1.3 + 256 + 100 * 4),
  })
})

test('strict mode holds the ceiling, lenient mode the estimate', () => {
  expect(holdAmounts({ ...call, mode: 'strict' }).hold).toBe(1956n)
  expect(holdAmounts({ ...call, mode: 'lenient' }).hold).toBe(1400n)
})

test('without a requested maximum the hold uses the assumed output and the ceiling uses the model limit', () => {
  const amounts = holdAmounts({ ...call, outputTokensMax: undefined })
  expect(amounts.hold).toBe(BigInt(1000 + 500 * 4))
  expect(amounts.ceiling).toBe(BigInt(1556 + 8192 * 4))
})

test('a more expensive service tier raises the hold, a cheaper one does not lower it', () => {
  const tiers = { ...price, tierRatios: { priority: '2', flex: '0.5' } }
  const plain = holdAmounts({ ...call, price: tiers })
  const { hold, ceiling } = holdAmounts({ ...call, price: tiers, serviceTier: 'priority' })
  expect([hold, ceiling]).toEqual([plain.hold * 2n, plain.ceiling * 2n])
  expect(holdAmounts({ ...call, price: tiers, serviceTier: 'flex' })).toEqual(plain)
})

test('the ceiling of a call that may cross a context tier is the higher price of the two sides', () => {
  const tier = { above: 1200, input: '2', output: '1.5', cache: '2' }
  const long = { ...call, price: { ...price, contextTiers: [tier] } }
  const amounts = holdAmounts(long)
  expect([amounts.hold, amounts.ceiling]).toEqual([1400n, BigInt(1556 * 2 + 100 * 4 * 1.5)])
  const reduced = { ...tier, input: '0.5', cache: '0.1', output: '0.5' }
  const less = holdAmounts({ ...long, price: { ...price, contextTiers: [reduced] } })
  expect(less.ceiling).toBe(BigInt(1200 + 100 * 4))
  const far = { ...call, price: { ...price, contextTiers: [{ ...tier, above: 1556 }] } }
  expect(holdAmounts(far)).toEqual(holdAmounts(call))
  expect(holdAmounts({ ...long, inputTokensCounted: 2000 }).hold).toBe(BigInt(2000 * 2 + 100 * 4 * 1.5))
})

test('certain tool calls are held for, possible ones only raise the ceiling', () => {
  const priced = { ...price, toolPrices: { web_search: '10', web_search_preview: '25' } }
  const plain = holdAmounts({ ...call, price: priced })
  const certain = { web_search_preview: 1 }
  const most = { web_search_preview: 1, web_search: 3 }
  const amounts = holdAmounts({ ...call, price: priced, toolCalls: { certain, most } })
  expect(amounts.hold - plain.hold).toBe(12_500n)
  expect(amounts.ceiling - plain.ceiling).toBe(12_500n + 3n * 5_000n)
})

test('every requested choice is counted', () => {
  const one = holdAmounts(call)
  const five = holdAmounts({ ...call, choices: 5 })
  expect(five.hold - one.hold).toBe(BigInt(4 * 100 * 4))
  expect(five.ceiling - one.ceiling).toBe(BigInt(4 * 100 * 4))
})

function paidBy(input: HoldInput, units: bigint): number | undefined {
  return fittingOutput([input], ({ ceiling }) => ceiling <= units)
}

test('fittingOutput finds the largest output that a balance can pay for', () => {
  // Input costs 1,556 units, and output 4 units per token for each of the two choices.
  const two = { ...call, choices: 2 }
  expect(paidBy(two, 1556n + 8n * 70n + 7n)).toBe(70)
  expect(paidBy(two, 1556n + 8n * 1000n)).toBe(100)
  expect(paidBy(two, 1556n + 7n)).toBeUndefined()
  expect(paidBy({ ...call, price: { ...price, rule: { type: 'call', price: '1' } } }, 9n)).toBeUndefined()
})

test('a call whose upstream reads additional input holds the estimate, and its ceiling covers the context of the model', () => {
  const plain = holdAmounts(call)
  const { hold, estimate, ceiling } = holdAmounts({ ...call, inputTokensMax: 200_000 })
  expect([hold, estimate]).toEqual([plain.hold, plain.estimate])
  expect(ceiling).toBe(BigInt(200_000 + 100 * 4))
  expect(holdAmounts({ ...call, inputTokensMax: 10 }).ceiling).toBe(plain.ceiling)
  expect(holdAmounts({ ...call, inputTokensMax: 200_000, mode: 'strict' }).hold).toBe(ceiling)
})

test('reasoning that is not counted against max_tokens is in the ceiling of every choice, but not in the estimate', () => {
  const plain = holdAmounts({ ...call, choices: 2 })
  const amounts = holdAmounts({ ...call, choices: 2, reasoningTokensMax: 1000 })
  expect(amounts.estimate).toBe(plain.estimate)
  expect(amounts.ceiling - plain.ceiling).toBe(BigInt(2 * 1000 * 4))
  const most = 1556n + 4000n + 4n * 70n
  expect(fittingOutput([{ ...call, reasoningTokensMax: 1000 }], ({ ceiling }) => ceiling <= most)).toBe(70)
})

test('an estimate never exceeds its ceiling', () => {
  const amounts = holdAmounts({
    ...call,
    outputTokensMax: undefined,
    modelOutputTokensMax: 10,
    preConsumedTokens: 1_000_000,
  })
  expect(amounts.hold).toBe(amounts.ceiling)
})

test('media that a call may carry raise only the ceiling', () => {
  const amounts = holdAmounts({ ...call, media: ['inputAudio', 'outputAudio'] })
  expect(amounts.ceiling).toBe(BigInt(1556 * 20 + 100 * 40))
  expect(amounts.hold).toBe(1400n)
})

test('a price per call is held in full, whatever the tokens', () => {
  const fixed: Price = { ...price, rule: { type: 'call', price: '0.04' } }
  for (const mode of ['metered', 'strict', 'lenient'] as const) {
    const amounts = holdAmounts({ ...call, price: fixed, inputTokensCounted: 0, outputTokensMax: 0, mode })
    expect(amounts).toEqual({ hold: 20_000n, estimate: 20_000n, ceiling: 20_000n })
  }
})

test('a free call holds zero', () => {
  const amounts = holdAmounts({ ...call, price: { ...price, groupRatio: '0' }, mode: 'strict' })
  expect(amounts).toEqual({ hold: 0n, estimate: 0n, ceiling: 0n })
})

test('an absurdly large request gets an absurdly large hold instead of overflowing', () => {
  const amounts = holdAmounts({ ...call, outputTokensMax: Number.MAX_SAFE_INTEGER, choices: 128 })
  expect(amounts.hold).toBe(1000n + 4n * BigInt(Number.MAX_SAFE_INTEGER))
})

test('Unlike new-api: a large prompt is held for in full when the request names no maximum output', () => {
  const amounts = holdAmounts({ ...call, inputTokensCounted: 100_000, outputTokensMax: undefined })
  expect(amounts.hold).toBeGreaterThanOrEqual(100_000n)
})

test('the ceiling covers every distribution of the permitted tokens over buckets', () => {
  const shares = fc.array(fc.nat(100), { minLength: 4, maxLength: 4 })
  const factor = fc.constantFrom('0.1', '0.5', '1', '1.5', '3')
  const tier = fc.record({
    above: fc.integer({ min: 1, max: 60_000 }),
    input: factor,
    output: factor,
    cache: factor,
  })
  const tiers = fc
    .uniqueArray(tier, { maxLength: 3, selector: ({ above }) => above })
    .map((some) => some.toSorted((left, right) => left.above - right.above))
  fc.assert(
    fc.property(
      fc.nat(50_000),
      fc.nat(5000),
      shares,
      tiers,
      fc.nat(100),
      fc.nat(200_000),
      fc.nat(5000),
      (
        counted,
        outputTokensMax,
        [a = 0, b = 0, c = 0, d = 0],
        contextTiers,
        percent,
        inputTokensMax,
        reasoningTokensMax,
      ) => {
        const tiered = { ...price, contextTiers }
        const input = Math.floor((Math.max(inputBound(counted), inputTokensMax) * percent) / 100)
        const share = (part: number) => Math.floor((input * part) / (a + b + c + d + 1))
        const worst = {
          ...noUsage,
          inputText: share(a),
          cacheRead: share(b),
          cacheWrite5m: share(c),
          cacheWrite1h: share(d),
        }
        const { ceiling, hold, estimate } = holdAmounts({
          ...call,
          price: tiered,
          inputTokensCounted: counted,
          inputTokensMax,
          outputTokensMax,
          reasoningTokensMax,
        })
        const outputText = outputTokensMax + reasoningTokensMax
        expect(chargeUnits(tiered, { ...worst, outputText })).toBeLessThanOrEqual(ceiling)
        expect(hold).toBe(estimate)
        expect(estimate).toBeLessThanOrEqual(ceiling)
      },
    ),
  )
})

test('beside a price per call the hold has the certain fees, and the ceiling the most', () => {
  const fixed: Price = {
    ...price,
    rule: { type: 'call', price: '0.04' },
    toolPrices: { request: '5', search: '10' },
  }
  const toolCalls = { certain: { request: 1 }, most: { request: 1, search: 10 } }
  const input: HoldInput = { ...call, price: fixed, toolCalls }
  expect(holdAmounts(input)).toEqual({ hold: 22_500n, estimate: 22_500n, ceiling: 72_500n })
  expect(holdAmounts({ ...input, mode: 'strict' }).hold).toBe(72_500n)
  const free: Price = { ...fixed, rule: { type: 'call', price: '0' } }
  expect(holdAmounts({ ...input, price: free })).toEqual({ hold: 2_500n, estimate: 2_500n, ceiling: 52_500n })
})
