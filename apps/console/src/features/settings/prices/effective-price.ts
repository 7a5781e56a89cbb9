import { bucketPrices } from '@tollgate/billing/bucket-prices'
import { decimalFromNumber } from '@tollgate/billing/decimal'
import { effectiveRule, type PriceSource, type RulePart } from '@tollgate/billing/effective-rule'
import { priceNames } from '@tollgate/catalogue/names/listed-names'
import { type PriceMode, type PricePart, type PriceRow, usageParts } from './price-rows.ts'

/** The price of one part as it is charged, and its source. */
export interface EffectivePart {
  /** The value as it would be stored: a factor, or the price per call. */
  readonly ratio: number
  /** Currency per million tokens, or per call. */
  readonly price: number
  readonly source: PriceSource
  /** The model's family, whose entry may apply: `gpt-4o-gizmo-*`. */
  readonly family: string
}

export interface EffectivePrice {
  readonly mode: PriceMode
  readonly parts: Readonly<Partial<Record<PricePart, EffectivePart>>>
}

/**
 * Computes the effective price of a row. The row may have any parts, including ones that are still being
 * entered.
 */
export type EffectivePrices = (row: PriceRow) => EffectivePrice

/** Computes prices from the entered or stored values, with the same code that charges calls. */
export function effectivePrices(rows: readonly PriceRow[]): EffectivePrices {
  const byName = new Map(rows.map((row) => [row.model, row]))
  return (row) => {
    const families = priceNames(row.model).slice(1)
    return effectivePrice([row, ...families.flatMap((name) => byName.get(name) ?? [])], families[0] ?? '')
  }
}

/** The first row is the model's own, followed by that of its family. */
function effectivePrice(rows: readonly PriceRow[], family: string): EffectivePrice {
  const found = effectiveRule(optionsOf(rows), rows[0]?.model ?? '')
  if (found === undefined) return { mode: 'none', parts: {} }
  if (found.type === 'call') {
    const price = Number(found.price.value)
    return { mode: 'call', parts: { price: { ratio: price, price, source: found.price.source, family } } }
  }
  const prices = bucketPrices(found.rule)
  const parts = usageParts.map((part) => {
    const { rule, bucket } = ratioParts[part]
    const { value, source }: RulePart = found.parts[rule]
    return [part, { ratio: Number(value), price: shown(prices[bucket]), source, family }] as const
  })
  return { mode: 'usage', parts: Object.fromEntries(parts) }
}

/** For each part, the factor of the pricing rule and the kind of token that it prices. */
const ratioParts = {
  ratio: { rule: 'modelRatio', bucket: 'inputText' },
  completion: { rule: 'completionRatio', bucket: 'outputText' },
  cache: { rule: 'cacheRatio', bucket: 'cacheRead' },
  cacheWrite: { rule: 'cacheWriteRatio', bucket: 'cacheWrite5m' },
  cacheWrite1h: { rule: 'cacheWrite1hRatio', bucket: 'cacheWrite1h' },
  image: { rule: 'imageRatio', bucket: 'inputImage' },
  audio: { rule: 'audioRatio', bucket: 'inputAudio' },
  audioCompletion: { rule: 'audioCompletionRatio', bucket: 'outputAudio' },
} as const

function optionsOf(rows: readonly PriceRow[]) {
  const entries = (part: PricePart) =>
    new Map(
      rows.flatMap(({ model, parts }) => {
        const value = parts[part]
        // A negative price is ignored here; saving such a text is refused.
        const decimal = value === undefined || value < 0 ? undefined : decimalFromNumber(value)
        return decimal === undefined ? [] : [[model, decimal] as const]
      }),
    )
  return {
    modelPrice: entries('price'),
    modelRatio: entries('ratio'),
    completionRatio: entries('completion'),
    cacheRatio: entries('cache'),
    createCacheRatio: entries('cacheWrite'),
    createCache1hRatio: entries('cacheWrite1h'),
    imageRatio: entries('image'),
    audioRatio: entries('audio'),
    audioCompletionRatio: entries('audioCompletion'),
  }
}

const SHOWN_DIGITS = 12

/** Rounds a factor with infinitely many digits. */
function shown(decimal: string): number {
  return Number(Number(decimal).toPrecision(SHOWN_DIGITS))
}
