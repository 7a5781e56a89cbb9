import { defaultPriceOptions } from '@tollgate/billing/defaults'
import { buildPriceBook } from '@tollgate/billing/price-book'
import { parsePriceOptions } from '@tollgate/billing/price-options'
import { priceToJson, recompute } from '@tollgate/billing/recompute'
import { withVideoSize } from '@tollgate/billing/video-price'
import { listFeeRows } from '@tollgate/catalogue/fees/fee-rows'
import { noUsage } from '@tollgate/dialects/usage'
import { invariant } from '@tollgate/kit/invariant'
import { expect, it } from 'vitest'
import { checkCharge } from './check-charge.ts'

const options = (changed: object = {}) => parsePriceOptions({ ...defaultPriceOptions, ...changed })
const book = buildPriceBook(options(), 7)
const price = book.find({ model: 'gpt-4o', group: 'default', acceptsUnpriced: false })
invariant(price, 'the built-in prices know gpt-4o')
const priceJson = priceToJson(price)
const usageJson = JSON.stringify({ ...noUsage, inputText: 1000, outputText: 77 })
const charge = { key: 'consume:1', units: recompute(priceJson, usageJson), priceJson, usageJson }
const bookOf = (version: number) => (version === 7 ? book : undefined)

it('a charge that equals its usage at the price of its version has no finding', () => {
  expect(charge.units).toBeGreaterThan(0n)
  expect(checkCharge(charge, bookOf)).toBeUndefined()
})

it.each(['1280x720', '1792x1024', '1024x1792'])('a video of %s has no finding', (size) => {
  const sold = book.find({ model: 'sora-2', group: 'default', acceptsUnpriced: false })
  invariant(sold, 'the built-in prices know sora-2')
  const video = {
    priceJson: priceToJson(withVideoSize(sold, { model: 'sora-2', size })),
    usageJson: JSON.stringify({ ...noUsage, seconds: 8 }),
  }
  const units = recompute(video.priceJson, video.usageJson)
  expect(checkCharge({ key: 'consume:2', units, ...video }, bookOf)).toBeUndefined()
})

it('a charge that is one unit off is a finding', () => {
  expect(checkCharge({ ...charge, units: charge.units + 1n }, bookOf)).toContain('its usage costs')
})

it('a charge by a version that is not stored is a finding', () => {
  expect(checkCharge(charge, () => undefined)).toContain('which is not kept')
})

it.each([
  { ModelRatio: '{"gpt-4o":9}' },
  { ContextTierRatio: '{"gpt-4o":[{"above":2000,"input":2,"output":1}]}' },
])('a charge at a price that its version does not contain is a finding: %j', (changed) => {
  const other = buildPriceBook(options(changed), 7)
  expect(checkCharge(charge, () => other)).toContain('has another price than version 7')
})

/** A charge with fees of a vendor, at the prices that this version of the book has for them. */
function chargeFees(changed: object, toolCalls: Readonly<Record<string, number>>) {
  const own = buildPriceBook(options(changed), 7)
  const fees = { key: 'xai', rows: listFeeRows('xai') }
  const sold = own.find({ model: 'gpt-4o', group: 'default', acceptsUnpriced: false, fees })
  invariant(sold, 'the built-in prices know gpt-4o')
  const json = { priceJson: priceToJson(sold), usageJson: JSON.stringify({ ...noUsage, toolCalls }) }
  return { own, charge: { key: 'consume:3', units: recompute(json.priceJson, json.usageJson), ...json } }
}

it.each([
  [{}, 50_000n],
  [{ ToolPrices: '{"x_search":7,"web_search":10}' }, 64_000n],
  [{ ToolPrices: '{"x_search":0}' }, 50_000n],
  [{ ListedFeesCharged: 'false' }, 0n],
])('a charge of fees at the prices of its version has no finding: %j', (changed, least) => {
  const { own, charge: fee } = chargeFees(changed, { live_search_source: 4, x_search: 4 })
  expect(fee.units).toBeGreaterThanOrEqual(least)
  expect(checkCharge(fee, () => own)).toBeUndefined()
})

it('a charge of fees at another list price than that of its version is a finding', () => {
  const { own, charge: fee } = chargeFees({}, { live_search_source: 4 })
  const cheaper = own.fees.map((row) =>
    row.name === 'live_search_source'
      ? { ...row, price: { perThousand: '1', currency: 'USD' as const, printed: '$1' } }
      : row,
  )
  expect(checkCharge(fee, () => buildPriceBook(options(), 7, cheaper))).toContain('another price')
  // A version from before list prices were kept has none of them.
  expect(checkCharge(fee, () => buildPriceBook(options(), 7, []))).toContain('another price')
})
