import type { Usage } from '@tollgate/dialects/usage'
import { bucketRatios, CURRENCY_PER_RATIO } from './bucket-prices.ts'
import { type Bucket, eachBucket, factorOn } from './buckets.ts'
import { contextTierOf } from './context-tiers.ts'
import { digitsAt, multiply, scaledOf, trimmed, type FixedPoint, ZERO } from './decimal.ts'
import type { ContextTier, Price, PriceRule } from './price.ts'

/** A price compiled for arithmetic: every rate is in quota units, as an integer of one common scale. */
export interface Rates {
  /** Quota units per token, before the group ratio. */
  readonly perToken: Readonly<Record<Bucket, bigint>>
  /** The most expensive text buckets of input and of output. */
  readonly dearest: { readonly input: Bucket; readonly output: Bucket }
  /** Quota units per call, before the group ratio; zero for a price per token. */
  readonly perCall: bigint
  /** Quota units per image, before the group ratio; zero for a price without images. */
  readonly perPicture: bigint
  readonly hasPicturePrice: boolean
  /** The price is per call, whatever the tokens. */
  readonly isPerCall: boolean
  /** Quota units per tool call, before the group ratio. */
  readonly perToolCall: ReadonlyMap<string, bigint>
  /** The rates of the other service tiers. */
  readonly perTier: ReadonlyMap<string, Rates>
  /** The rates of calls with more than `above` input tokens, ascending. */
  readonly perLength: readonly LongRates[]
  /** Decimal places of all the rates above. */
  readonly scale: number
  readonly groupRatio: FixedPoint
  /** Divisor that turns (sum of rates x digits of the group ratio) into quota units. */
  readonly divisor: bigint
  /** The price or the group ratio is zero: nothing is charged, not even the minimum of one unit. */
  readonly isFree: boolean
}

interface LongRates {
  readonly above: number
  readonly rates: Rates
}

const compiled = new WeakMap<Price, Rates>()

/** Compiled once per frozen price object: the same object gives the same rates. */
function ratesOf(price: Price): Rates {
  const known = compiled.get(price)
  if (known) return known
  const rates = compile(price, { tier: ONE })
  compiled.set(price, rates)
  return rates
}

/**
 * The rates for the service tier and input length of a usage; the ordinary rates when the price has no others
 * for them.
 */
export function ratesFor(price: Price, usage: Usage): Rates {
  const { serviceTier } = usage
  const ordinary = ratesOf(price)
  const rates = (serviceTier !== undefined && ordinary.perTier.get(serviceTier)) || ordinary
  return contextTierOf(rates.perLength, usage)?.rates ?? rates
}

/** Factors that multiply a compiled price, besides the ratios of its rule. */
interface Factors {
  readonly tier: FixedPoint
  readonly length?: ContextTier
}

const ONE: FixedPoint = { digits: 1n, scale: 0 }
/** Prices are per million tokens, rates per token. */
const MILLION_DIGITS = 6
const NO_TIERS: Rates['perTier'] = new Map()
const NO_LENGTHS: Rates['perLength'] = []

function compile(price: Price, factors: Factors): Rates {
  const { tier, length } = factors
  const groupRatio = trimmed(scaledOf(price.groupRatio))
  const inTier = (rate: FixedPoint) => (tier === ONE ? rate : trimmed(multiply(rate, tier)))
  const ordinary = length === undefined ? tokenRates(price) : longRates(tokenRates(price), length)
  const perToken = eachBucket((bucket) => inTier(ordinary[bucket]))
  const perCall = inTier(callRate(price))
  const perPicture = inTier(pictureRate(price))
  const perToolCall = toolRates(price)
  const all = [perCall, perPicture, ...Object.values(perToken), ...perToolCall.values()]
  const scale = Math.max(...all.map((rate) => rate.scale))
  const digits = eachBucket((bucket) => digitsAt(perToken[bucket], scale))
  return {
    perToken: digits,
    dearest: { input: dearestOf(TEXT_INPUT, digits), output: 'outputText' },
    perCall: digitsAt(perCall, scale),
    perPicture: digitsAt(perPicture, scale),
    hasPicturePrice: price.picture !== undefined,
    isPerCall: price.rule.type === 'call',
    perToolCall: new Map([...perToolCall].map(([name, rate]) => [name, digitsAt(rate, scale)])),
    perTier: tier === ONE && length === undefined ? tierRates(price) : NO_TIERS,
    perLength: length === undefined ? lengthRates(price, tier) : NO_LENGTHS,
    scale,
    groupRatio,
    divisor: 10n ** BigInt(scale + groupRatio.scale),
    isFree: groupRatio.digits === 0n || baseRate(price.rule).digits === 0n,
  }
}

function tierRates(price: Price): Rates['perTier'] {
  const { tierRatios } = price
  if (tierRatios === undefined) return NO_TIERS
  return new Map(
    Object.entries(tierRatios).map(([tier, ratio]) => [tier, compile(price, { tier: scaledOf(ratio) })]),
  )
}

function lengthRates(price: Price, tier: FixedPoint): Rates['perLength'] {
  const { contextTiers } = price
  if (contextTiers === undefined) return NO_LENGTHS
  return contextTiers.map((length) => ({ above: length.above, rates: compile(price, { tier, length }) }))
}

function longRates(ordinary: Record<Bucket, FixedPoint>, tier: ContextTier): Record<Bucket, FixedPoint> {
  return eachBucket((bucket) => trimmed(multiply(ordinary[bucket], scaledOf(tier[factorOn(bucket)]))))
}

function baseRate(rule: PriceRule): FixedPoint {
  return scaledOf(rule.type === 'call' ? rule.price : rule.modelRatio)
}

const TEXT_INPUT: readonly Bucket[] = ['inputText', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h']

/** The bucket with the highest rate; the first one when several are equal. */
export function dearestOf(among: readonly Bucket[], perToken: Rates['perToken']): Bucket {
  return among.reduce((best, bucket) => (perToken[bucket] > perToken[best] ? bucket : best))
}

function tokenRates({ rule, quotaPerUnit }: Price): Record<Bucket, FixedPoint> {
  if (rule.type === 'call') return eachBucket(() => ZERO)
  const input = multiply(scaledOf(rule.modelRatio), unitsPerRatio(quotaPerUnit))
  const ratios = bucketRatios(rule)
  return eachBucket((bucket) => trimmed(multiply(input, ratios[bucket])))
}

/**
 * Ratio 1 is 2 currency units per million tokens, so token prices scale with the quota per unit, as per-call
 * prices do.
 */
function unitsPerRatio(quotaPerUnit: string): FixedPoint {
  return trimmed(multiply(scaledOf(quotaPerUnit), { ...CURRENCY_PER_RATIO, scale: MILLION_DIGITS }))
}

function callRate({ rule, quotaPerUnit }: Price): FixedPoint {
  if (rule.type !== 'call') return ZERO
  return trimmed(multiply(scaledOf(rule.price), scaledOf(quotaPerUnit)))
}

function pictureRate({ picture, quotaPerUnit }: Price): FixedPoint {
  return picture === undefined ? ZERO : trimmed(multiply(scaledOf(picture.each), scaledOf(quotaPerUnit)))
}

function toolRates({ toolPrices, quotaPerUnit }: Price): Map<string, FixedPoint> {
  const unitsPerThousandth = multiply(scaledOf(quotaPerUnit), { digits: 1n, scale: 3 })
  const priced = Object.entries(toolPrices ?? {})
  return new Map(priced.map(([name, text]) => [name, trimmed(multiply(scaledOf(text), unitsPerThousandth))]))
}
