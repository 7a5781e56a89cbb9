import { expect, it } from 'vitest'
import {
  batchedRow,
  type PriceFormValue,
  enteredOf,
  type EntryUnits,
  hasLengthPrices,
  missingBases,
  pricedRow,
  type PricedRow,
  hasAnyValue,
} from './price-entry.ts'
import { noExtras } from './price-extras.ts'

const money: EntryUnits = { parts: 'money', tiers: 'money', lengths: 'money' }
const ratios: EntryUnits = { parts: 'ratio', tiers: 'ratio', lengths: 'ratio' }
const gemini: PricedRow = {
  model: 'gemini',
  parts: { ratio: 0.625, completion: 8, cache: 0.1 },
  extras: {
    tools: { google_search: 35 },
    tiers: { priority: 1.7 },
    lengths: [{ above: 200_000, input: 2, output: 1.5, cache: 2 }],
  },
}

it('shows every price in money', () => {
  expect(enteredOf(gemini, money)).toEqual({
    ratio: 1.25,
    completion: 10,
    cache: 0.125,
    tools: { google_search: 35 },
    tiers: { priority: 2.125 },
    lengths: [['200000', '2.5', '15', '0.25']],
    hasNoLengths: false,
  })
  expect(enteredOf(gemini, ratios).lengths).toEqual([['200000', '2', '1.5', '2']])
})

it.each([money, ratios])('untouched values are returned unchanged: %o', (units) => {
  const odd: PricedRow = {
    model: 'odd',
    parts: { ratio: 0.7, completion: 1 / 3, cache: 1 / 7 },
    extras: {
      tools: {},
      tiers: { flex: 1 / 3 },
      lengths: [{ above: 1, input: 1 / 3, output: 2 / 3, cache: 1 / 9 }],
    },
  }
  for (const row of [odd, gemini])
    expect(pricedRow({ ...enteredOf(row, units), mode: 'usage' }, row, units)).toEqual(row)
})

it('converts prices of tiers and of long calls to factors', () => {
  const entered: PriceFormValue = {
    mode: 'usage',
    ratio: 3,
    completion: 15,
    tools: { web_search: 10, file_search: null },
    tiers: { priority: 6 },
    lengths: [
      ['200000', '6', '22.5', ''],
      ['', '', '', ''],
    ],
  }
  expect(pricedRow(entered, { model: 'new', parts: {}, extras: noExtras }, money)).toEqual({
    model: 'new',
    parts: { ratio: 1.5, completion: 5 },
    extras: {
      tools: { web_search: 10 },
      tiers: { priority: 2 },
      lengths: [{ above: 200_000, input: 2, output: 1.5 }],
    },
  })
})

it('a price per call keeps tools and tiers, and drops long-call prices', () => {
  const entered: PriceFormValue = {
    ...enteredOf(gemini, money),
    mode: 'call',
    price: 0.5,
    tiers: { priority: 1 },
  }
  expect(pricedRow(entered, gemini, money)).toMatchObject({
    parts: { price: 0.5 },
    extras: { tools: { google_search: 35 }, tiers: { priority: 2 }, lengths: undefined },
  })
})

it('ratios of a model with a built-in price are kept when it gets a price of its own', () => {
  const before: PricedRow = { model: 'half', parts: { completion: 4, cache: 0.5 }, extras: noExtras }
  const entered: PriceFormValue = { ...enteredOf(before, money), mode: 'usage', ratio: 2, cache: 0.5 }
  expect(pricedRow(entered, before, money).parts).toEqual({ ratio: 1, completion: 4, cache: 0.25 })
})

it('audio output is priced relative to the built-in price of audio input', () => {
  const before: PricedRow = { model: 'gpt-4o-audio-preview', parts: {}, extras: noExtras }
  const entered: PriceFormValue = { mode: 'usage', ratio: 2.5, audioCompletion: 200 }
  const row = pricedRow(entered, before, money)
  expect(row.parts).toEqual({ ratio: 1.25, audioCompletion: 2 })
  expect(enteredOf(row, money).audioCompletion).toBe(200)
  expect(batchedRow({ mode: 'usage', audioCompletion: 300 }, row, 'money').parts.audioCompletion).toBe(3)
})

it('finds the parts that need a price before a long call can have one', () => {
  const lengths = [['200000', '6', '22.5', '1']]
  expect(missingBases({ mode: 'usage', ratio: 3, lengths })).toEqual(['completion', 'cache'])
  expect(missingBases({ mode: 'usage', ratio: 3, completion: 9, cache: 1, lengths })).toEqual([])
  expect(hasLengthPrices(gemini)).toBe(true)
  expect(hasLengthPrices({ ...gemini, parts: { ratio: 0.625, cache: 0.1 } })).toBe(false)
})

it('a batch edit keeps the parts that were left empty', () => {
  expect(batchedRow({ mode: 'usage', cache: 0.25 }, gemini, 'money').parts).toEqual({
    ratio: 0.625,
    completion: 8,
    cache: 0.2,
  })
  expect(batchedRow({ mode: 'usage', ratio: 2.5 }, gemini, 'money').parts).toEqual({
    ratio: 1.25,
    completion: 4,
    cache: 0.05,
  })
  expect(batchedRow({ mode: 'usage', ratio: 2.5 }, gemini, 'ratio').parts).toEqual({
    ratio: 2.5,
    completion: 8,
    cache: 0.1,
  })
  expect(batchedRow({ mode: 'call', price: 1, tools: { web_search: 0 } }, gemini, 'money')).toEqual({
    model: 'gemini',
    parts: { price: 1 },
    extras: { ...gemini.extras, tools: { google_search: 35, web_search: 0 } },
  })
  expect(hasAnyValue({ mode: 'usage', price: 3, ratio: null, tools: { a: null } })).toBe(false)
})
