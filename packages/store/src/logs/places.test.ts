import { expect, it } from 'vitest'
import { type RowSpan, rowSpansForPage } from './places.ts'

/**
 * Row ids of an hour and the number of calls that the group has in it; the tests list the latest hour first.
 */
const spotOf = (firstId: number, lastId: number, calls: number): RowSpan => ({
  userId: 7,
  firstId,
  lastId,
  calls,
})
const spots = [spotOf(81, 100, 2), spotOf(58, 90, 1), spotOf(50, 60, 3), spotOf(20, 40, 9)]

it('reads as many spots as surely hold a page', () => {
  expect(rowSpansForPage(spots, { limit: 3, offset: 1 })).toEqual(spots.slice(0, 3))
  expect(rowSpansForPage(spots, { limit: 100, offset: 0 })).toEqual(spots)
})

it('also reads spots whose ids overlap with the ones that hold the page', () => {
  expect(rowSpansForPage(spots, { limit: 2, offset: 0 })).toEqual(spots.slice(0, 3))
})

it('below an id, does not count the calls of the spot that contains the id', () => {
  expect(rowSpansForPage(spots, { limit: 3, offset: 0 }, 60)).toEqual(spots.slice(1))
  expect(rowSpansForPage(spots, { limit: 1, offset: 0 }, 30)).toEqual(spots.slice(3))
})

it('returns undefined when a page needs too many spots', () => {
  const many = Array.from({ length: 500 }, (_, index) => spotOf(5000 - index * 10, 5009 - index * 10, 1))
  expect(rowSpansForPage(many, { limit: 400, offset: 0 })).toHaveLength(400)
  expect(rowSpansForPage(many, { limit: 400, offset: 1 })).toBeUndefined()
})
