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
