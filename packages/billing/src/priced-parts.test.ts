import { noUsage, type Usage } from '@tollgate/dialects/usage'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { usageToJson } from './buckets.ts'
import { charge } from './charge.ts'
import { defaultPriceOptions } from './defaults.ts'
import type { Price } from './price.ts'
import { buildPriceBook } from './price-book.ts'
import { priceHash } from './price-hash.ts'
import { parsePriceOptions } from './price-options.ts'
import { chargeParts, partsUnits, type PricedPart } from './priced-parts.ts'
import { listPartHashes, priceToJson, recompute } from './recompute.ts'

const options = {
  ...defaultPriceOptions,
  ModelRatio: JSON.stringify({ cheap: 0.05, dear: 75, odd: 0.333, free: 0 }),
  CompletionRatio: JSON.stringify({ cheap: 1, dear: 4, odd: 1.7, free: 1 }),
}
const book = buildPriceBook(parsePriceOptions(options), 3)

function priceFor(model: string): Price {
  const price = book.find({ model, group: 'default', acceptsUnpriced: false })
  if (price === undefined) throw new Error(`${model} has no price`)
  return price
}

const used = (inputText: number, outputText: number): Usage => ({ ...noUsage, inputText, outputText })
const advice = (model: string, usage: Usage): PricedPart => ({
  kind: 'advice',
  model,
  price: priceFor(model),
  usage,
})

test('a call that another model helped costs both, rounded once', () => {
  expect(partsUnits(priceFor('cheap'), used(5, 4), [])).toBe(1n)
  // 0.45 + 0.05 are half a unit, which no part alone reaches.
  expect(partsUnits(priceFor('cheap'), used(5, 4), [advice('cheap', used(1, 0))])).toBe(1n)
  expect(partsUnits(priceFor('cheap'), used(100, 0), [advice('dear', used(1000, 1000))])).toBe(375_005n)
})

test('parts that are free or unused owe nothing, and the smallest owed part owes one unit', () => {
  expect(partsUnits(priceFor('free'), used(9, 9), [advice('free', used(9, 9))])).toBe(0n)
  expect(partsUnits(priceFor('cheap'), noUsage, [advice('dear', noUsage)])).toBe(0n)
  expect(partsUnits(priceFor('free'), used(9, 9), [advice('cheap', used(1, 0))])).toBe(1n)
})

const anyUsage = fc.tuple(fc.nat(5_000), fc.nat(5_000)).map(([input, output]) => used(input, output))
const anyModel = fc.constantFrom('cheap', 'dear', 'odd', 'free')
const anyParts = fc.array(fc.tuple(anyModel, anyUsage), { maxLength: 7 })

test('the charge of a call with parts, its receipt and its entry are the same integer', () => {
  fc.assert(
    fc.property(anyModel, anyUsage, anyParts, (model, usage, named) => {
      const parts = named.map(([name, used]) => advice(name, used))
      const price = priceFor(model)
      const units = partsUnits(price, usage, parts)
      const receipt = chargeParts(price, usage, parts)
      expect(receipt.units).toBe(units)
      const apart = [charge(price, usage), ...parts.map((part) => charge(part.price, part.usage))]
      expect(receipt.lines).toHaveLength(apart.reduce((sum, { lines }) => sum + lines.length, 0))
      // Rounding each part alone differs by less than half a unit for each, and the least charge of each.
      const summed = apart.reduce((sum, each) => sum + each.units, 0n)
      expect(Math.abs(Number(summed - units))).toBeLessThanOrEqual(apart.length)
      const stored = parts.map(({ kind, model: name, price: own, usage: counts }) => ({
        kind,
        model: name,
        price: priceHash(priceToJson(own)),
        inputText: counts.inputText,
        outputText: counts.outputText,
      }))
      const usageJson = usageToJson(usage, stored)
      const kept = new Map(parts.map(({ price: own }) => [priceHash(priceToJson(own)), priceToJson(own)]))
      expect(recompute(priceToJson(price), usageJson, (hash) => kept.get(hash))).toBe(units)
      expect(listPartHashes(usageJson)).toHaveLength(parts.length)
    }),
  )
})

test('a part at a price that is not kept cannot be computed again', () => {
  const usageJson = usageToJson(used(1, 1), [{ kind: 'advice', price: 'A'.repeat(22), inputText: 5 }])
  expect(() => recompute(priceToJson(priceFor('cheap')), usageJson)).toThrow('is not kept')
})

test('an entry of the version before has one price', () => {
  expect(listPartHashes(usageToJson(used(100, 100)))).toEqual([])
  expect(recompute(priceToJson(priceFor('dear')), usageToJson(used(100, 100)))).toBe(37_500n)
})
