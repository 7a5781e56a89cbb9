import { bucketPrices, bucketRatios, CURRENCY_PER_RATIO } from '@tollgate/billing/bucket-prices'
import { type Bucket, factorOn } from '@tollgate/billing/buckets'
import { decimalFromNumber, decimalText } from '@tollgate/billing/decimal'
import type { Decimal, PriceRule } from '@tollgate/billing/price'
import type { PricingRow } from '@tollgate/contract/pricing'
import { type MoneyRule, groupedInteger } from '../../shared/format/money.ts'

/** Currency per million input tokens at a model ratio of 1. */
export const CURRENCY_PER_MILLION = Number(CURRENCY_PER_RATIO.digits)
const BY_CALL = 1

export const lineNames = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWriteLong',
  'image',
  'audioInput',
  'audioOutput',
] as const
export type LineName = (typeof lineNames)[number]

/** The usage bucket that each price is for. */
export const bucketOf = {
  input: 'inputText',
  output: 'outputText',
  cacheRead: 'cacheRead',
  cacheWrite: 'cacheWrite5m',
  cacheWriteLong: 'cacheWrite1h',
  image: 'inputImage',
  audioInput: 'inputAudio',
  audioOutput: 'outputAudio',
} as const satisfies Record<LineName, Bucket>

/**
 * Whether a cache price that equals the input price must be shown anyway, because the two differ in a long
 * call.
 */
function isOddWhenLong({ context_tiers: tiers }: PricingRow, name: LineName): boolean {
  return factorOn(bucketOf[name]) === 'cache' && tiers.some(({ input, cache }) => cache !== input)
}

type ContextTier = PricingRow['context_tiers'][number]
const ordinary: ContextTier = { above: 0, input: 1, output: 1, cache: 1 }

/**
 * One price of a model: per million tokens of a kind, or per call. In currency, including the group ratio.
 */
export interface PriceLine {
  readonly name: LineName | 'call'
  /** Relative to the input price; 0 for a price per call. */
  readonly ratio: number
  readonly price: number
}

export function isByCall(row: PricingRow): boolean {
  return row.quota_type === BY_CALL
}

/**
 * Whether a call is charged per second: a video with a price for each quality, unless it is charged by
 * tokens.
 */
export function isBySecond(row: PricingRow): boolean {
  return isByCall(row) && row.quality_prices.length > 0
}

export function lineWord(row: PricingRow, name: PriceLine['name']) {
  return name === 'call' && isBySecond(row) ? 'model.aSecond' : (`line.${name}` as const)
}

/** The model with the price of one of its qualities; unchanged if that quality has no own price. */
export function inQuality(row: PricingRow, quality: string): PricingRow {
  return { ...row, ...row.quality_prices.find((price) => price.quality === quality) }
}

/** The prices of input and output, and those of other kinds of tokens that differ from the input price. */
export function priceLines(
  row: PricingRow,
  groupRatio: number,
  tier: ContextTier = ordinary,
): readonly PriceLine[] {
  const rule = ruleOf(row)
  if (rule.type === 'call') return [{ name: 'call', ratio: 0, price: row.model_price * groupRatio }]
  const [prices, ratios] = [bucketPrices(rule), bucketRatios(rule)]
  return lineNames
    .map((name) => {
      const bucket = bucketOf[name]
      const price = Number(prices[bucket]) * groupRatio * tier[factorOn(bucket)]
      return { name, ratio: Number(decimalText(ratios[bucket])), price }
    })
    .filter(
      ({ name, ratio }) => name === 'input' || name === 'output' || ratio !== 1 || isOddWhenLong(row, name),
    )
}

/** The price per million tokens of a kind; `undefined` for a model that is priced per call. */
export function tokenPrice(row: PricingRow, name: LineName, groupRatio: number): number | undefined {
  const rule = ruleOf(row)
  return rule.type === 'call' ? undefined : Number(bucketPrices(rule)[bucketOf[name]]) * groupRatio
}

/** The row's price in the form in which the gateway charges it. */
export function ruleOf(row: PricingRow): PriceRule {
  if (isByCall(row)) return { type: 'call', price: decimalOf(row.model_price) }
  return {
    type: 'ratio',
    modelRatio: decimalOf(row.model_ratio),
    completionRatio: decimalOf(row.completion_ratio),
    cacheRatio: decimalOf(row.cache_ratio),
    cacheWriteRatio: decimalOf(row.cache_creation_ratio),
    cacheWrite1hRatio: decimalOf(row.cache_creation_1h_ratio),
    imageRatio: decimalOf(row.image_ratio),
    audioRatio: decimalOf(row.audio_ratio),
    audioCompletionRatio: decimalOf(row.audio_completion_ratio),
  }
}

/** A number that no decimal can hold is too small to be charged. */
export function decimalOf(value: number): Decimal {
  return decimalFromNumber(value) ?? '0'
}

const DECIMALS_MAX = 6
const DECIMALS_MIN = 2

/**
 * `$2.50`, `$0.075`: all significant decimals, at least two. A site that shows no currency shows quota units
 * instead.
 */
export function priceText(price: number, { isCurrency, unitsPerDollar }: MoneyRule): string {
  if (!isCurrency) return groupedInteger(Math.round(price * unitsPerDollar))
  const [whole = '0', decimals = ''] = price.toFixed(DECIMALS_MAX).split('.')
  return `$${groupedInteger(Number(whole))}.${decimals.replace(/0+$/, '').padEnd(DECIMALS_MIN, '0')}`
}

/**
 * A price in a list: from one dollar on, it has at most four decimals. The model's own page shows all of
 * them.
 */
export function listPriceText(price: number, rule: MoneyRule): string {
  return priceText(price < 1 ? price : Number(price.toFixed(LIST_DECIMALS_MAX)), rule)
}

const LIST_DECIMALS_MAX = 4

/** A ratio without floating-point noise. */
export function ratioText(ratio: number): string {
  return String(Number(ratio.toFixed(DECIMALS_MAX)))
}
