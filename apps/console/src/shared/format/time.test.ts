import dayjs from 'dayjs'
import { expect, it } from 'vitest'
import { briefTime, dateTime, duration } from './time.ts'

const now = dayjs('2026-11-20T21:00:00')

it('leaves out the date of today and the current year', () => {
  expect(briefTime(dayjs('2026-11-20T20:58:12').unix(), now)).toBe('20:58:12')
  expect(briefTime(dayjs('2026-03-01T08:00:00').unix(), now)).toBe('03-01 08:00:00')
  expect(briefTime(dayjs('2025-12-31T23:59:59').unix(), now)).toBe('2025-12-31 23:59')
})

it('formats the full time for a tooltip', () => {
  expect(dateTime(dayjs('2026-11-20T20:58:12').unix())).toBe('2026-11-20 20:58:12')
})

it.each([
  [0, '0 ms'],
  [318.4, '318 ms'],
  [999.7, '1 s'],
  [2100, '2.1 s'],
  [4000, '4 s'],
  [9970, '10 s'],
  [112_300, '112 s'],
])('formats %d ms as %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text)
})
