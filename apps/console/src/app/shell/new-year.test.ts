import { expect, it } from 'vitest'
import { isNewYearsDay } from './new-year.ts'

it.each([
  [new Date(2027, 0, 1, 0, 0), true],
  [new Date(2027, 0, 1, 23, 59), true],
  [new Date(2026, 11, 31, 23, 59), false],
  [new Date(2027, 0, 2), false],
  [new Date(2027, 1, 1), false],
])("%s is New Year's Day: %s", (now, isIt) => {
  expect(isNewYearsDay(now)).toBe(isIt)
})
