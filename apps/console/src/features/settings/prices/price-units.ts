import { CURRENCY_PER_RATIO } from '@tollgate/billing/bucket-prices'
import { type PricePart, type PriceRow, priceParts } from './price-rows.ts'

/**
 * Converts between prices in currency per million tokens and stored ratios. Ratio 1 is 2 per million; every
 * other ratio is a factor of another part. An entered price is shown again exactly as entered, and an
 * untouched ratio is stored unchanged: a factor keeps 16 digits, a price is shown with 12.
 */
const PRICE_OF_RATIO_ONE = Number(CURRENCY_PER_RATIO.digits)
const SHOWN_DIGITS = 12

/** The part that each ratio is a factor of. */
const BASE: Readonly<Partial<Record<PricePart, PricePart>>> = {
  completion: 'ratio',
  cache: 'ratio',
  cacheWrite: 'ratio',
  cacheWrite1h: 'ratio',
  image: 'ratio',
  audio: 'ratio',
  audioCompletion: 'audio',
}

/**
 * The price per million tokens of each part; a price per call is copied. `audio` is the default audio ratio,
 * used where none is set.
 */
export function pricesOf(parts: PriceRow['parts'], audio = 1): PriceRow['parts'] {
  const prices: Partial<Record<PricePart, number>> = {}
  for (const [part, value] of entriesOf(parts)) {
    const base = baseRatio(part, { audio, ...parts })
    if (base !== undefined) prices[part] = shown(part === 'price' ? value : value * base * PRICE_OF_RATIO_ONE)
  }
  return prices
}

/**
 * Converts prices to ratios. A ratio in `before` that still yields its price is kept. A part whose base costs
 * nothing has no ratio.
 */
export function ratiosOf(
  prices: PriceRow['parts'],
  before: PriceRow['parts'] = {},
  audio = 1,
): PriceRow['parts'] {
  const ratios: Partial<Record<PricePart, number>> = {}
  for (const [part, value] of entriesOf(prices)) {
    const kept = before[part]
    if (part === 'price') ratios.price = value
    else if (kept !== undefined && pricesOf({ ...ratios, [part]: kept }, audio)[part] === shown(value))
      ratios[part] = kept
    else {
      const base = part === 'ratio' ? PRICE_OF_RATIO_ONE : basePrice(part, prices, audio)
      if (base !== undefined && base > 0) ratios[part] = factorOf(value, base)
    }
  }
  return ratios
}

/** The displayed product of `base` and a factor. */
export function timesFactor(base: number, factor: number): number {
  return shown(base * factor)
}

/**
 * A price of 10 on a base of 2.5 gives the factor 4. A price of 10 on a base of 3 keeps all digits, so that
 * multiplying returns 10.
 */
export function factorOf(price: number, base: number, before?: number): number {
  if (before !== undefined && shown(before * base) === shown(price)) return before
  const exact = price / base
  const short = shown(exact)
  return shown(short * base) === shown(price) && short * base === price ? short : exact
}

function baseRatio(part: PricePart, parts: PriceRow['parts']): number | undefined {
  const base = BASE[part]
  if (base === undefined) return 1
  const above = baseRatio(base, parts)
  const own = parts[base]
  return above === undefined || own === undefined ? undefined : above * own
}

/** A model without its own audio price uses the built-in ratio of audio to text. */
function basePrice(part: PricePart, prices: PriceRow['parts'], audio: number): number | undefined {
  const base = BASE[part]
  if (base === undefined) return undefined
  return prices[base] ?? (base === 'audio' && prices.ratio !== undefined ? prices.ratio * audio : undefined)
}

function shown(value: number): number {
  return Number(value.toPrecision(SHOWN_DIGITS))
}

function entriesOf(parts: PriceRow['parts']): readonly (readonly [PricePart, number])[] {
  return priceParts.flatMap((name) => {
    const value = parts[name]
    return value === undefined ? [] : [[name, value] as const]
  })
}
