import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOG_COLUMNS } from '../rows/log-columns.ts'
import { decodeLine, decodePrice, isPrice } from './decode-line.ts'
import { encodeLine, encodePrice } from './encode-line.ts'
import { anyLine } from './lines.fixture.ts'
import { LOST_PRICE_JSON, SEPARATOR } from './record.ts'

const noPrices = { logColumns: LOG_COLUMNS, prices: new Map<number, string>() }
const places = fc.array(fc.record({ fileId: fc.string(), end: fc.nat() }), { maxLength: 2 })

test('every line is decoded as it was encoded', () => {
  fc.assert(
    fc.property(anyLine, places, fc.boolean(), (line, copyOf, isInTable) => {
      const priceJson = 'priceJson' in line ? line.priceJson : ''
      const parts = line.type === 'settled' ? (line.partPrices ?? []) : []
      const fields = {
        price: isInTable ? 7 : priceJson,
        partPrices: parts.map((json, at) => (isInTable ? at + 8 : json)),
      }
      const payload = Buffer.from(encodeLine(line, fields, copyOf))
      const prices = new Map([priceJson, ...parts].map((json, at) => [at + 7, json]))
      expect(isPrice(payload)).toBe(false)
      expect(decodeLine(payload, { ...noPrices, prices })).toEqual({ line, copyOf, isPriceLost: false })
    }),
    { numRuns: 500 },
  )
})

function fieldsOf(text: string): unknown[] {
  return JSON.parse(text.split(SEPARATOR)[0] ?? '')
}

test('the version before finds all its values where it expects them', () => {
  const seen = { opened: 0, settled: 0 }
  for (const line of fc.sample(anyLine, { numRuns: 400, seed: 2 })) {
    if (line.type !== 'opened' && line.type !== 'settled') continue
    const isFurther = (line.type === 'opened' ? line.furtherPrices : line.partPrices) !== undefined
    if (!isFurther) continue
    const {
      furtherPrices: _named,
      partPrices: _used,
      ...before
    } = { furtherPrices: [], partPrices: [], ...line }
    const written = fieldsOf(encodeLine(line, { price: 1, partPrices: [2] }))
    expect(written.slice(0, -1)).toEqual(fieldsOf(encodeLine(before, { price: 1, partPrices: [] })))
    seen[line.type]++
  }
  expect(Math.min(seen.opened, seen.settled)).toBeGreaterThan(20)
})

test('every price is decoded as it was encoded', () => {
  fc.assert(
    fc.property(fc.nat(), fc.string({ unit: 'binary' }), (index, priceJson) => {
      const payload = Buffer.from(encodePrice(index, priceJson))
      expect(isPrice(payload)).toBe(true)
      expect(decodePrice(payload)).toEqual({ index, priceJson })
    }),
  )
})

test('a line whose price is not known says so', () => {
  const line = fc.sample(anyLine, { numRuns: 50, seed: 1 }).find(({ type }) => type === 'opened')
  if (line?.type !== 'opened') throw new Error('the sample has no opened line')
  const decoded = decodeLine(Buffer.from(encodeLine(line, { price: 3, partPrices: [] })), noPrices)
  expect(decoded).toEqual({ line: { ...line, priceJson: LOST_PRICE_JSON }, copyOf: [], isPriceLost: true })
})

test('a record of an unknown kind, or with too few values, is refused', () => {
  for (const payload of ['[9,"a"]', '[2,"a"]', '[5,"a",1,[1]]', '[5,"a","b",null]', '[]', '{'])
    expect(() => decodeLine(Buffer.from(payload), noPrices)).toThrow()
})
