import { noUsage } from '@tollgate/dialects/usage'
import { expect, test } from 'vitest'
import { usageToJson } from './buckets.ts'
import { charge, chargeUnits } from './charge.ts'
import { defaultPriceOptions } from './defaults.ts'
import { holdAmounts, type HoldInput } from './hold.ts'
import { withPicturePrice } from './picture-price.ts'
import { buildPriceBook } from './price-book.ts'
import { parsePriceOptions } from './price-options.ts'
import { priceToJson, recompute } from './recompute.ts'

const options = {
  ...defaultPriceOptions,
  ModelPrice: '{"dall-e-3":0.04,"dall-e-2":0.02}',
  ModelRatio: '{"gpt-image-1":2.5,"flux":16,"free":0}',
}
const book = buildPriceBook(parsePriceOptions(options), 1)

function priceFor(model: string, size?: string, quality?: string) {
  const price = book.find({ model, group: 'default', acceptsUnpriced: false })
  if (price === undefined) throw new Error(`${model} has no price`)
  return withPicturePrice(price, { model, size, quality })
}

test.each([
  ['dall-e-2', '256x256', undefined, 4_000n],
  ['dall-e-2', '512x512', undefined, 4_500n],
  ['dall-e-2', undefined, undefined, 10_000n],
  ['dall-e-3', '1024x1024', 'standard', 20_000n],
  ['dall-e-3', '1024x1792', undefined, 40_000n],
  ['dall-e-3', '1024x1024', 'hd', 40_000n],
  ['dall-e-3', '1792x1024', 'hd', 60_000n],
  ['flux', '512x512', 'hd', 20_000n],
  ['free', undefined, undefined, 0n],
])('an image of %s, size %s, quality %s has its price', (model, size, quality, units) => {
  const price = priceFor(model, size, quality)
  expect(chargeUnits(price, { ...noUsage, images: 1 })).toBe(units)
  expect(chargeUnits(price, { ...noUsage, images: 3 })).toBe(3n * units)
})

test('reported tokens take precedence over a price per image, unless the model is priced per call', () => {
  const usage = { ...noUsage, inputText: 10, outputImage: 100, images: 2 }
  expect(chargeUnits(priceFor('gpt-image-1'), usage)).toBe(BigInt((10 + 100 * 8) * 2.5))
  expect(chargeUnits(priceFor('dall-e-3'), usage)).toBe(40_000n)
})

test('a receipt lists images, and recomputes to the same charge', () => {
  const price = priceFor('dall-e-3', '1024x1792', 'hd')
  const usage = { ...noUsage, images: 2 }
  expect(charge(price, usage).lines).toEqual([
    { bucket: 'picture', count: 2, unitPrice: '60000', amount: '120000' },
  ])
  expect(recompute(priceToJson(price), usageToJson(usage))).toBe(120_000n)
})

test('the hold covers every image, by price per image and by tokens', () => {
  expect(holdAmounts(inputFor('dall-e-3'))).toMatchObject({ hold: 80_000n, ceiling: 80_000n })
  expect(holdAmounts(inputFor('flux'))).toMatchObject({ hold: 101_536n })
  const tokens = holdAmounts(inputFor('gpt-image-1'))
  expect(tokens.hold).toBe(BigInt((10 + 4 * 1584 * 8) * 2.5))
  expect(tokens.ceiling).toBeGreaterThan(BigInt(4 * 20_000 * 8 * 2.5))
})

function inputFor(model: string): HoldInput {
  return {
    price: priceFor(model),
    inputTokensCounted: 10,
    outputTokensMax: undefined,
    modelOutputTokensMax: 20_000,
    choices: 4,
    preConsumedTokens: 1584,
    mode: 'metered',
    media: ['inputImage', 'outputImage'],
    pictures: 4,
  }
}
