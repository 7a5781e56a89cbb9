import { decimalText, multiply, scaledOf } from './decimal.ts'
import type { Decimal, Price } from './price.ts'

/** Video sizes that cost five thirds of the other sizes. */
const LARGE_SIZES: ReadonlySet<string> = new Set(['1792x1024', '1024x1792'])
const LARGE_RATIO: Decimal = '1.666667'

/** The price per second of a video of this size. Only per-call prices of Sora models change with the size. */
export function withVideoSize(
  price: Price,
  { model, size }: { readonly model: string; readonly size: string | undefined },
): Price {
  const { rule } = price
  const isLarge = model.startsWith('sora-') && LARGE_SIZES.has((size ?? '').replace('*', 'x'))
  if (rule.type !== 'call' || !isLarge) return price
  const each = decimalText(multiply(scaledOf(rule.price), scaledOf(LARGE_RATIO)))
  return { ...price, rule: { type: 'call', price: each } }
}

/** All prices that withVideoSize can derive from a price in the price book, the price itself first. */
export function possibleVideoPrices(price: Price): readonly Price[] {
  const [size] = LARGE_SIZES
  return [price, withVideoSize(price, { model: price.model, size })]
}

/** A video quality in a price name, such as `1080p`, `audio` or `10s`. */
const WORD = '[a-z0-9][a-z0-9_-]*'
const BEHIND_MODEL = new RegExp(`@(${WORD}(?:\\+${WORD})*)$`)
/** More words than any video has. Each additional word doubles the number of names. */
const WORDS_MAX = 8

/**
 * Names under which a video may have a price of its own, the most specific first. A name matches when all of
 * its words are in `words`. More words come before fewer; among names of the same length, those with earlier
 * entries of `words` come first.
 */
export function videoPriceNames(model: string, words: readonly string[]): readonly string[] {
  const subsets = words
    .slice(0, WORDS_MAX)
    .reduceRight<readonly (readonly string[])[]>(
      (sets, word) => [...sets.map((set) => [word, ...set]), ...sets],
      [[]],
    )
  return subsets
    .filter((set) => set.length > 0)
    .toSorted((left, right) => right.length - left.length)
    .map((set) => normalizePriceName(`${model}@${set.join('+')}`))
}

/** Normalises a price name, so that its quality words can be written in any order. */
export function normalizePriceName(name: string): string {
  const words = BEHIND_MODEL.exec(name)?.[1]
  if (words?.includes('+') !== true) return name
  const sorted = [...new Set(words.split('+'))].toSorted()
  return `${name.slice(0, -words.length)}${sorted.join('+')}`
}

/** The model of a price, without the quality words of a video price. */
export function modelOfPrice({ model }: Pick<Price, 'model'>): string {
  return model.replace(BEHIND_MODEL, '')
}
