import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { describe, expect, it } from 'vitest'
import { chargeUnits } from './charge.ts'
import { defaultPriceOptions } from './defaults.ts'
import { buildPriceBook } from './price-book.ts'
import { parsePriceOptions } from './price-options.ts'

/** A recipe of the pricing cook-book: `<!-- costs 10500 units in vip: {usage} -->` and the settings below it. */
const RECIPE = /<!-- costs (\d+) units(?: in (\w+))?: (.+) -->\n```json\n([\s\S]*?)^```/gm

const recipesOf = (path: string) =>
  [...readFileSync(join(import.meta.dirname, '../../..', path), 'utf8').matchAll(RECIPE)].map(
    ([, units = '', group = 'default', used = '', set = '']) => {
      const usage: Partial<Usage> = JSON.parse(used)
      const settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = JSON.parse(set)
      return { units: BigInt(units), group, usage, settings }
    },
  )
const recipes = recipesOf('docs/guides/pricing.md')

it('the recipes of the cook-book are found, the same in Chinese', () => {
  expect(recipes).toHaveLength(7)
  expect(recipesOf('site/zh/guides/pricing.md')).toEqual(recipes)
})

describe.each(recipes)('the recipe that costs $units units', ({ units, group, usage, settings }) => {
  it('is charged as the page says', () => {
    const texts = Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [key, JSON.stringify(value)]),
    )
    const book = buildPriceBook(parsePriceOptions({ ...defaultPriceOptions, ...texts }), 1)
    const [model = ''] = Object.keys(settings['ModelRatio'] ?? settings['ModelPrice'] ?? {})
    const price = book.find({ model, group, acceptsUnpriced: false })
    if (price === undefined) throw new Error(`${model} has no price`)
    expect(chargeUnits(price, { ...noUsage, ...usage })).toBe(units)
  })
})
