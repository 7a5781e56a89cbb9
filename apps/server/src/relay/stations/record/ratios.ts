import type { Price, PriceRule } from '@tollgate/billing/price'
import type { LogEventOf } from '@tollgate/contract/log-event/event'

const known = new WeakMap<Price, string>()

/**
 * The members of a log row's `other` that describe a price, as JSON text. They are the same for all calls
 * with this price, so they are cached.
 */
export function priceMembers(price: Price): string {
  const members = known.get(price)
  if (members !== undefined) return members
  const fresh = JSON.stringify(callCharged(price)).slice(1, -1)
  known.set(price, fresh)
  return fresh
}

interface CacheRatios {
  readonly cache_ratio: number
  readonly cache_creation_ratio?: number
}

function callCharged({ rule, groupRatio, picture }: Price): LogEventOf<'call_charged'> & CacheRatios {
  return {
    event: 'call_charged',
    ...ratiosOf(rule),
    group_ratio: Number(groupRatio),
    ...(picture && { picture: { size: picture.size, quality: picture.quality } }),
  }
}

/** For a fixed price the ratios are 0; for ratios the price is -1. */
function ratiosOf(rule: PriceRule) {
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
