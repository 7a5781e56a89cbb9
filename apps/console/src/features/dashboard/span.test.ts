import { USAGE_STEPS_MAX } from '@tollgate/contract/usage'
import dayjs from 'dayjs'
import { describe, expect, it } from 'vitest'
import { dashboardSearchSchema, rangeNames } from './search.ts'
import { pastMinutes, spanOf } from './span.ts'

const NOW = dayjs('2026-11-20T21:10:00').unix()
const read = (search: object) => dashboardSearchSchema.parse(search)
const span = (search: object) => spanOf(read(search), 'hour', NOW)
const SECONDS = { hour: 3600, day: 86_400, week: 604_800 }
const at = (text: string) => dayjs(text).unix()
const stepOf = (range: string) => spanOf(read({ range }), 'week', NOW).step
const own = (from: string, until: string) =>
  span({ range: 'own', start_timestamp: at(from), end_timestamp: at(until) })

it("opens with the range that matches the site's preferred step", () => {
  expect(spanOf(read({}), 'hour', NOW)).toMatchObject({ range: '24h', step: 'hour' })
  expect(spanOf(read({}), 'day', NOW)).toMatchObject({ range: '7d', step: 'day' })
  expect(spanOf(read({}), 'week', NOW)).toMatchObject({ range: '30d', step: 'week', end: NOW + 3600 })
})

it('draws each range in its usual step, regardless of the preferred step of the site', () => {
  expect(rangeNames.map((range) => [range, stepOf(range)])).toEqual([
    ['today', 'hour'],
    ['24h', 'hour'],
    ['7d', 'day'],
    ['30d', 'day'],
    ['month', 'day'],
    ['lastMonth', 'day'],
    ['90d', 'week'],
    ['365d', 'week'],
    ['own', 'day'],
  ])
})

it('replaces a step that does not suit the range', () => {
  expect(span({ range: '365d', step: 'hour' }).step).toBe('week')
  expect(span({ range: '7d', step: 'hour' }).step).toBe('hour')
})

it("aligns days and months with the reader's time zone", () => {
  expect(span({ range: 'today' })).toMatchObject({ start: at('2026-11-20'), end: NOW + 3600 })
  expect(span({ range: 'month' })).toMatchObject({ start: at('2026-11-01'), end: NOW + 3600 })
  expect(span({ range: 'lastMonth' })).toMatchObject({ start: at('2026-10-01'), end: at('2026-11-01') - 1 })
})

describe('a custom range', () => {
  it('is read from the address', () => {
    expect(own('2026-11-02', '2026-11-05')).toMatchObject({
      range: 'own',
      start: at('2026-11-02'),
      end: at('2026-11-05'),
      step: 'day',
    })
    expect(own('2026-11-02T08:00', '2026-11-02T12:00').step).toBe('hour')
  })

  it('changes its name with its ends, while the name of a preset range stays the same as time passes', () => {
    expect(own('2026-11-02', '2026-11-05').name).not.toBe(own('2026-11-02', '2026-11-06').name)
    expect(spanOf(read({ range: '7d' }), 'hour', NOW + 60).name).toBe(span({ range: '7d' }).name)
  })

  it('falls back to the last week if it is invalid, and starts later if it is too long', () => {
    const week = { start: NOW - 7 * 86_400, end: NOW + 3600 }
    expect(span({ range: 'own' })).toMatchObject(week)
    expect(own('2026-11-05', '2026-11-02')).toMatchObject(week)
    expect(span({ range: 'own', start_timestamp: 1, end_timestamp: NOW }).start).toBeGreaterThan(1)
  })
})

it('never requests more steps than the server returns', () => {
  const longest = { range: 'own', start_timestamp: 1, end_timestamp: NOW }
  for (const search of [...rangeNames.map((range) => ({ range })), longest]) {
    const { steps, start, end } = span(search)
    for (const step of steps) expect((end - start) / SECONDS[step]).toBeLessThanOrEqual(USAGE_STEPS_MAX)
  }
})

it('the elapsed time of a range ends now, or at the end of the range if that is past', () => {
  expect(pastMinutes({ start: NOW - 600, end: NOW + 3600 }, NOW)).toBe(10)
  expect(pastMinutes({ start: NOW - 600, end: NOW - 300 }, NOW)).toBe(5)
  expect(pastMinutes({ start: NOW, end: NOW + 3600 }, NOW)).toBe(1)
})
