import { expect, it } from 'vitest'
import { effectivePrices } from './effective-price.ts'
import type { PriceRow } from './price-rows.ts'

const gpt4o: PriceRow = { model: 'gpt-4o', parts: { ratio: 1.25, cache: 0.5 } }
const gizmos: PriceRow = { model: 'gpt-4o-gizmo-*', parts: { ratio: 2, completion: 5 } }
const priceOf = effectivePrices([gpt4o, gizmos])

it('shows the built-in price of $10 for the output of gpt-4o', () => {
  const { mode, parts } = priceOf(gpt4o)
  expect(mode).toBe('usage')
  expect(parts.completion).toEqual({ ratio: 4, price: 10, source: 'built-in', family: '' })
  expect(parts).toMatchObject({
    ratio: { ratio: 1.25, price: 2.5, source: 'set' },
    cache: { ratio: 0.5, price: 1.25, source: 'set' },
    cacheWrite: { price: 3.125, source: 'built-in' },
    cacheWrite1h: { price: 5, source: 'built-in' },
    image: { price: 2.5 },
    audio: { price: 2.5 },
    audioCompletion: { price: 2.5 },
  })
})

it('derives the price of audio output from the built-in price of audio input', () => {
  const parts = { ratio: 1.25, audioCompletion: 2 }
  expect(priceOf({ model: 'gpt-4o-audio-preview', parts }).parts).toMatchObject({
    audio: { ratio: 40, price: 100, source: 'built-in' },
    audioCompletion: { ratio: 2, price: 200, source: 'set' },
  })
})

it('reports which family entry applies to a model', () => {
  const { parts } = priceOf({ model: 'gpt-4o-gizmo-x', parts: { completion: 3 } })
  expect(parts.ratio).toEqual({ ratio: 2, price: 4, source: 'family', family: 'gpt-4o-gizmo-*' })
  expect(parts.completion).toMatchObject({ price: 12, source: 'set' })
})

it('a model has no price if only a cache ratio is set, or if its ratio is below zero', () => {
  expect(priceOf({ model: 'm', parts: { cache: 0.5 } })).toEqual({ mode: 'none', parts: {} })
  expect(priceOf({ model: 'm', parts: { ratio: -1 } }).mode).toBe('none')
  expect(priceOf({ model: 'm', parts: { price: 0.1, ratio: 1 } })).toMatchObject({
    mode: 'call',
    parts: { price: { price: 0.1, source: 'set' } },
  })
})
