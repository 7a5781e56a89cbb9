import { expect, test } from 'vitest'
import { activeFilters, drawingRange, rangeOf, taskRange, taskSearchSchema } from './search.ts'

const now = new Date(2026, 10, 22, 15, 30)
const seconds = Math.floor(now.getTime() / 1000)
const none = taskSearchSchema.parse({})

test('drawings cover the last thirty days plus one hour, tasks cover today', () => {
  expect(drawingRange(now)).toEqual({ start: seconds - 2_592_000, end: seconds + 3600 })
  expect(taskRange(now)).toEqual({ start: seconds - 15.5 * 3600, end: 0 })
})

test('a requested range replaces the default, and a task id alone is searched without a time range', () => {
  const standard = { start: 5, end: 9 }
  expect(rangeOf(none, standard)).toEqual(standard)
  expect(rangeOf({ ...none, start_timestamp: 7 }, standard)).toEqual({ start: 7, end: 9 })
  expect(rangeOf({ ...none, task_id: 'a1' }, standard)).toEqual({ start: 0, end: 0 })
})

test('an invalid address sets no filters', () => {
  const damaged = { p: '-1', task_id: 'x'.repeat(300), channel_id: 'one', start_timestamp: 'now' }
  expect(taskSearchSchema.parse(damaged)).toEqual(none)
  expect(activeFilters(none)).toBe(0)
  expect(activeFilters({ ...none, channel_id: 3, username: 'lin', end_timestamp: 8 })).toBe(3)
})
