import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { invariant } from '@tollgate/kit/invariant'
import { isRecord } from '@tollgate/kit/json'
import { buckets } from './buckets.ts'
import { chargeUnits } from './charge.ts'
import { scaledOf } from './decimal.ts'
import type { Price } from './price.ts'

/**
 * Recomputes the charge of a stored entry from its own JSON. The result is the same integer as at settlement.
 * Throws an `InvariantError` when the text was not written by {@link priceToJson} and `usageToJson`.
 */
export function recompute(priceJson: string, usageJson: string): bigint {
  return chargeUnits(priceFromJson(priceJson), usageFromJson(usageJson))
}

const texts = new WeakMap<Price, string>()

/** JSON of a frozen price; cached by object. */
export function priceToJson(price: Price): string {
  const known = texts.get(price)
  if (known !== undefined) return known
  const text = JSON.stringify(price)
  texts.set(price, text)
  return text
}

/** Parses a frozen price. Cached by text, so equal texts share one object and its rates compile once. */
export function priceFromJson(text: string): Price {
  const known = prices.get(text)
  if (known !== undefined) return known
  const value: unknown = JSON.parse(text)
  invariant(isPrice(value), 'a stored price has a rule, a group ratio and a quota per unit')
  if (prices.size >= PRICES_MAX) prices.clear()
  prices.set(text, value)
  return value
}

/** A history has millions of entries but few distinct prices: one for each model, group and version. */
const PRICES_MAX = 1_000
const prices = new Map<string, Price>()

/** Earlier releases stored an empty text for a released call; it means no usage. */
export function usageFromJson(text: string): Usage {
  if (text === '') return noUsage
  const value: unknown = JSON.parse(text)
  invariant(isRecord(value), 'a stored usage is an object of counts')
  const usage: Record<string, unknown> = { ...noUsage }
  for (const bucket of buckets) usage[bucket] = value[bucket] ?? 0
  for (const name of ['images', 'turns', 'seconds']) if (value[name] !== undefined) usage[name] = value[name]
  if (isRecord(value['toolCalls'])) usage['toolCalls'] = value['toolCalls']
  if (typeof value['serviceTier'] === 'string') usage['serviceTier'] = value['serviceTier']
  invariant(isUsage(usage), 'every count of a stored usage is a number')
  return usage
}

const RATIO_FIELDS = [
  'modelRatio',
  'completionRatio',
  'cacheRatio',
  'cacheWriteRatio',
  'cacheWrite1hRatio',
  'imageRatio',
  'audioRatio',
  'audioCompletionRatio',
]

function isPrice(value: unknown): value is Price {
  if (!isRecord(value) || !isRecord(value['rule'])) return false
  const { rule, picture, contextTiers = [] } = value
  if (picture !== undefined && !(isRecord(picture) && isDecimal(picture['each']))) return false
  if (!Array.isArray(contextTiers) || !areTiers(contextTiers)) return false
  const decimals = rule['type'] === 'call' ? [rule['price']] : RATIO_FIELDS.map((field) => rule[field])
  return [value['groupRatio'], value['quotaPerUnit'], ...decimals].every(isDecimal)
}

/** The tiers must be ascending by `above`, otherwise a charge would depend on their order. */
function areTiers(tiers: readonly unknown[]): boolean {
  let last = 0
  return tiers.every((tier) => {
    if (!isRecord(tier)) return false
    const { above } = tier
    const isHigher = typeof above === 'number' && Number.isSafeInteger(above) && above > last
    if (isHigher) last = above
    return isHigher && [tier['input'], tier['output'], tier['cache']].every(isDecimal)
  })
}

const WORDS = new Set(['toolCalls', 'serviceTier'])

function isUsage(value: object): value is Usage {
  return Object.entries(value).every(([key, part]) => WORDS.has(key) || typeof part === 'number')
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && scaledOf(value).digits >= 0n
}
