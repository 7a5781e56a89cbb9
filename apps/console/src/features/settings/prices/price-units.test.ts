import { describe, expect, it } from 'vitest'
import { pricesOf, ratiosOf } from './price-units.ts'

it.each([
  [
    { ratio: 1.25, completion: 8, cache: 0.1, cacheWrite: 1.25 },
    { ratio: 2.5, completion: 20, cache: 0.25, cacheWrite: 3.125 },
  ],
  [
    { ratio: 0.075, completion: 4 },
    { ratio: 0.15, completion: 0.6 },
  ],
  [
    { ratio: 2, audio: 20, audioCompletion: 2 },
    { ratio: 4, audio: 80, audioCompletion: 160 },
  ],
  [
    { ratio: 2, audioCompletion: 2 },
    { ratio: 4, audioCompletion: 8 },
  ],
  [{ price: 0.04 }, { price: 0.04 }],
  [{ completion: 4 }, {}],
])('%o costs %o', (ratios, prices) => {
  expect(pricesOf(ratios)).toEqual(prices)
})

describe('an entered price is shown exactly as it was entered', () => {
  it.each([
    [{ ratio: 3, completion: 10 }],
    [{ ratio: 0.3, completion: 2.5, cache: 0.075 }],
    [{ ratio: 0.07, completion: 1.1, cache: 0.0233 }],
    [{ ratio: 3, cacheWrite: 3.75, cacheWrite1h: 6 }],
    [{ ratio: 1.1, completion: 4.4, image: 7.7, audio: 13, audioCompletion: 29 }],
    [{ ratio: 0, completion: 0 }],
  ])('%o is unchanged after conversion to ratios and back', (prices) => {
    const back = pricesOf(ratiosOf(prices))
    expect(back).toEqual(prices.ratio === 0 ? { ratio: 0 } : prices)
  })
})

it('untouched ratios are kept as stored, even if no price can express them', () => {
  const stored = {
    ratio: 1.2345678901234567,
    completion: 1 / 3,
    cache: 0.1,
    audio: 7,
    audioCompletion: 1 / 7,
  }
  expect(ratiosOf(pricesOf(stored), stored)).toEqual(stored)
  expect(ratiosOf({ ...pricesOf(stored), cache: 5 }, stored)).toMatchObject({
    ratio: stored.ratio,
    completion: 1 / 3,
  })
  expect(ratiosOf({ ratio: 3, completion: 20 }, { ratio: 1.25, completion: 8 }).completion).toBeCloseTo(
    20 / 3,
  )
})
