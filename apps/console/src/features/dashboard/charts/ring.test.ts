import type { UsagePoint } from '@tollgate/contract/usage'
import { expect, it } from 'vitest'
import { palettes } from '../../../shared/design/tokens.ts'
import { keySums } from '../series/series.ts'
import { sharesOf } from '../shares.ts'
import { ringOfShares } from './ring.ts'

function ringOf(quotas: readonly number[]) {
  const keys = keySums(quotas.map((quota, index) => point(`model-${index}`, quota)))
  const look = { theme: 'light', value: String, axis: String, keyName: () => '' } as const
  return ringOfShares({ shares: sharesOf(keys, 'spent'), keys, look })
}

it('gives each key its share of the ring', () => {
  expect(ringOf([30, 10]).data.datasets[0]?.data).toEqual([0.75, 0.25])
})

it('draws one faint piece without hover when nothing was spent', () => {
  const { data, options } = ringOf([0, -5])
  expect(data.datasets).toMatchObject([{ data: [1], backgroundColor: palettes.light.faintLine }])
  expect(options.events).toEqual([])
})

function point(key: string, quota: number): UsagePoint {
  return {
    at: 0,
    key,
    label: key,
    is_rest: false,
    calls: 1,
    errors: 0,
    quota,
    prompt_tokens: 0,
    completion_tokens: 0,
    duration_ms: 0,
    first_byte_ms: 0,
    first_bytes: 0,
    cost: 0,
    costed_quota: 0,
    cached_tokens: 0,
    cache_saved: 0,
  }
}
