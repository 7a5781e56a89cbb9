import { type PricePart, type PriceRow, priceParts } from './price-rows.ts'

/**
 * Prices in currency for a million tokens, and the ratios they are stored as. Ratio 1 is 2 for a million; every other
 * ratio is a factor of another part. What is entered comes back as it was entered, and what is not touched stays as it
 * is stored: a factor keeps 16 digits, a price is shown with 12.
 */
const PRICE_OF_RATIO_ONE = 2
const SHOWN_DIGITS = 12

/** What each ratio is a factor of. */
const BASE: Readonly<Partial<Record<PricePart, PricePart>>> = {
  completion: 'ratio',
  cache: 'ratio',
  cacheWrite: 'ratio',
  cacheWrite1h: 'ratio',
  image: 'ratio',
  audio: 'ratio',
  audioCompletion: 'audio',
}

/** What a million tokens of each part cost; a price for the call stays one. `audio`: the ratio of audio where none is set. */
export function pricesOf(parts: PriceRow['parts'], audio = 1): PriceRow['parts'] {
  const prices: Partial<Record<PricePart, number>> = {}
  for (const [part, value] of entriesOf(parts)) {
    const base = baseRatio(part, { audio, ...parts })
    if (base !== undefined) prices[part] = shown(part === 'price' ? value : value * base * PRICE_OF_RATIO_ONE)
  }
  return prices
}

/** The ratios that make these prices; one of `before` that still makes its price stays. A part whose base costs nothing has no ratio. */
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

/** What `base` costs times a factor, as it is shown. */
export function timesFactor(base: number, factor: number): number {
  return shown(base * factor)
}

/** 10 for 2.5 is 4; 10 for 3 keeps every digit there is, so that it is 10 again when it is multiplied. */
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

/** A model without a price of its own for audio takes audio at its built-in ratio to text. */
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
