import { noUsage } from '@tollgate/dialects/usage'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { usageToJson, usedOf } from './buckets.ts'
import { defaultPriceOptions } from './defaults.ts'
import { buildPriceBook } from './price-book.ts'
import { priceHash } from './price-hash.ts'
import { parsePriceOptions } from './price-options.ts'
import { chargeParts, partsUnits } from './priced-parts.ts'
import { priceToJson, recompute } from './recompute.ts'
import { raiseToVendorCost } from './vendor-cost.ts'

const book = (vendorCostRatio: object, group = 1) =>
  buildPriceBook(
    parsePriceOptions({
      ...defaultPriceOptions,
      ModelRatio: JSON.stringify({ 'sonar-a': 0.1, 'sonar-b': 0.1, other: 0.1 }),
      CompletionRatio: '{}',
      GroupRatio: JSON.stringify({ default: group }),
      VendorCostRatio: JSON.stringify(vendorCostRatio),
    }),
    1,
  )
const priceFor = (model: string, ratios: object, group = 1) => {
  const price = book(ratios, group).find({ model, group: 'default', acceptsUnpriced: false })
  if (price === undefined) throw new Error('the model has a price')
  return price
}

test.each([
  ['sonar-a', { 'sonar-*': 1, 'sonar-a': 1.5 }, '1.5'],
  ['sonar-b', { 'sonar-*': 1, 'sonar-a': 1.5 }, '1'],
  ['sonar-b', { 'sonar-*': 1, 'sonar-b': 0 }, undefined],
  ['other', { 'sonar-*': 1 }, undefined],
  ['other', { '*': 2 }, '2'],
])('the price of %s among %j has the ratio %s', (model, ratios, ratio) => {
  expect(priceFor(model, ratios).vendorCostRatio).toBe(ratio)
})

const usage = { ...noUsage, inputText: 1_000 }
const charged = (price: ReturnType<typeof priceFor>, toldUnits: bigint, used = usage) => {
  const parts = raiseToVendorCost({ price, usage: used, parts: [], toldUnits }) ?? []
  return { parts, units: partsUnits(price, used, parts) }
}

test.each([
  // 1,000 tokens cost 100 units.
  [1, 80n, 100n],
  [1, 100n, 100n],
  [1, 130n, 130n],
  [1.5, 130n, 195n],
  [1.5, 1n, 100n],
])('with the ratio %d a call whose vendor told %d units costs %d', (ratio, told, units) => {
  expect(charged(priceFor('other', { other: ratio }), told).units).toBe(units)
})

test('a free group stays free, and a discount of the group does not sell below the cost', () => {
  expect(charged(priceFor('other', { other: 1 }, 0), 130n).units).toBe(0n)
  expect(charged(priceFor('other', { other: 1 }, 0.5), 130n).units).toBe(130n)
})

test('a charge that was raised is recomputed from its entry to the same integer', () => {
  fc.assert(
    fc.property(
      fc.nat(5_000),
      fc.bigInt({ min: 0n, max: 1_000_000n }),
      fc.integer({ min: 1, max: 40 }),
      (tokens, told, tenths) => {
        const price = priceFor('other', { other: tenths / 10 })
        const used = { ...noUsage, inputText: tokens }
        const { parts, units } = charged(price, told, used)
        expect(units).toBeGreaterThanOrEqual(BigInt(Math.ceil((Number(told) * tenths) / 10 - 1e-6)))
        const stored = parts.map(({ kind, price: own, usage: part }) => ({
          kind,
          price: priceHash(priceToJson(own)),
          ...usedOf(part),
        }))
        const texts = new Map(parts.map(({ price: own }) => [priceHash(priceToJson(own)), priceToJson(own)]))
        expect(recompute(priceToJson(price), usageToJson(used, stored), (hash) => texts.get(hash))).toBe(
          units,
        )
        expect(chargeParts(price, used, parts).units).toBe(units)
      },
    ),
  )
})
