import { expect, test } from 'vitest'
import { type RetryHeaders, retryAfterMs } from './retry-after.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')
const DATE = 'Sun, 22 Nov 2026 09:00:00 GMT'

test.each<[RetryHeaders, number | undefined]>([
  [{ 'retry-after': '7' }, 7_000],
  [{ 'retry-after': '0.25' }, 250],
  [{ 'retry-after': '999999999' }, 3_600_000],
  [{ 'retry-after': '2', 'retry-after-ms': '1340' }, 1_340],
  // Measured by the upstream's own clock, which is an hour behind.
  [{ 'retry-after': 'Sun, 22 Nov 2026 09:00:30 GMT', date: DATE }, 30_000],
  [{ 'retry-after': 'Sun, 22 Nov 2026 10:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Sunday, 22-Nov-26 10:01:00 GMT' }, 60_000],
  [{ 'retry-after': 'Sun Nov 22 10:01:00 2026' }, 60_000],
  // A time in the past means at once; a time far in the future is limited to one hour.
  [{ 'retry-after': 'Sun, 22 Nov 2026 08:00:00 GMT', date: DATE }, 0],
  [{ 'retry-after': 'Sun, 22 Nov 2099 08:00:00 GMT' }, 3_600_000],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'Xyz, 99 Abc 2026 10:01:00 GMT' }, undefined],
  [{}, undefined],
])('the headers %o request a wait of %s ms', (headers, expected) => {
  expect(retryAfterMs(headers, NOW)).toBe(expected)
})
