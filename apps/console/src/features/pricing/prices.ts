import type { PricingRow } from '@tollgate/contract/pricing'
import { type MoneyRule, groupedInteger } from '../../shared/format/money.ts'

/** Currency per million input tokens at a model ratio of 1. */
export const CURRENCY_PER_MILLION = 2
const BY_CALL = 1
const MILLION = 1_000_000
/** Prices of tools are per this many calls. */
const TOOL_CALLS = 1000

const lineNames = [
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

/**
 * Whether a cache price that equals the input price must be shown anyway, because the two differ in a long
 * call.
 */
function isOddWhenLong({ context_tiers: tiers }: PricingRow, name: LineName): boolean {
  return factors[name] === 'cache' && tiers.some(({ input, cache }) => cache !== input)
}

type ContextTier = PricingRow['context_tiers'][number]
const ordinary: ContextTier = { above: 0, input: 1, output: 1, cache: 1 }

/** The long-call factor that applies to each kind of token. */
const factors = {
  input: 'input',
  output: 'output',
  cacheRead: 'cache',
  cacheWrite: 'cache',
  cacheWriteLong: 'cache',
  image: 'input',
  audioInput: 'input',
  audioOutput: 'output',
} as const satisfies Record<LineName, keyof ContextTier>

/**
 * One price of a model: per million tokens of a kind, or per call. In currency, including the group ratio.
 */
interface PriceLine {
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
  if (isByCall(row)) return [{ name: 'call', ratio: 0, price: row.model_price * groupRatio }]
  const input = row.model_ratio * CURRENCY_PER_MILLION * groupRatio
  const ratios = ratiosOf(row)
  return lineNames
    .filter((name) => name === 'input' || name === 'output' || ratios[name] !== 1 || isOddWhenLong(row, name))
    .map((name) => ({ name, ratio: ratios[name], price: input * ratios[name] * tier[factors[name]] }))
}

/** The price per million tokens of a kind; `undefined` for a model that is priced per call. */
export function tokenPrice(row: PricingRow, name: LineName, groupRatio: number): number | undefined {
  return isByCall(row) ? undefined : row.model_ratio * CURRENCY_PER_MILLION * groupRatio * ratiosOf(row)[name]
}

/** The prices that apply to a call with these tokens; a long call has different ones. */
export function linesOfCall(row: PricingRow, groupRatio: number, tokens: Tokens): readonly PriceLine[] {
  const input = lineNames
    .filter((name) => factors[name] !== 'output')
    .reduce((sum, name) => sum + (tokens[name] ?? 0), 0)
  return priceLines(
    row,
    groupRatio,
    row.context_tiers.findLast(({ above }) => input > above),
  )
}

function ratiosOf(row: PricingRow): Readonly<Record<LineName, number>> {
  return {
    input: 1,
    output: row.completion_ratio,
    cacheRead: row.cache_ratio,
    cacheWrite: row.cache_creation_ratio,
    cacheWriteLong: row.cache_creation_1h_ratio,
    image: row.image_ratio,
    audioInput: row.audio_ratio,
    audioOutput: row.audio_ratio * row.audio_completion_ratio,
  }
}

/** Tokens of one call, by price kind. */
export type Tokens = Readonly<Partial<Record<LineName, number>>>

/**
 * The surcharge for these numbers of built-in tool calls, including the group ratio. Service tiers do not
 * affect it.
 */
export function toolsCost(
  row: PricingRow,
  groupRatio: number,
  used: Readonly<Record<string, number>>,
): number {
  return Object.entries(row.tool_prices).reduce(
    (sum, [tool, price]) => sum + ((used[tool] ?? 0) * price * groupRatio) / TOOL_CALLS,
    0,
  )
}

interface Sample {
  readonly lines: readonly PriceLine[]
  readonly tokens: Tokens
  /** Seconds of a call that is charged per second; 1 for a call with a fixed price. */
  readonly seconds?: number
  /** Surcharge for tools, in currency. */
  readonly tools?: number
}

/**
 * The cost of a call in currency. A charge is rounded to whole units and is at least one unit, unless the
 * model is free.
 */
export function estimate(
  { lines, tokens, seconds = 1, tools = 0 }: Sample,
  unitsPerCurrency: number,
): number {
  const exact = lines.reduce((sum, { name, price }) => {
    return sum + (name === 'call' ? price * seconds : ((tokens[name] ?? 0) * price) / MILLION)
  }, tools)
  const rounded = Math.round(exact * unitsPerCurrency)
  const isFree = lines.every(({ price }) => price === 0)
  const isAsked = lines.some(({ name }) => name === 'call' || (tokens[name] ?? 0) > 0)
  return (isFree || !isAsked ? rounded : Math.max(1, rounded)) / unitsPerCurrency
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
