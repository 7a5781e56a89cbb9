import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PeriodKind, periodAt } from './calendar-period.ts'

const before = process.env['TZ']
beforeAll(() => void (process.env['TZ'] = 'Europe/Berlin'))
afterAll(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

it.each<[PeriodKind, string, string, string]>([
  ['day', '2026-11-22T23:30:00Z', '2026-11-22T23:00:00Z', '2026-11-23T23:00:00Z'],
  ['week', '2026-11-22T22:59:59Z', '2026-11-15T23:00:00Z', '2026-11-22T23:00:00Z'],
  ['week', '2026-11-22T23:00:00Z', '2026-11-22T23:00:00Z', '2026-11-29T23:00:00Z'],
  ['month', '2026-12-31T12:00:00Z', '2026-11-30T23:00:00Z', '2026-12-31T23:00:00Z'],
  // Daylight saving changes: a day of 23 hours, and a week and a month that start and end in different
  // offsets.
  ['day', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['week', '2026-03-29T12:00:00Z', '2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['month', '2026-10-31T23:30:00Z', '2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z'],
])('a %s around %s', (kind, now, since, until) => {
  const { sinceMs, untilMs } = periodAt(kind, Date.parse(now))
  expect([new Date(sinceMs).toISOString(), new Date(untilMs).toISOString()]).toEqual(
    [since, until].map((text) => new Date(text).toISOString()),
  )
})
