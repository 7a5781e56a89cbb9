import { bucketPrices } from '@tollgate/billing/bucket-prices'
import { decimalFromNumber } from '@tollgate/billing/decimal'
import { effectiveRule, type PriceSource, type RulePart } from '@tollgate/billing/effective-rule'
import { priceNames } from '@tollgate/billing/model-names'
import { type PriceMode, type PricePart, type PriceRow, usageParts } from './price-rows.ts'

/** What a part costs when a call is charged, and where that comes from. */
export interface EffectivePart {
  /** As it would be stored: a factor, or the price of a call. */
  readonly ratio: number
  /** Currency for a million tokens, or for a call. */
  readonly price: number
  readonly source: PriceSource
  /** The model's family, whose entry it may be: `gpt-4o-gizmo-*`. */
  readonly family: string
}

export interface EffectivePrice {
  readonly mode: PriceMode
  readonly parts: Readonly<Partial<Record<PricePart, EffectivePart>>>
}

/** The effective price of a row whose model may have any parts, also such as are only being entered. */
export type EffectivePrices = (row: PriceRow) => EffectivePrice

/** Prices by the code that charges, from what is entered or stored. */
export function effectivePrices(rows: readonly PriceRow[]): EffectivePrices {
  const byName = new Map(rows.map((row) => [row.model, row]))
  return (row) => {
    const families = priceNames(row.model).slice(1)
    return effectivePrice([row, ...families.flatMap((name) => byName.get(name) ?? [])], families[0] ?? '')
  }
}

/** Of the model's own row, followed by that of its family. */
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

/** Which factor of the rule each part is, and which tokens it prices. */
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
        // A text with a price below zero is refused when it is saved.
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

/** Without the noise of a factor that has no end. */
function shown(decimal: string): number {
  return Number(Number(decimal).toPrecision(SHOWN_DIGITS))
}
