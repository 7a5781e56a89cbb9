import { feeRows, findFeeRow, listFeeRows } from '@tollgate/catalogue/fees/fee-rows'
import { expect, it } from 'vitest'
import { defaultPriceOptions } from './defaults.ts'
import { estimateCountedFees, findFeePrices, readListedFees, writeListedFees } from './fee-prices.ts'
import { buildPriceBook } from './price-book.ts'
import { parsePriceOptions } from './price-options.ts'
import { charge } from './charge.ts'
import { noUsage } from './buckets.ts'

function optionsWith(toolPrices: Readonly<Record<string, number>>, isCharged = true) {
  return parsePriceOptions({
    ...defaultPriceOptions,
    ToolPrices: JSON.stringify(toolPrices),
    ListedFeesCharged: String(isCharged),
  })
}

it('a fee has the operator’s price for its name, then for its kind, and then the list price', () => {
  const rows = listFeeRows('xai')
  const prices = (toolPrices: Readonly<Record<string, number>>) =>
    findFeePrices(optionsWith(toolPrices), 'grok-4', rows).toolPrices
  expect(prices({})).toMatchObject({ x_search: '5', xai_web_search: '5', live_search_source: '25' })
  expect(prices({ web_search: 10 })).toMatchObject({ x_search: '10', live_search_source: '25' })
  expect(prices({ web_search: 10, 'x_search:grok*': 7 })).toMatchObject({ x_search: '7' })
  expect(prices({ web_search: 10, x_search: 0 })).toMatchObject({ x_search: '0', xai_web_search: '10' })
})

it('a list price may be that of the longest beginning of the model’s name', () => {
  const models = ['gemini-3-pro', 'gemini-2.5-pro', 'gemini-1.5-pro']
  const rows = listFeeRows('gemini')
  const prices = models.map((model) => findFeePrices(optionsWith({}), model, rows).toolPrices)
  expect(prices.map((each) => each?.['google_search'])).toEqual(['14', '35', '35'])
})

it('a fee without a known price has none', () => {
  const rows = listFeeRows('volcano')
  expect(findFeePrices(optionsWith({}), 'doubao', rows).toolPrices).toEqual({})
  expect(findFeePrices(optionsWith({ web_search: 4 }), 'doubao', rows).toolPrices).toMatchObject({
    volcano_web_search: '4',
  })
})

it('where listed fees are only counted, what the operator did not name costs nothing', () => {
  const { toolPrices, countedFees } = findFeePrices(
    optionsWith({ web_search: 10, x_search: 3 }, false),
    'grok-4',
    listFeeRows('xai'),
  )
  expect(toolPrices).toMatchObject({ web_search: '10', x_search: '3', xai_web_search: '0' })
  expect(countedFees).toContain('xai_web_search')
  expect(countedFees).not.toContain('x_search')
})

it('a price with fees charges them with the group ratio, beside a price per call too', () => {
  const texts = {
    ...defaultPriceOptions,
    ModelPrice: JSON.stringify({ once: 0.01, free: 0 }),
    ToolPrices: '{}',
    GroupRatio: JSON.stringify({ half: 0.5 }),
  }
  const book = buildPriceBook(parsePriceOptions(texts), 3)
  const fees = { key: 'xai', rows: listFeeRows('xai') }
  const units = (model: string) => {
    const price = book.find({ model, group: 'half', acceptsUnpriced: false, fees })
    return price && charge(price, { ...noUsage, inputText: 5, toolCalls: { x_search: 4 } }).units
  }
  // 0.01 and 4 of 5 for 1,000, each half of it.
  expect([units('once'), units('free')]).toEqual([2_500n + 5_000n, 5_000n])
  const plain = book.find({ model: 'once', group: 'half', acceptsUnpriced: false })
  expect(plain?.toolPrices).toBeUndefined()
})

it('list prices are kept with a version of the price book and read again', () => {
  const rows = readListedFees(writeListedFees(feeRows))
  expect(rows.map(({ name }) => name)).toEqual(feeRows.map(({ name }) => name))
  expect(rows.find(({ name }) => name === 'x_search')?.price).toEqual(findFeeRow('x_search')?.price)
  expect(readListedFees(undefined)).toEqual([])
  expect(() => readListedFees('[{"name":1}]')).toThrow('kept fees')
})

it('the price of counted fees is what they would have cost, less what former names charged', () => {
  const texts = {
    ...defaultPriceOptions,
    ModelPrice: JSON.stringify({ once: 0.01 }),
    ModelRatio: JSON.stringify({ many: 1 }),
    ToolPrices: JSON.stringify({ web_search: 10 }),
    ListedFeesCharged: 'false',
  }
  const book = buildPriceBook(parsePriceOptions(texts), 3)
  const fees = { key: 'xai', rows: listFeeRows('xai') }
  for (const model of ['once', 'many']) {
    const price = book.find({ model, group: 'default', acceptsUnpriced: false, fees })
    if (price === undefined) throw new Error('the model has a price')
    // 4 sources at 25, and 3 searches of X at the price of all searches, each for 1,000.
    expect(estimateCountedFees(price, { live_search_source: 4, x_search: 3 })).toBe(50_000n + 15_000n)
    // One of three searches was charged as before.
    expect(estimateCountedFees(price, { xai_web_search: 3, web_search: 1 })).toBe(10_000n)
    expect(estimateCountedFees(price, { web_search: 2 })).toBe(0n)
  }
})
