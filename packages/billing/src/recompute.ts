import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { invariant } from '@tollgate/kit/invariant'
import { buckets } from './buckets.ts'
import { chargeUnits } from './charge.ts'
import { scaledOf } from './decimal.ts'
import type { Price } from './price.ts'

/**
 * Prices a stored entry again from its own JSON (I9): the same integer as when the call was settled. Throws an
 * `InvariantError` when the text is not what {@link priceToJson} and `usageToJson` write.
 */
export function recompute(priceJson: string, usageJson: string): bigint {
  return chargeUnits(priceFromJson(priceJson), usageFromJson(usageJson))
}

const texts = new WeakMap<Price, string>()

/** The JSON text of a frozen price; written once for the same object. */
export function priceToJson(price: Price): string {
  const known = texts.get(price)
  if (known !== undefined) return known
  const text = JSON.stringify(price)
  texts.set(price, text)
  return text
}

export function priceFromJson(text: string): Price {
  const value: unknown = JSON.parse(text)
  invariant(isPrice(value), 'a stored price has a rule, a group ratio and a quota per unit')
  return value
}

export function usageFromJson(text: string): Usage {
  const value: unknown = JSON.parse(text)
  invariant(isObject(value), 'a stored usage is an object of counts')
  const usage: Record<string, unknown> = { ...noUsage }
  for (const bucket of buckets) usage[bucket] = value[bucket] ?? 0
  if (isObject(value['toolCalls'])) usage['toolCalls'] = value['toolCalls']
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
  if (!isObject(value) || !isObject(value['rule'])) return false
  const { rule } = value
  const decimals = rule['type'] === 'call' ? [rule['price']] : RATIO_FIELDS.map((field) => rule[field])
  return [value['groupRatio'], value['quotaPerUnit'], ...decimals].every(isDecimal)
}

function isUsage(value: object): value is Usage {
  return Object.entries(value).every(([key, part]) => key === 'toolCalls' || typeof part === 'number')
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && scaledOf(value).digits >= 0n
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
