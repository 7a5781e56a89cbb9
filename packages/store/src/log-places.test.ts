import { expect, it } from 'vitest'
import { type Spot, spotsForPage } from './log-places.ts'

/** An hour's ids and how many calls of the group it has; the latest hour first. */
const spotOf = (firstId: number, lastId: number, calls: number): Spot => ({
  userId: 7,
  firstId,
  lastId,
  calls,
})
const spots = [spotOf(81, 100, 2), spotOf(58, 90, 1), spotOf(50, 60, 3), spotOf(20, 40, 9)]

it('reads as many spots as hold a page for certain', () => {
  expect(spotsForPage(spots, { limit: 3, offset: 1 })).toEqual(spots.slice(0, 3))
  expect(spotsForPage(spots, { limit: 100, offset: 0 })).toEqual(spots)
})

it('reads those too whose ids overlap with the ones that hold it', () => {
  expect(spotsForPage(spots, { limit: 2, offset: 0 })).toEqual(spots.slice(0, 3))
})

it('reads on below an id, where nobody knows how many calls of its own hour are left', () => {
  expect(spotsForPage(spots, { limit: 3, offset: 0 }, 60)).toEqual(spots.slice(1))
  expect(spotsForPage(spots, { limit: 1, offset: 0 }, 30)).toEqual(spots.slice(3))
})

it('gives up where a page needs too many', () => {
  const many = Array.from({ length: 500 }, (_, index) => spotOf(5000 - index * 10, 5009 - index * 10, 1))
  expect(spotsForPage(many, { limit: 400, offset: 0 })).toHaveLength(400)
  expect(spotsForPage(many, { limit: 400, offset: 1 })).toBeUndefined()
})
