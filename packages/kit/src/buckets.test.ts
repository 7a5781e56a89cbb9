import { expect, test } from 'vitest'
import { addBuckets, bucketOf, bucketsText, parseBuckets, quantileMs } from './buckets.ts'

function counted(times: readonly number[]): Map<number, number> {
  const buckets = new Map<number, number>()
  for (const ms of times) addBuckets(buckets, new Map([[bucketOf(ms), 1]]))
  return buckets
}

test('a quantile is accurate to within five per cent', () => {
  const buckets = counted(Array.from({ length: 1000 }, (_, index) => index + 1))
  for (const [share, ms] of [
    [0.5, 500],
    [0.95, 950],
    [1, 1000],
  ] as const) {
    const reported = quantileMs(buckets, share) ?? 0
    expect(Math.abs(reported - ms) / ms).toBeLessThan(0.06)
  }
  expect(quantileMs(new Map(), 0.5)).toBeUndefined()
})

test('buckets survive serialisation and can be added up', () => {
  const buckets = counted([1, 1, 250, 60_000, 0.2])
  expect(parseBuckets(bucketsText(buckets))).toEqual(buckets)
  expect(parseBuckets('')).toEqual(new Map())
  const sum = new Map(buckets)
  addBuckets(sum, buckets)
  expect(sum.get(bucketOf(1))).toBe(6)
})
