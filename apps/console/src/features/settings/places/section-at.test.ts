import { expect, it } from 'vitest'
import { sectionAt } from './section-at.ts'

const standing = (...tops: readonly number[]) => tops.map((top, index) => ({ key: `s${index}`, top }))
const place = { line: 80, isAtEnd: false, chosen: '' }

it('is the last section whose heading has passed the line', () => {
  expect(sectionAt(standing(-500, 80, 600), place)).toBe('s1')
  expect(sectionAt(standing(-500, 81, 600), place)).toBe('s0')
})

it('is the first section while no heading has passed the line', () => {
  expect(sectionAt(standing(200, 600), place)).toBe('s0')
})

it('is the last section at the end of the page, or the chosen one if it is visible', () => {
  const end = { ...place, isAtEnd: true }
  expect(sectionAt(standing(-900, 100, 500), end)).toBe('s2')
  expect(sectionAt(standing(-900, 100, 500), { ...end, chosen: 's1' })).toBe('s1')
  expect(sectionAt(standing(-900, 100, 500), { ...end, chosen: 's0' })).toBe('s2')
})

it('is undefined on a page without sections', () => {
  expect(sectionAt([], place)).toBeUndefined()
})
