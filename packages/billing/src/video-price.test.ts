import { noUsage } from '@tollgate/dialects/usage'
import { expect, it } from 'vitest'
import { usageToJson } from './buckets.ts'
import { charge, chargeUnits } from './charge.ts'
import type { Price } from './price.ts'
import { priceToJson, recompute } from './recompute.ts'
import { pricedModel, videoPriceNames, withVideoSize } from './video-price.ts'

const price: Price = {
  version: 1,
  model: 'sora-2',
  group: 'default',
  groupRatio: '0.5',
  quotaPerUnit: '500000',
  rule: { type: 'call', price: '0.3' },
}
const usage = { ...noUsage, seconds: 8 }

it('charges every second of a video, and the same again from its entry', () => {
  expect(chargeUnits(price, usage)).toBe(600_000n)
  expect(charge(price, usage).lines).toEqual([
    { bucket: 'call', count: 8, unitPrice: '150000', amount: '1200000' },
  ])
  expect(recompute(priceToJson(price), usageToJson(usage))).toBe(600_000n)
})

it.each([
  ['sora-2', '1792x1024', '0.5000001'],
  ['sora-2-pro', '1024x1792', '0.5000001'],
  ['sora-2', '1280x720', '0.3'],
  ['sora-2', undefined, '0.3'],
  ['kling-v1', '1792x1024', '0.3'],
])('prices a second of %s in %s', (model, size, each) => {
  expect(withVideoSize(price, { model, size }).rule).toEqual({ type: 'call', price: each })
})

it.each([
  ['1080p', undefined, ['viduq1@1080p']],
  [undefined, 'Pro', ['viduq1@pro']],
  ['720p', 'pro', ['viduq1@720p', 'viduq1@pro']],
  [undefined, '480p', []],
  [undefined, 'pro@480p', []],
  [undefined, undefined, []],
])('looks for a price of %s and %s', (lines, mode, names) => {
  expect(videoPriceNames({ model: 'viduq1', lines, mode })).toEqual(names)
  for (const name of names) expect(pricedModel({ model: name })).toBe('viduq1')
})
