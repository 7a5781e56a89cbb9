import { charge } from '@tollgate/billing/charge'
import type { Price } from '@tollgate/billing/price'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactOf, exactText, isSame, zero } from './exact.ts'
import { type BucketCounts, type FrozenPrice, frozenReceipt } from './frozen-receipt.ts'
import { bucketNames } from './receipt.ts'

const exact = (text: string) => exactOf(text) ?? zero

/** The gateway's own price and usage, as the page reads them from a row. */
function frozen(price: Price): FrozenPrice {
  const { rule } = price
  const one = (text: string | undefined) => exact(text ?? '0')
  return {
    version: price.version,
    groupRatio: exact(price.groupRatio),
    quotaPerUnit: exact(price.quotaPerUnit),
    toolPrices: new Map(Object.entries(price.toolPrices ?? {}).map(([name, text]) => [name, exact(text)])),
    rule:
      rule.type === 'call'
        ? { type: 'call', price: exact(rule.price) }
        : {
            type: 'ratio',
            modelRatio: one(rule.modelRatio),
            completionRatio: one(rule.completionRatio),
            cacheRatio: one(rule.cacheRatio),
            cacheWriteRatio: one(rule.cacheWriteRatio),
            cacheWrite1hRatio: one(rule.cacheWrite1hRatio),
            imageRatio: one(rule.imageRatio),
            audioRatio: one(rule.audioRatio),
            audioCompletionRatio: one(rule.audioCompletionRatio),
          },
  }
}

function counts(usage: Usage): BucketCounts {
  return { tokens: usage, toolCalls: new Map(Object.entries(usage.toolCalls ?? {})) }
}

const decimal = fc
  .tuple(fc.nat({ max: 400 }), fc.nat({ max: 9999 }))
  .map(([whole, fraction]) => exactText(exact(`${whole}.${String(fraction).padStart(4, '0')}`)))

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

const anyPrice: fc.Arbitrary<Price> = fc.record({
  version: fc.nat(),
  model: fc.constant('m'),
  group: fc.constant('vip'),
  groupRatio: fc.oneof(decimal, fc.constantFrom('0', '1', '0.9')),
  quotaPerUnit: fc.constantFrom('500000', '1000000', '333333', '0.5'),
  rule: fc.oneof(ratioPrice, fc.record({ type: fc.constant('call' as const), price: decimal })),
  toolPrices: fc.record({ web_search: decimal }),
})

const anyUsage: fc.Arbitrary<Usage> = fc
  .tuple(...bucketNames.map(() => fc.oneof(fc.constant(0), fc.nat({ max: 300_000 }))), fc.nat({ max: 3 }))
  .map((numbers) => ({
    ...noUsage,
    ...Object.fromEntries(bucketNames.map((name, index) => [name, numbers[index] ?? 0])),
    toolCalls: { web_search: numbers.at(-1) ?? 0 },
  }))

describe('the receipt of a frozen price', () => {
  it('is the same, line by line, as the charge of the gateway', () => {
    fc.assert(
      fc.property(anyPrice, anyUsage, (price, usage) => {
        const own = charge(price, usage)
        const receipt = frozenReceipt(frozen(price), counts(usage))
        expect(receipt.units).toBe(own.units)
        expect(exactText(receipt.subtotal)).toBe(own.subtotal)
        expect(isSame(receipt.exact, exact(own.exact))).toBe(true)
        const lines = receipt.lines.map((line) => [
          line.name,
          line.count,
          exactText(line.unitPrice),
          exactText(line.amount),
        ])
        expect(lines).toEqual(own.lines.map((line) => [line.bucket, line.count, line.unitPrice, line.amount]))
      }),
      { numRuns: 500 },
    )
  })
})
