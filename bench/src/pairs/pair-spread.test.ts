import { expect, it } from 'vitest'
import { pairSpread } from './pair-spread.ts'

it('finds median, quartiles and extremes of ratios in any order', () => {
  expect(pairSpread([1.1, 0.9, 1, 0.8, 1.2])).toEqual({
    median: 1,
    min: 0.8,
    lowerQuartile: 0.9,
    upperQuartile: 1.1,
    max: 1.2,
  })
})

it('takes the middle between two neighbours of an even number of ratios', () => {
  expect(pairSpread([0.75, 1.25, 1, 0.5]).median).toBe(0.875)
})

it('refuses a run without pairs', () => {
  expect(() => pairSpread([])).toThrow('no pairs')
})
