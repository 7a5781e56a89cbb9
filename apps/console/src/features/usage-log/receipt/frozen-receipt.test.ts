import { buckets } from '@tollgate/billing/buckets'
import { charge } from '@tollgate/billing/charge'
import { decimalText, scaledOf } from '@tollgate/billing/decimal'
import type { Price } from '@tollgate/billing/price'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frozenReceipt } from './frozen-receipt.ts'

const decimal = fc
  .tuple(fc.nat({ max: 400 }), fc.nat({ max: 9999 }))
  .map(([whole, fraction]) => decimalText(scaledOf(`${whole}.${String(fraction).padStart(4, '0')}`)))

const ratioPrice = fc.record({
  type: fc.constant('ratio' as const),
  modelRatio: decimal,
  completionRatio: decimal,
  cacheRatio: decimal,
  cacheWriteRatio: decimal,
  cacheWrite1hRatio: decimal,
  imageRatio: decimal,
  audioRatio: decimal,
  audioCompletionRatio: decimal,
})

const ones = {
  type: 'ratio',
  modelRatio: '1',
  completionRatio: '1',
  cacheRatio: '1',
  cacheWriteRatio: '1',
  cacheWrite1hRatio: '1',
  imageRatio: '1',
  audioRatio: '1',
  audioCompletionRatio: '1',
} as const

const picture = fc.record({ each: decimal, size: fc.constant('1024x1024'), quality: fc.constant('hd') })

const anyPrice: fc.Arbitrary<Price> = fc.record({
  version: fc.nat(),
  picture: fc.option(picture, { nil: undefined }),
  model: fc.constant('m'),
  group: fc.constant('vip'),
  groupRatio: fc.oneof(decimal, fc.constantFrom('0', '1', '0.9')),
  quotaPerUnit: fc.constantFrom('500000', '1000000', '333333', '0.5'),
  rule: fc.oneof(ratioPrice, fc.record({ type: fc.constant('call' as const), price: decimal })),
  toolPrices: fc.record({ web_search: decimal }),
  tierRatios: fc.record({ priority: decimal }),
  contextTiers: fc.constantFrom(
    [],
    [{ above: 300_000, input: '2', output: '1.5', cache: '2' }],
    [
      { above: 100_000, input: '0.5', output: '3', cache: '0.3333' },
      { above: 600_000, input: '2', output: '1.5', cache: '1.75' },
    ],
  ),
})

const anyTokens: fc.Arbitrary<Usage> = fc
  .tuple(...buckets.map(() => fc.oneof(fc.constant(0), fc.nat({ max: 300_000 }))), fc.nat({ max: 3 }))
  .map((numbers) => ({
    ...noUsage,
    ...Object.fromEntries(buckets.map((name, index) => [name, numbers[index] ?? 0])),
    toolCalls: { web_search: numbers.at(-1) ?? 0 },
  }))

/** Generates usage of several kinds, such as images without tokens and sessions with turns. */
const anyUsage: fc.Arbitrary<Usage> = fc
  .tuple(
    anyTokens,
    fc.constantFrom('text', 'tier', 'pictures', 'drawn', 'session'),
    fc.nat({ max: 10 }),
    fc.constantFrom('priority', 'scale'),
  )
  .map(([usage, kind, count, serviceTier]) => {
    if (kind === 'tier') return { ...usage, serviceTier }
    if (kind === 'pictures') return { ...noUsage, images: count }
    if (kind === 'drawn') return { ...usage, images: count }
    return kind === 'session' ? { ...usage, turns: count } : usage
  })

describe('the receipt of a frozen price', () => {
  it("equals the gateway's charge line by line", () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, (price, usage) => {
        const own = charge(price, usage)
        const receipt = frozenReceipt(price, usage)
        expect(receipt.units).toBe(own.units)
        expect(decimalText(receipt.subtotal)).toBe(own.subtotal)
        expect(decimalText(receipt.exact)).toBe(own.exact)
        const lines = receipt.lines.map((line) => [
          line.name,
          line.count,
          decimalText(line.unitPrice),
          decimalText(line.amount),
        ])
        expect(lines).toEqual(own.lines.map((line) => [line.bucket, line.count, line.unitPrice, line.amount]))
      }),
      { numRuns: 500 },
    )
  })

  it('is limited to the maximum charge and reports it', () => {
    const rule = { ...ones, modelRatio: '1000000', completionRatio: '1000000' }
    const price: Price = {
      version: 1,
      model: 'm',
      group: 'vip',
      groupRatio: '1000000',
      quotaPerUnit: '500000',
      rule,
    }
    const usage: Usage = { ...noUsage, outputText: Number.MAX_SAFE_INTEGER }
    const receipt = frozenReceipt(price, usage)
    expect([receipt.units, receipt.rounding]).toEqual([charge(price, usage).units, 'maximum'])
  })
})

describe('a drawing, a song or a video', () => {
  const price: Price = {
    model: 'kling-v1',
    group: 'default',
    version: 1,
    groupRatio: '1',
    quotaPerUnit: '500000',
    rule: { type: 'call', price: '0.1' },
  }
  const linesFor = (usage: Usage) => frozenReceipt(price, usage).lines.map(({ name, count }) => [name, count])

  it('has one line for its price and none for the `submission` counter', () => {
    expect(linesFor({ ...noUsage, toolCalls: { submission: 1 } })).toEqual([['call', 1]])
  })

  it('is charged per second', () => {
    const video = { ...noUsage, seconds: 5, toolCalls: { submission: 1 } }
    expect(linesFor(video)).toEqual([['second', 5]])
    expect(frozenReceipt(price, video).units).toBe(charge(price, video).units)
  })
})
