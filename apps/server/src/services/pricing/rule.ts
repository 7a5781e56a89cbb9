import type { Decimal, Price } from '@tollgate/billing/price'
import type { PricingRow } from '@tollgate/contract/pricing'

type Prices = Pick<
  PricingRow,
  | 'quota_type'
  | 'model_ratio'
  | 'model_price'
  | 'completion_ratio'
  | 'cache_ratio'
  | 'cache_creation_ratio'
  | 'cache_creation_1h_ratio'
  | 'image_ratio'
  | 'audio_ratio'
  | 'audio_completion_ratio'
>

/** A price snapshot as the price list shows it: by usage (0) or by call (1), without the group ratio. */
export function pricesOf({ rule }: Price): Prices {
  if (rule.type === 'call') return { ...byCall, model_price: shown(rule.price) }
  return {
    quota_type: 0,
    model_price: 0,
    model_ratio: shown(rule.modelRatio),
    completion_ratio: shown(rule.completionRatio),
    cache_ratio: shown(rule.cacheRatio),
    cache_creation_ratio: shown(rule.cacheWriteRatio),
    cache_creation_1h_ratio: shown(rule.cacheWrite1hRatio),
    image_ratio: shown(rule.imageRatio),
    audio_ratio: shown(rule.audioRatio),
    audio_completion_ratio: shown(rule.audioCompletionRatio),
  }
}

/** Prices of built-in tools with this model, in currency per 1,000 calls. */
export function toolPricesOf({ toolPrices = {} }: Price): Record<string, number> {
  return Object.fromEntries(Object.entries(toolPrices).map(([tool, price]) => [tool, shown(price)]))
}

/** Price factors of other service tiers, applied to everything but tools. */
export function tierRatiosOf({ tierRatios = {} }: Price): Record<string, number> {
  return Object.fromEntries(Object.entries(tierRatios).map(([tier, ratio]) => [tier, shown(ratio)]))
}

/** Price factors for tokens of calls with a long context. */
export function contextTiersOf({ contextTiers = [] }: Price): PricingRow['context_tiers'] {
  return contextTiers.map(({ above, input, output, cache }) => ({
    above,
    input: shown(input),
    output: shown(output),
    cache: shown(cache),
  }))
}

/** Price of a video of a certain quality; the price's name tells which. */
export function qualityPriceOf(model: string, price: Price): PricingRow['quality_prices'][number] {
  const { quota_type, model_price, model_ratio } = pricesOf(price)
  return { quality: price.model.slice(model.length + 1), quota_type, model_price, model_ratio }
}

const byCall = {
  quota_type: 1,
  model_ratio: 0,
  completion_ratio: 0,
  cache_ratio: 0,
  cache_creation_ratio: 0,
  cache_creation_1h_ratio: 0,
  image_ratio: 0,
  audio_ratio: 0,
  audio_completion_ratio: 0,
}

/** For display only: charges never use floating-point numbers. */
function shown(decimal: Decimal): number {
  return Number(decimal)
}
