import { decimalFromNumber } from './decimal.ts'
import type { Decimal } from './price.ts'

/** The pricing options of a site, parsed. Names are user-keyed, so they live in maps. */
export interface PriceOptions {
  readonly modelRatio: DecimalMap
  /** Currency per call; a model found here is not priced per token. */
  readonly modelPrice: DecimalMap
  readonly completionRatio: DecimalMap
  readonly cacheRatio: DecimalMap
  readonly createCacheRatio: DecimalMap
  readonly imageRatio: DecimalMap
  readonly audioRatio: DecimalMap
  readonly audioCompletionRatio: DecimalMap
  /** Also says which groups exist. */
  readonly groupRatio: DecimalMap
  /** Group to description. */
  readonly userUsableGroups: ReadonlyMap<string, string>
  /** User's own group, then effective group: replaces the group ratio. */
  readonly groupGroupRatio: ReadonlyMap<string, DecimalMap>
  /** Currency per 1,000 calls by `tool` or `tool:model-prefix*`; 0 switches a tool's price off. */
  readonly toolPrices: DecimalMap
  readonly quotaPerUnit: Decimal
  readonly isSelfUse: boolean
}

export type DecimalMap = ReadonlyMap<string, Decimal>

/** Option keys that make up a price book, as they are stored and sent on the wire. */
export const priceOptionKeys = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'GroupRatio',
  'UserUsableGroups',
  'GroupGroupRatio',
  'ToolPrices',
  'QuotaPerUnit',
  'SelfUseModeEnabled',
] as const

export type PriceOptionKey = (typeof priceOptionKeys)[number]

/** An option text that cannot be used; `message` says what is wrong and where, without the whole text. */
export class PriceOptionError extends Error {
  override readonly name = 'PriceOptionError'
}

/** Why `text` is not a valid value of `key`; `undefined` when it is. Ask before an option is stored. */
export function priceOptionFault(key: PriceOptionKey, text: string): string | undefined {
  try {
    return nameFault(readers[key](text))
  } catch (error) {
    if (error instanceof PriceOptionError) return error.message
    throw error
  }
}

/** What is stored already may have such names; a database could not store rows of a group that has a new one. */
function nameFault(value: unknown): string | undefined {
  if (!(value instanceof Map)) return undefined
  const entries: [unknown, unknown][] = [...value]
  for (const [name, inner] of entries) {
    if (/\p{Cc}/u.test(String(name))) return 'a name has control characters'
    const below = nameFault(inner)
    if (below !== undefined) return below
  }
  return undefined
}

/** Parses the stored texts. Throws a {@link PriceOptionError} on the first that is not valid. */
export function parsePriceOptions(texts: Readonly<Record<PriceOptionKey, string>>): PriceOptions {
  return {
    modelRatio: decimalMap(texts.ModelRatio),
    modelPrice: decimalMap(texts.ModelPrice),
    completionRatio: decimalMap(texts.CompletionRatio),
    cacheRatio: decimalMap(texts.CacheRatio),
    createCacheRatio: decimalMap(texts.CreateCacheRatio),
    imageRatio: decimalMap(texts.ImageRatio),
    audioRatio: decimalMap(texts.AudioRatio),
    audioCompletionRatio: decimalMap(texts.AudioCompletionRatio),
    groupRatio: decimalMap(texts.GroupRatio),
    userUsableGroups: textMap(texts.UserUsableGroups),
    groupGroupRatio: nestedMap(texts.GroupGroupRatio),
    toolPrices: decimalMap(texts.ToolPrices),
    quotaPerUnit: positiveDecimal(texts.QuotaPerUnit),
    isSelfUse: flag(texts.SelfUseModeEnabled),
  }
}

const readers: Readonly<Record<PriceOptionKey, (text: string) => unknown>> = {
  ModelRatio: decimalMap,
  ModelPrice: decimalMap,
  CompletionRatio: decimalMap,
  CacheRatio: decimalMap,
  CreateCacheRatio: decimalMap,
  ImageRatio: decimalMap,
  AudioRatio: decimalMap,
  AudioCompletionRatio: decimalMap,
  GroupRatio: decimalMap,
  UserUsableGroups: textMap,
  GroupGroupRatio: nestedMap,
  ToolPrices: decimalMap,
  QuotaPerUnit: positiveDecimal,
  SelfUseModeEnabled: flag,
}

/** No price is near it; it keeps a slip of the finger from being stored, and every product small. */
const RATIO_MAX = 1_000_000
const QUOTA_PER_UNIT_MAX = 1_000_000_000_000
const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function decimalMap(text: string): DecimalMap {
  return decimalsOf(jsonObject(text))
}

function nestedMap(text: string): ReadonlyMap<string, DecimalMap> {
  return new Map(
    namedEntries(jsonObject(text)).map(([name, value]) => [name, decimalsOf(asObject(value, name))]),
  )
}

function textMap(text: string): ReadonlyMap<string, string> {
  return new Map(namedEntries(jsonObject(text)).map(([name, value]) => [name, asText(value, name)]))
}

function decimalsOf(value: object): DecimalMap {
  return new Map(namedEntries(value).map(([name, number]) => [name, asRatio(number, name)]))
}

function namedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([name]) => !DROPPED_NAMES.has(name))
}

function jsonObject(text: string): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new PriceOptionError('must be a JSON object', { cause })
  }
  return asObject(value, '')
}

function asObject(value: unknown, name: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new PriceOptionError(name === '' ? 'must be a JSON object' : `${name}: must be a JSON object`)
}

function asText(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw new PriceOptionError(`${name}: must be a text`)
}

function asRatio(value: unknown, name: string): Decimal {
  if (typeof value !== 'number') throw new PriceOptionError(`${name}: must be a number`)
  const decimal = value >= 0 && value <= RATIO_MAX ? decimalFromNumber(value) : undefined
  if (decimal === undefined) throw new PriceOptionError(`${name}: must be a number from 0 to ${RATIO_MAX}`)
  return decimal
}

function positiveDecimal(text: string): Decimal {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  const decimal = value > 0 && value <= QUOTA_PER_UNIT_MAX ? decimalFromNumber(value) : undefined
  if (decimal === undefined)
    throw new PriceOptionError(`must be a number above 0, at most ${QUOTA_PER_UNIT_MAX}`)
  return decimal
}

function flag(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new PriceOptionError('must be true or false')
}
