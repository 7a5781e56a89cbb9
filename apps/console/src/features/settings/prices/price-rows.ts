import type { OptionKey } from '@tollgate/contract/options/index'
import { parseObject } from '@tollgate/kit/json'

/** The setting that stores each part of a price. */
export const priceMaps = {
  price: 'ModelPrice',
  ratio: 'ModelRatio',
  completion: 'CompletionRatio',
  cache: 'CacheRatio',
  cacheWrite: 'CreateCacheRatio',
  cacheWrite1h: 'CreateCache1hRatio',
  image: 'ImageRatio',
  audio: 'AudioRatio',
  audioCompletion: 'AudioCompletionRatio',
} as const satisfies Record<string, OptionKey>

export type PricePart = keyof typeof priceMaps
export const priceParts = Object.keys(priceMaps).filter(isPricePart)
/** The parts besides the input price of a model that is priced by usage. */
export const usageParts = priceParts.filter(isUsagePart)

/** The values set for one model; a missing part has its built-in value. */
export interface PriceRow {
  readonly model: string
  readonly parts: Readonly<Partial<Record<PricePart, number>>>
}

type UsagePart = Exclude<PricePart, 'price'>

export type PriceMode = 'call' | 'usage' | 'none'

/** A price per call takes precedence over every ratio. */
export function modeOf({ parts }: PriceRow): PriceMode {
  if (parts.price !== undefined) return 'call'
  return parts.ratio === undefined ? 'none' : 'usage'
}

export type MapTexts = Readonly<Record<PricePart, string>>

/**
 * One row for each model in the maps and in `others`, by name; `undefined` if one of the texts is not a valid
 * map.
 */
export function rowsOf(texts: MapTexts, others: readonly string[]): readonly PriceRow[] | undefined {
  const maps = priceParts.map((part) => ({ part, map: readMap(texts[part]) }))
  const rows = new Map<string, Partial<Record<PricePart, number>>>(others.map((model) => [model, {}]))
  for (const { part, map } of maps) {
    if (map === undefined) return undefined
    for (const [model, value] of map) rows.set(model, { ...rows.get(model), [part]: value })
  }
  return [...rows]
    .map(([model, parts]) => ({ model, parts }))
    .toSorted((left, right) => left.model.localeCompare(right.model))
}

/**
 * The texts after models are priced like these rows; only texts that change. A missing part is removed from
 * its map.
 */
export function textsWith(texts: MapTexts, rows: readonly PriceRow[]): ReadonlyMap<PricePart, string> {
  const changed = new Map<PricePart, string>()
  for (const part of priceParts) {
    const map = new Map(readMap(texts[part]))
    for (const { model, parts } of rows) {
      const value = parts[part]
      if (value === undefined) map.delete(model)
      else map.set(model, value)
    }
    const text = JSON.stringify(Object.fromEntries(map), undefined, 2)
    if (text !== normalText(texts[part])) changed.set(part, text)
  }
  return changed
}

function normalText(text: string): string {
  return JSON.stringify(Object.fromEntries(readMap(text) ?? []), undefined, 2)
}

function readMap(text: string): ReadonlyMap<string, number> | undefined {
  const value = parseObject(text)
  const entries = value && Object.entries(value)
  return entries?.every(isPriced) ? new Map(entries) : undefined
}

function isPriced(entry: [string, unknown]): entry is [string, number] {
  return typeof entry[1] === 'number'
}

function isPricePart(name: string): name is PricePart {
  return name in priceMaps
}

function isUsagePart(part: PricePart): part is UsagePart {
  return part !== 'price'
}
