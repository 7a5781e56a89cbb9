import { type Bucket, eachBucket } from './buckets.ts'
import { decimalText, multiply, type FixedPoint, scaledOf, trimmed } from './decimal.ts'
import type { Decimal, PriceRule } from './price.ts'

type RatioRule = PriceRule & { type: 'ratio' }

/** A model ratio of 1 means 2 currency units per million tokens. */
export const CURRENCY_PER_RATIO: FixedPoint = { digits: 2n, scale: 0 }

/** Ratio of each bucket's price to the price of text input. */
export function bucketRatios(rule: RatioRule): Record<Bucket, FixedPoint> {
  const audio = scaledOf(rule.audioRatio)
  const completion = scaledOf(rule.completionRatio)
  return {
    inputText: { digits: 1n, scale: 0 },
    cacheRead: scaledOf(rule.cacheRatio),
    cacheWrite5m: scaledOf(rule.cacheWriteRatio),
    cacheWrite1h: scaledOf(rule.cacheWrite1hRatio),
    inputImage: scaledOf(rule.imageRatio),
    inputAudio: audio,
    outputText: completion,
    outputAudio: multiply(audio, scaledOf(rule.audioCompletionRatio)),
    outputImage: completion,
  }
}

/** Price of a million tokens of each bucket in currency units, before the group ratio. */
export function bucketPrices(rule: RatioRule): Record<Bucket, Decimal> {
  const input = multiply(scaledOf(rule.modelRatio), CURRENCY_PER_RATIO)
  const ratios = bucketRatios(rule)
  return eachBucket((bucket) => decimalText(trimmed(multiply(input, ratios[bucket]))))
}
