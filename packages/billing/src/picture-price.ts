import { decimalText, multiply, scaledOf, type Scaled } from './decimal.ts'
import type { Decimal, Price } from './price.ts'

/** What a call says of the pictures it wants; what it leaves open is the vendor's default. */
export interface PictureWish {
  readonly model: string
  readonly size: string | undefined
  readonly quality: string | undefined
}

/** Ratio 1 is this much currency a picture, where the upstream tells no tokens: ratio 16 is 0.04. */
const PER_RATIO: Scaled = { digits: 25n, scale: 4 }

const SIZE_DEFAULT = '1024x1024'
const QUALITY_DEFAULT = 'standard'

const sizeRatios: Readonly<Record<string, Decimal>> = {
  '256x256': '0.4',
  '512x512': '0.45',
  '1024x1792': '2',
  '1792x1024': '2',
}

/** The same price, for a call that makes pictures. Sizes and qualities cost differently where the vendor says so. */
export function withPicturePrice(price: Price, wish: PictureWish): Price {
  const { size = SIZE_DEFAULT, quality = QUALITY_DEFAULT } = wish
  const { rule } = price
  const base = rule.type === 'call' ? scaledOf(rule.price) : multiply(scaledOf(rule.modelRatio), PER_RATIO)
  const ratio = wish.model.startsWith('dall-e') ? ratioOf(wish.model, size, quality) : '1'
  return { ...price, picture: { each: decimalText(multiply(base, scaledOf(ratio))), size, quality } }
}

function ratioOf(model: string, size: string, quality: string): Decimal {
  const bySize = Object.hasOwn(sizeRatios, size) ? (sizeRatios[size] ?? '1') : '1'
  if (!model.startsWith('dall-e-3') || quality !== 'hd') return bySize
  const byQuality = bySize === '2' ? '1.5' : '2'
  return decimalText(multiply(scaledOf(bySize), scaledOf(byQuality)))
}
