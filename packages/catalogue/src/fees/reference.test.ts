import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { feeRows } from './fee-rows.ts'
import { feeTitles, formatFee } from './fee-titles.ts'
import { writeFeesPage } from './reference.ts'

const PAGE = new URL('../../../../docs/reference/fees.md', import.meta.url)

it('docs/reference/fees.md matches the rows (`UPDATE_DOCS=1` rewrites it)', () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(PAGE, writeFeesPage())
  expect(readFileSync(PAGE, 'utf8')).toBe(writeFeesPage())
})

it('every row has its own name and a source with an address and a date', () => {
  expect(new Set(feeRows.map(({ name }) => name)).size).toBe(feeRows.length)
  for (const { name, source } of feeRows) {
    expect(name).toMatch(/^[a-z0-9_]{3,40}$/)
    expect(source.url, name).toMatch(/^https:\/\/[\w.-]+\//)
    expect(source.date, name).toMatch(/^\d{4}-\d\d-\d\d$/)
  }
})

it('every list price is a positive decimal and names the figure as its document prints it', () => {
  for (const { name, price } of feeRows) {
    if (price === 'unknown') continue
    for (const each of [price.perThousand, ...Object.values(price.byModel ?? {})])
      expect(Number(each), name).toBeGreaterThan(0)
    expect(price.printed, name).toMatch(/\d/)
  }
})

it('every fee has a title of its own in both languages, and no title is left over', () => {
  expect(Object.keys(feeTitles).toSorted()).toEqual(feeRows.map(({ name }) => name).toSorted())
  for (const language of ['en', 'zh'] as const) {
    const titles = feeRows.map(({ name }) => formatFee(name, language))
    expect(new Set(titles).size).toBe(feeRows.length)
  }
  expect(formatFee('own_tool', 'en')).toBe('own_tool')
  expect(formatFee('constructor', 'zh')).toBe('constructor')
})
