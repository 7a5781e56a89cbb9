import { expect, test } from 'vitest'
import { cronSchedule } from './schedule.ts'

const at = (text: string): number => new Date(text).getTime()

test('a schedule has the next time after another, and follows a changed pattern', () => {
  let pattern = '30 3 * * *'
  const schedule = cronSchedule(() => pattern)
  expect(schedule.next(at('2026-11-24T03:29:00'))).toBe(at('2026-11-24T03:30:00'))
  expect(schedule.next(at('2026-11-24T03:30:00'))).toBe(at('2026-11-25T03:30:00'))
  pattern = '0 */6 * * *'
  expect(schedule.next(at('2026-11-24T03:29:00'))).toBe(at('2026-11-24T06:00:00'))
  pattern = ''
  expect(schedule.next(at('2026-11-24T03:29:00'))).toBeUndefined()
})

test('a date that does not exist has no time', () => {
  expect(cronSchedule(() => '0 0 31 2 *').next(at('2026-01-01T00:00:00'))).toBeUndefined()
})
