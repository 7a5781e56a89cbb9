import { USAGE_STEPS_MAX } from '@tollgate/contract/usage'
import { expect, it } from 'vitest'
import { RANGES, dashboardSearchSchema, rangeNames, spanOf } from './search.ts'

const NOW = 1_790_000_000
const read = (search: object) => dashboardSearchSchema.parse(search)
const SECONDS = { hour: 3600, day: 86_400, week: 604_800 }

it('opens with the range that goes with the step the site prefers', () => {
  expect(spanOf(read({}), 'hour', NOW)).toMatchObject({ range: '24h', step: 'hour' })
  expect(spanOf(read({}), 'day', NOW)).toMatchObject({ range: '7d', step: 'day' })
  expect(spanOf(read({}), 'week', NOW)).toMatchObject({ range: '30d', step: 'week', end: NOW + 3600 })
})

it('lets a step that does not go with the range give way', () => {
  expect(spanOf(read({ range: '365d', step: 'hour' }), 'hour', NOW).step).toBe('week')
  expect(spanOf(read({ range: '7d', step: 'hour' }), 'day', NOW).step).toBe('hour')
})

it('reads a damaged address as the default', () => {
  expect(read({ range: '10y', step: 'second', by: 'password', measure: '', of: 'bob' })).toEqual(read({}))
})

it('never asks for more steps than the server draws', () => {
  for (const range of rangeNames)
    for (const step of RANGES[range].steps)
      expect((RANGES[range].days * 86_400 + 3600) / SECONDS[step]).toBeLessThanOrEqual(USAGE_STEPS_MAX)
})
