import { expect, it } from 'vitest'
import { currentMonth, shiftedMonth } from './months.ts'

it('the current month is that of UTC', () => {
  expect(currentMonth(new Date('2026-12-31T23:59:59Z'))).toBe('2026-12')
})

it.each([
  ['2026-11', -1, '2026-10'],
  ['2026-01', -1, '2025-12'],
  ['2026-12', 1, '2027-01'],
])('%s shifted by %d is %s', (month, by, shifted) => {
  expect(shiftedMonth(month, by)).toBe(shifted)
})
