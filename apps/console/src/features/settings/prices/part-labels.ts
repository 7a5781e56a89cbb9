import type { PricePart } from './price-rows.ts'

/** Ratios as they are stored, or currency per million tokens. */
export type PriceUnit = 'ratio' | 'money'

/** The label of each part in each unit; a price per call has the same label in both. */
export const partLabels = {
  ratio: {
    price: 'prices.price',
    ratio: 'prices.ratio.ratio',
    completion: 'prices.ratio.completion',
    cache: 'prices.ratio.cache',
    cacheWrite: 'prices.ratio.cacheWrite',
    cacheWrite1h: 'prices.ratio.cacheWrite1h',
    image: 'prices.ratio.image',
    audio: 'prices.ratio.audio',
    audioCompletion: 'prices.ratio.audioCompletion',
  },
  money: {
    price: 'prices.price',
    ratio: 'word.input',
    completion: 'word.output',
    cache: 'prices.money.cache',
    cacheWrite: 'prices.money.cacheWrite',
    cacheWrite1h: 'prices.money.cacheWrite1h',
    image: 'prices.money.image',
    audio: 'prices.money.audio',
    audioCompletion: 'prices.money.audioCompletion',
  },
} as const satisfies Record<PriceUnit, Record<PricePart, string>>
