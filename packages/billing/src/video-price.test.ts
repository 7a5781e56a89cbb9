import { noUsage } from '@tollgate/dialects/usage'
import { expect, it } from 'vitest'
import { usageToJson } from './buckets.ts'
import { charge, chargeUnits } from './charge.ts'
import type { Price } from './price.ts'
import { priceToJson, recompute } from './recompute.ts'
import { modelOfPrice, normalizePriceName, videoPriceNames, withVideoSize } from './video-price.ts'

const price: Price = {
  version: 1,
  model: 'sora-2',
  group: 'default',
  groupRatio: '0.5',
  quotaPerUnit: '500000',
  rule: { type: 'call', price: '0.3' },
}
const usage = { ...noUsage, seconds: 8 }

it('a video is charged per second, and its entry recomputes to the same charge', () => {
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
])('a second of %s in size %s has the price of its size', (model, size, each) => {
  expect(withVideoSize(price, { model, size }).rule).toEqual({ type: 'call', price: each })
})

it.each([
  [['1080p'], ['viduq1@1080p']],
  [
    ['720p', 'pro'],
    ['viduq1@720p+pro', 'viduq1@720p', 'viduq1@pro'],
  ],
  [
    ['720p', 'audio', '10s'],
    [
      'viduq1@10s+720p+audio',
      'viduq1@720p+audio',
      'viduq1@10s+720p',
      'viduq1@10s+audio',
      'viduq1@720p',
      'viduq1@audio',
      'viduq1@10s',
    ],
  ],
  [[], []],
])('the price names for the quality words %j come in order of precedence', (words, names) => {
  expect(videoPriceNames('viduq1', words)).toEqual(names)
  for (const name of names) expect(modelOfPrice({ model: name })).toBe('viduq1')
})

it('the number of price names stays bounded when there are many quality words', () => {
  const words = Array.from({ length: 40 }, (_, at) => `w${at}`)
  expect(videoPriceNames('m', words)).toHaveLength(255)
})

it.each([
  ['kling-v2@pro+audio', 'kling-v2@audio+pro'],
  ['kling-v2@audio+pro+audio', 'kling-v2@audio+pro'],
  ['kling-v2@pro', 'kling-v2@pro'],
  ['claude-3-5-sonnet@20241022', 'claude-3-5-sonnet@20241022'],
  ['@cf/openai/whisper', '@cf/openai/whisper'],
  ['a+b@', 'a+b@'],
])('%s is normalised to %s', (name, known) => {
  expect(normalizePriceName(name)).toBe(known)
})
