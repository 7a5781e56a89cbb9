import { noUsage, type Usage } from '@tollgate/dialects/usage'
import { invariant } from '@tollgate/kit/invariant'
import { isRecord } from '@tollgate/kit/json'
import { buckets } from './buckets.ts'
import { scaledOf } from './decimal.ts'
import type { Price } from './price.ts'
import { partsUnits, type PricedPart } from './priced-parts.ts'

/** Returns the JSON of the price with this content hash. */
export type PriceLookup = (hash: string) => string | undefined

const nowhere: PriceLookup = () => undefined

/**
 * Recomputes the charge of a stored entry from its own JSON. The result is the same integer as at settlement.
 * Parts of the usage that other models served name their prices, which `lookUp` returns. Throws an
 * `InvariantError` when the text was not written by {@link priceToJson} and `usageToJson`, or names a price
 * that is not kept.
 */
export function recompute(priceJson: string, usageJson: string, lookUp: PriceLookup = nowhere): bigint {
  const price = priceFromJson(priceJson)
  const parts = partsFromJson(usageJson, price, lookUp)
  return partsUnits(price, usageFromJson(usageJson), parts)
}

/** The content hashes of the prices that parts of a stored usage name. */
export function listPartHashes(usageJson: string): readonly string[] {
  return storedParts(usageJson).flatMap(({ price }) => (typeof price === 'string' ? [price] : []))
}

function partsFromJson(usageJson: string, price: Price, lookUp: PriceLookup): readonly PricedPart[] {
  return storedParts(usageJson).map((part) => {
    const { kind, model, price: hash } = part
    const usage = usageFrom(part)
    const named = { kind: String(kind), ...(typeof model === 'string' && { model }) }
    if (typeof hash !== 'string') return { ...named, price, usage }
    const content = lookUp(hash)
    invariant(content !== undefined, `the price ${hash} of a part is not kept`)
    return { ...named, price: priceFromJson(content), usage }
  })
}

/** Most usages have no parts, so their JSON is not parsed for them. */
function storedParts(usageJson: string): readonly Readonly<Record<string, unknown>>[] {
  if (!usageJson.includes('"parts":')) return []
  const value: unknown = JSON.parse(usageJson)
  const parts = isRecord(value) ? value['parts'] : undefined
  invariant(Array.isArray(parts) && parts.every(isRecord), 'the parts of a stored usage are objects')
  return parts
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
  return usageFrom(value)
}

function usageFrom(value: Readonly<Record<string, unknown>>): Usage {
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
