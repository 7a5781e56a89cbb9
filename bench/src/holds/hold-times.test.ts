import { describe, expect, it } from 'vitest'
import { holdMsIn, roundedQuantile } from './hold-times.ts'

describe('a quantile of rounded values', () => {
  it('spreads equal values over their step', () => {
    // 100 values between 0.05 and 0.15, all rounded to 0.1: their median is in the middle of the step.
    expect(
      roundedQuantile(
        Array.from({ length: 100 }, () => 0.1),
        0.5,
      ),
    ).toBeCloseTo(0.1)
    expect(
      roundedQuantile(
        Array.from({ length: 100 }, () => 0.1),
        0.9,
      ),
    ).toBeCloseTo(0.14)
  })

  it('spreads zero over the half step above it', () => {
    expect(
      roundedQuantile(
        Array.from({ length: 100 }, () => 0),
        0.5,
      ),
    ).toBeCloseTo(0.025)
  })

  it('finds the step by rank', () => {
    const values = [...Array.from({ length: 98 }, () => 0.1), 5, 7]
    expect(roundedQuantile(values, 0.99)).toBeCloseTo(6.95)
  })

  it('of nothing is no number', () => {
    expect(roundedQuantile([], 0.5)).toBeNaN()
  })
})

it('reads the time of the hold from the receipt of a log row', () => {
  expect(holdMsIn('{"receipt":{"hold_ms":0.3}}')).toBe(0.3)
  expect(() => holdMsIn('{}')).toThrow('hold_ms')
})
