import type { Price, PriceRule } from '@tollgate/billing/price'

/** What the family's logs say of a price: the same for every call at it, so it is made once. */
export interface PriceWords {
  /** The row's `content`. */
  readonly content: string
  /** Members of the row's `other`, as JSON. */
  readonly members: string
}

const known = new WeakMap<Price, PriceWords>()

export function priceWords(price: Price): PriceWords {
  const words = known.get(price)
  if (words) return words
  const fields = { ...ratiosOf(price.rule), group_ratio: Number(price.groupRatio) }
  const fresh = { content: contentOf(price), members: JSON.stringify(fields).slice(1, -1) }
  known.set(price, fresh)
  return fresh
}

/** Ratios are 0 under a fixed price, and the price is -1 under ratios. */
function ratiosOf(rule: PriceRule): Record<string, number> {
  if (rule.type === 'call') {
    return { model_ratio: 0, completion_ratio: 0, cache_ratio: 0, model_price: Number(rule.price) }
  }
  return {
    model_ratio: Number(rule.modelRatio),
    completion_ratio: Number(rule.completionRatio),
    cache_ratio: Number(rule.cacheRatio),
    cache_creation_ratio: Number(rule.cacheWriteRatio),
    model_price: -1,
  }
}

function contentOf({ rule, groupRatio, picture }: Price): string {
  const wish = picture === undefined ? '' : `，大小 ${picture.size}, 品质 ${picture.quality}`
  const group = `分组倍率 ${twoPlaces(groupRatio)}${wish}`
  if (rule.type === 'call') return `模型价格 ${twoPlaces(rule.price)}，${group}`
  return `模型倍率 ${twoPlaces(rule.modelRatio)}，补全倍率 ${twoPlaces(rule.completionRatio)}，${group}`
}

function twoPlaces(decimal: string): string {
  return Number(decimal).toFixed(2)
}
