import { afterEach, expect, test } from 'vitest'
import { DAY_MS, formatLocalDay, formatLocalMinute, listDayStarts, listNeighbourDays } from './local-day.ts'

const zoneBefore = process.env['TZ']
afterEach(() => {
  if (zoneBefore === undefined) delete process.env['TZ']
  else process.env['TZ'] = zoneBefore
})

test.each([
  ['UTC', '2026-11-29', '2026-11-29 13:50 UTC'],
  ['Pacific/Auckland', '2026-11-30', '2026-11-30 02:50 GMT+13'],
  ['Asia/Kolkata', '2026-11-29', '2026-11-29 19:20 GMT+5:30'],
  ['America/St_Johns', '2026-11-29', '2026-11-29 10:20 GMT-3:30'],
  ['Asia/Kathmandu', '2026-11-29', '2026-11-29 19:35 GMT+5:45'],
])('a moment in %s is on %s', (zone, day, minute) => {
  process.env['TZ'] = zone
  const moment = Date.UTC(2026, 10, 29, 13, 50)
  expect([formatLocalDay(moment), formatLocalMinute(moment)]).toEqual([day, minute])
})

test.each([
  ['2026-11-30', ['2026-11-29', '2026-12-01']],
  ['2026-01-01', ['2025-12-31', '2026-01-02']],
  ['2028-02-28', ['2028-02-27', '2028-02-29']],
])('%s lies between its neighbours', (day, neighbours) => {
  process.env['TZ'] = 'Pacific/Kiritimati'
  expect(listNeighbourDays(day)).toEqual(neighbours)
})

test.each([
  ['UTC', []],
  ['Europe/Berlin', [25]],
  ['America/New_York', []],
])('the days of October 2026 begin at midnight in %s', (zone, odd) => {
  process.env['TZ'] = zone
  const starts = listDayStarts(2026, 10)
  expect(starts).toHaveLength(32)
  expect(starts.map((ms) => new Date(ms).getHours())).toEqual(Array(32).fill(0))
  const lengths = starts.slice(1).map((end, index) => end - (starts[index] ?? 0))
  expect(lengths.flatMap((length, index) => (length === DAY_MS ? [] : [index + 1]))).toEqual(odd)
})
