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

/** A word for how a video is made; nothing that could be taken for lines. */
const MODE = /^[a-z][a-z0-9_-]*$/

/**
 * Under what a second of a video may have a price of its own beside that of its model, the most particular first:
 * `viduq1@1080p`, `kling-v1@pro`.
 */
export function videoPriceNames({
  model,
  lines,
  mode,
}: {
  readonly model: string
  readonly lines: string | undefined
  readonly mode: string | undefined
}): readonly string[] {
  const word = mode?.toLowerCase() ?? ''
  return [...(lines === undefined ? [] : [lines]), ...(MODE.test(word) ? [word] : [])].map(
    (kind) => `${model}@${kind}`,
  )
}

/** The model of a price that may be one of those. */
export function pricedModel({ model }: Pick<Price, 'model'>): string {
  return model.replace(/@[a-z0-9_-]+$/, '')
}
