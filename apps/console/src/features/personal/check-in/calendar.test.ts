import { expect, it } from 'vitest'
import { shifted, weekdayNames, weeksOf } from './calendar.ts'

it('draws a month in whole weeks from Monday', () => {
  const weeks = weeksOf('2026-11')
  expect(weeks).toHaveLength(6)
  expect(weeks[0]).toEqual([...Array.from({ length: 6 }), '2026-11-01'])
  expect(weeks[1]?.[0]).toBe('2026-11-02')
  expect(weeks[5]?.[0]).toBe('2026-11-30')
  expect(weeks.flat().filter((day) => day !== undefined)).toHaveLength(30)
})

it('handles leap years and the change of the year', () => {
  expect(weeksOf('2028-02').flat().filter(Boolean)).toHaveLength(29)
  expect(shifted('2026-12', 1)).toBe('2027-01')
  expect(shifted('2026-01', -1)).toBe('2025-12')
})

it('lists the weekdays from Monday', () => {
  expect(weekdayNames('en')).toEqual(['M', 'T', 'W', 'T', 'F', 'S', 'S'])
  expect(weekdayNames('zh')[0]).toBe('一')
})
