import type { UsagePoint } from '@tollgate/contract/usage'
import { describe, expect, it } from 'vitest'
import {
  averageFirstMs,
  averageMs,
  cachedShare,
  errorShare,
  keySums,
  measured,
  stepsOf,
  totalOf,
} from './series.ts'

const point = (more: Partial<UsagePoint>): UsagePoint => ({
  at: 7200,
  key: 'gpt-4o',
  label: 'gpt-4o',
  is_rest: false,
  calls: 1,
  errors: 0,
  quota: 10,
  prompt_tokens: 3,
  completion_tokens: 2,
  duration_ms: 900,
  first_byte_ms: 100,
  first_bytes: 1,
  cost: 0,
  costed_quota: 0,
  cached_tokens: 0,
  cache_saved: 0,
  ...more,
})

describe('keys', () => {
  it('are summed and sorted by cost, with the rest last', () => {
    const sums = keySums([
      point({}),
      point({ at: 10_800, quota: 5 }),
      point({ key: 'o1', label: 'o1', quota: 40 }),
      point({ key: '', label: '', is_rest: true, quota: 900 }),
    ])
    expect(sums.map(({ label, quota, isRest }) => [label, quota, isRest])).toEqual([
      ['o1', 40, false],
      ['gpt-4o', 15, false],
      ['', 900, true],
    ])
  })

  it('an empty name is distinct from the rest', () => {
    expect(keySums([point({ key: '' }), point({ key: '', is_rest: true })])).toHaveLength(2)
  })
})

describe('steps', () => {
  it('cover the whole range, including empty ones, and are aligned with the steps of the server', () => {
    const steps = stepsOf({
      points: [point({ at: 9000 }), point({ at: 16_200, key: 'o1' })],
      stepSeconds: 3600,
      start: 5500,
      end: 16_300,
    })
    expect(steps.map(({ at, calls }) => [at, calls])).toEqual([
      [5400, 0],
      [9000, 1],
      [12_600, 0],
      [16_200, 1],
    ])
  })

  it('are empty when nothing was used', () => {
    expect(stepsOf({ points: [], stepSeconds: 3600, start: 0, end: 7200 })).toEqual([])
  })
})

it('computes measures, and leaves an average undefined where there was no call', () => {
  const sums = totalOf([
    point({}),
    point({ calls: 0, errors: 3, duration_ms: 0, first_byte_ms: 0, first_bytes: 0 }),
  ])
  expect([measured(sums, 'spent'), measured(sums, 'calls'), measured(sums, 'tokens')]).toEqual([20, 1, 10])
  expect([averageMs(sums), averageFirstMs(sums), errorShare(sums)]).toEqual([900, 100, 0.75])
  const none = totalOf([])
  expect([averageMs(none), averageFirstMs(none), errorShare(none)]).toEqual([undefined, undefined, undefined])
})

it('the cached share is that of all input, and what was saved is summed', () => {
  const total = totalOf([
    point({ prompt_tokens: 900, cached_tokens: 900, cache_saved: 40 }),
    point({ prompt_tokens: 100, cache_saved: -10 }),
  ])
  expect(cachedShare(total)).toBe(0.9)
  expect(total.cache_saved).toBe(30)
  expect(cachedShare(totalOf([]))).toBeUndefined()
})
