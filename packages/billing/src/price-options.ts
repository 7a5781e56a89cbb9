import { isRecord } from '@tollgate/kit/json'
import type { ContextTierMap } from './context-tiers.ts'
import { decimalFromNumber } from './decimal.ts'
import type { ContextTier, Decimal } from './price.ts'
import { normalizePriceName } from './video-price.ts'

/**
 * The parsed pricing options of a site. Keys are names chosen by users, so the options are maps, not objects.
 */
export interface PriceOptions {
  readonly modelRatio: DecimalMap
  /** Currency units per call. A model listed here is not priced per token. */
  readonly modelPrice: DecimalMap
  readonly completionRatio: DecimalMap
  readonly cacheRatio: DecimalMap
  readonly createCacheRatio: DecimalMap
  /** Ratio of one-hour cache writes. Without an entry it is derived from the five-minute ratio. */
  readonly createCache1hRatio: DecimalMap
  readonly imageRatio: DecimalMap
  readonly audioRatio: DecimalMap
  readonly audioCompletionRatio: DecimalMap
  /** Its keys are also the list of existing groups. */
  readonly groupRatio: DecimalMap
  /** Group name to description. */
  readonly userUsableGroups: ReadonlyMap<string, string>
  /** User's own group, then the group of the call. The value replaces the group ratio. */
  readonly groupGroupRatio: ReadonlyMap<string, DecimalMap>
  /**
   * Currency units per 1,000 calls by `tool`, `tool:model` or `tool:model-prefix*`; 0 disables a tool's
   * price.
   */
  readonly toolPrices: DecimalMap
  /**
   * Factor on everything except tools by `tier`, `tier:model` or `tier:model-prefix*`; 0 disables a tier's
   * price.
   */
  readonly serviceTierRatio: DecimalMap
  /**
   * Factors on the tokens of long calls, by `model` or `model-prefix*`. An empty list disables the tiers of a
   * wider prefix.
   */
  readonly contextTierRatio: ContextTierMap
  /**
   * How many times what its vendor told a call costs at least, by `model` or `model-prefix*`; 0 disables the factor of
   * a wider prefix.
   */
  readonly vendorCostRatio: DecimalMap
  readonly quotaPerUnit: Decimal
  readonly isSelfUse: boolean
  /** Fees that the operator did not price are charged at their vendor's list price, or only counted. */
  readonly areListedFeesCharged: boolean
}

export type DecimalMap = ReadonlyMap<string, Decimal>

/** Keys of the options that make up a price book, as they are stored and sent on the wire. */
export const priceOptionKeys = [
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
  'CacheRatio',
  'CreateCacheRatio',
  'CreateCache1hRatio',
  'ImageRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'GroupRatio',
  'UserUsableGroups',
  'GroupGroupRatio',
  'ToolPrices',
  'ServiceTierRatio',
  'ContextTierRatio',
  'VendorCostRatio',
  'QuotaPerUnit',
  'SelfUseModeEnabled',
  'ListedFeesCharged',
] as const

export type PriceOptionKey = (typeof priceOptionKeys)[number]

/** An option text is invalid. `message` says what is wrong and where, without repeating the whole text. */
export class PriceOptionError extends Error {
  override readonly name = 'PriceOptionError'
}

/**
 * The reason why `text` is not a valid value of `key`, or `undefined` when it is valid. Call it before
 * storing an option.
 */
export function priceOptionFault(key: PriceOptionKey, text: string): string | undefined {
  try {
    const value = readers[key](text)
    return nameFault(value) ?? repeatedFault(key, value)
  } catch (error) {
    if (error instanceof PriceOptionError) return error.message
    throw error
  }
}

/**
 * Rejects two names with the same quality words. Only new values are checked; options already stored may
 * contain such names, and the last one wins.
 */
function repeatedFault(key: PriceOptionKey, value: unknown): string | undefined {
  if ((key !== 'ModelPrice' && key !== 'ModelRatio') || !(value instanceof Map)) return undefined
  const names = [...value.keys()].map(String)
  const known = new Set<string>()
  const again = names.find((name) => known.size === known.add(normalizePriceName(name)).size)
  return again === undefined ? undefined : `${again}: the same words are priced twice`
}

/**
 * Rejects names with control characters, because the database could not store rows of such a group. Only new
 * values are checked; options already stored may contain such names.
 */
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

