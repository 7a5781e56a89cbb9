import { decimalText, multiply, scaledOf } from './decimal.ts'
import type { Decimal, Price } from './price.ts'

/** Sizes that the vendor asks more for: five thirds of the others. */
const LARGE_SIZES: ReadonlySet<string> = new Set(['1792x1024', '1024x1792'])
const LARGE_RATIO: Decimal = '1.666667'

/** The same price, for a second of video in that size. Only prices by the call have one. */
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

/** What a price of the book may have become for the size of a video, itself first. */
export function inEverySize(price: Price): readonly Price[] {
  const [size] = LARGE_SIZES
  return [price, withVideoSize(price, { model: price.model, size })]
}

/** A quality of a video in a price's name: `1080p`, `audio`, `10s`. */
const WORD = '[a-z0-9][a-z0-9_-]*'
const BEHIND_MODEL = new RegExp(`@(${WORD}(?:\\+${WORD})*)$`)
/** More words than any video has; each doubles the names. */
const WORDS_MAX = 8

/**
 * Under what a video may have a price of its own beside that of its model, the most particular first: of the names whose
 * words all fit it, those with more words, and among equals those with the words that come first in `words`.
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
    .map((set) => qualityName(`${model}@${set.join('+')}`))
}

/** The one name of a price, in whatever order its words are written. */
export function qualityName(name: string): string {
  const words = BEHIND_MODEL.exec(name)?.[1]
  if (words?.includes('+') !== true) return name
  const sorted = [...new Set(words.split('+'))].toSorted()
  return `${name.slice(0, -words.length)}${sorted.join('+')}`
}

/** The model of a price that may be one of those. */
export function pricedModel({ model }: Pick<Price, 'model'>): string {
  return model.replace(BEHIND_MODEL, '')
}
