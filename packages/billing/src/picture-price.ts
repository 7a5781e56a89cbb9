import { ownValue } from '@tollgate/kit/own-value'
import { decimalText, multiply, scaledOf, type FixedPoint } from './decimal.ts'
import type { Decimal, Price } from './price.ts'

/** The image parameters of a request that affect its price. Missing ones get the vendor's default. */
export interface ImageParameters {
  readonly model: string
  readonly size: string | undefined
  readonly quality: string | undefined
}

/**
 * Price of one image in currency units at model ratio 1, when the upstream reports no tokens: 0.0025, so
 * ratio 16 gives 0.04.
 */
const PER_RATIO: FixedPoint = { digits: 25n, scale: 4 }

const SIZE_DEFAULT = '1024x1024'
const QUALITY_DEFAULT = 'standard'

const sizeRatios: Readonly<Record<string, Decimal>> = {
  '256x256': '0.4',
  '512x512': '0.45',
  '1024x1792': '2',
  '1792x1024': '2',
}

/**
 * Adds the price per image to the price of an image generation call. Sizes and qualities have different
 * prices where the vendor says so (DALL-E).
 */
export function withPicturePrice(price: Price, wish: ImageParameters): Price {
  const { size = SIZE_DEFAULT, quality = QUALITY_DEFAULT } = wish
  const { rule } = price
  const base = rule.type === 'call' ? scaledOf(rule.price) : multiply(scaledOf(rule.modelRatio), PER_RATIO)
  const ratio = wish.model.startsWith('dall-e') ? ratioOf(wish.model, size, quality) : '1'
  return { ...price, picture: { each: decimalText(multiply(base, scaledOf(ratio))), size, quality } }
}

function ratioOf(model: string, size: string, quality: string): Decimal {
  const bySize = ownValue(sizeRatios, size) ?? '1'
  if (!model.startsWith('dall-e-3') || quality !== 'hd') return bySize
  const byQuality = bySize === '2' ? '1.5' : '2'
  return decimalText(multiply(scaledOf(bySize), scaledOf(byQuality)))
}