/** Parses the stored option texts. Throws a {@link PriceOptionError} for the first invalid one. */
export function parsePriceOptions(texts: Readonly<Record<PriceOptionKey, string>>): PriceOptions {
  return {
    modelRatio: modelMap(texts.ModelRatio),
    modelPrice: modelMap(texts.ModelPrice),
    completionRatio: decimalMap(texts.CompletionRatio),
    cacheRatio: decimalMap(texts.CacheRatio),
    createCacheRatio: decimalMap(texts.CreateCacheRatio),
    createCache1hRatio: decimalMap(texts.CreateCache1hRatio),
    imageRatio: decimalMap(texts.ImageRatio),
    audioRatio: decimalMap(texts.AudioRatio),
    audioCompletionRatio: decimalMap(texts.AudioCompletionRatio),
    groupRatio: decimalMap(texts.GroupRatio),
    userUsableGroups: textMap(texts.UserUsableGroups),
    groupGroupRatio: nestedMap(texts.GroupGroupRatio),
    toolPrices: decimalMap(texts.ToolPrices),
    serviceTierRatio: decimalMap(texts.ServiceTierRatio),
    contextTierRatio: tierMap(texts.ContextTierRatio),
    vendorCostRatio: decimalMap(texts.VendorCostRatio),
    quotaPerUnit: positiveDecimal(texts.QuotaPerUnit),
    isSelfUse: flag(texts.SelfUseModeEnabled),
    areListedFeesCharged: flag(texts.ListedFeesCharged),
  }
}

const readers: Readonly<Record<PriceOptionKey, (text: string) => unknown>> = {
  ModelRatio: decimalMap,
  ModelPrice: decimalMap,
  CompletionRatio: decimalMap,
  CacheRatio: decimalMap,
  CreateCacheRatio: decimalMap,
  CreateCache1hRatio: decimalMap,
  ImageRatio: decimalMap,
  AudioRatio: decimalMap,
  AudioCompletionRatio: decimalMap,
  GroupRatio: decimalMap,
  UserUsableGroups: textMap,
  GroupGroupRatio: nestedMap,
  ToolPrices: decimalMap,
  ServiceTierRatio: decimalMap,
  ContextTierRatio: tierMap,
  VendorCostRatio: decimalMap,
  QuotaPerUnit: positiveDecimal,
  SelfUseModeEnabled: flag,
  ListedFeesCharged: flag,
}

/** Far above any real price: catches typing mistakes and keeps products small. */
const RATIO_MAX = 1_000_000
const CONTEXT_TIERS_MAX = 8
const CONTEXT_TOKENS_MAX = 1_000_000_000
const QUOTA_PER_UNIT_MAX = 1_000_000_000_000
const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

function decimalMap(text: string): DecimalMap {
  return decimalsOf(jsonObject(text))
}

/** Video prices may be named by quality, with the quality words in any order; they are normalised here. */
function modelMap(text: string): DecimalMap {
  return new Map([...decimalMap(text)].map(([name, price]) => [normalizePriceName(name), price]))
}

function tierMap(text: string): ContextTierMap {
  return new Map(namedEntries(jsonObject(text)).map(([name, value]) => [name, tiersOf(value, name)]))
}

/** Sorted ascending by `above`. */
function tiersOf(value: unknown, name: string): readonly ContextTier[] {
  if (!Array.isArray(value) || value.length > CONTEXT_TIERS_MAX)
    throw new PriceOptionError(`${name}: must be a list of at most ${CONTEXT_TIERS_MAX} tiers`)
  const tiers = value.map((tier: unknown) => tierOf(asObject(tier, name), name))
  if (new Set(tiers.map(({ above }) => above)).size < tiers.length)
    throw new PriceOptionError(`${name}: two tiers begin at the same number of tokens`)
  return Object.freeze(tiers.toSorted((left, right) => left.above - right.above))
}

/** The cache factor defaults to the input factor. */
function tierOf(value: object, name: string): ContextTier {
  const { above, input, output, cache = input, ...others }: Record<string, unknown> = { ...value }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new PriceOptionError(`${name}: a tier has no ${unknown}`)
  if (typeof above !== 'number' || !Number.isInteger(above) || above < 1 || above > CONTEXT_TOKENS_MAX)
    throw new PriceOptionError(`${name}: above must be a whole number from 1 to ${CONTEXT_TOKENS_MAX}`)
  const factor = (reported: unknown, of: string) => asFactor(reported, `${name}: ${of}`)
  return Object.freeze({
    above,
    input: factor(input, 'input'),
    output: factor(output, 'output'),
    cache: factor(cache, 'cache'),
  })
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
  if (isRecord(value)) return value
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

/** A factor must be above 0: a long call must not become free. */
function asFactor(value: unknown, name: string): Decimal {
  const decimal = asRatio(value, name)
  if (decimal === '0') throw new PriceOptionError(`${name}: must be above 0`)
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
