import { feeRows } from '@tollgate/catalogue/fees/fee-rows'
import type { OptionKey } from '@tollgate/contract/options/index'
import { parseObject } from '@tollgate/kit/json'

/** The maps of prices for calls of built-in tools, other service tiers and long calls. */
export const extraMaps = {
  tools: 'ToolPrices',
  tiers: 'ServiceTierRatio',
  lengths: 'ContextTierRatio',
} as const satisfies Record<string, OptionKey>

export type ExtraTexts = Readonly<Record<keyof typeof extraMaps, string>>
export type Named = Readonly<Record<string, number>>

/** Factors on every token of a call with more than `above` input tokens. */
export interface LengthTier {
  readonly above: number
  readonly input: number
  readonly output: number
  /** Absent: the factor of the input. */
  readonly cache?: number
}

export interface Extras {
  /** Currency per 1,000 calls, by tool. */
  readonly tools: Named
  /** Factor on everything but tools, by service tier. */
  readonly tiers: Named
  readonly lengths: readonly LengthTier[] | undefined
}

export const noExtras: Extras = { tools: {}, tiers: {}, lengths: undefined }

export interface PriceExtras {
  /** Every name that occurs in an entry. */
  readonly pricedTools: readonly string[]
  /** The same, and every fee that vendors take. */
  readonly toolNames: readonly string[]
  readonly tierNames: readonly string[]
  /** The extras set for exactly this model. */
  own(model: string): Extras
  /**
   * The extras that apply without an entry for this model: from the longest matching prefix, or for all
   * models.
   */
  inherited(model: string): Extras
}

const KNOWN_TIERS = ['priority', 'flex']

/** `undefined` if one of the texts is not a valid map. */
export function readPriceExtras(texts: ExtraTexts): PriceExtras | undefined {
  const [tools, tiers, lengths] = [
    parseObject(texts.tools),
    parseObject(texts.tiers),
    parseObject(texts.lengths),
  ]
  if (!isNamed(tools) || !isNamed(tiers) || !isLengths(lengths)) return undefined
  const lengthNames = Object.keys(lengths)
  return {
    pricedTools: namesOf(tools, []),
    toolNames: namesOf(
      tools,
      feeRows.map(({ name }) => name),
    ),
    tierNames: namesOf(tiers, KNOWN_TIERS),
    own: (model) => ({
      tools: ownOf(tools, model),
      tiers: ownOf(tiers, model),
      lengths: lengths[model],
    }),
    inherited: (model) => ({
      tools: inheritedOf(tools, model),
      tiers: inheritedOf(tiers, model),
      lengths: lengths[closest(lengthNames, model) ?? ''],
    }),
  }
}

/** The texts after each model got these extras of its own; only texts that change. */
export function extraTextsWith(
  texts: ExtraTexts,
  rows: readonly { readonly model: string; readonly extras: Extras }[],
): ReadonlyMap<keyof ExtraTexts, string> {
  const written = (name: 'tools' | 'tiers') => {
    const gone = new Set(rows.map(({ model }) => model))
    const kept = Object.entries(parseObject(texts[name]) ?? {}).filter(
      ([key]) => !key.includes(':') || !gone.has(split(key).pattern),
    )
    const added = rows.flatMap(({ model, extras }) =>
      Object.entries(extras[name]).map(([key, value]) => [`${key}:${model}`, value] as const),
    )
    return [...kept, ...added]
  }
  const lengths = new Map(Object.entries(parseObject(texts.lengths) ?? {}))
  for (const { model, extras } of rows) {
    if (extras.lengths === undefined) lengths.delete(model)
    else lengths.set(model, extras.lengths)
  }
  const after = { tools: written('tools'), tiers: written('tiers'), lengths: [...lengths] }
  return new Map(
    extraNames.flatMap((name) => {
      const object = Object.fromEntries<unknown>(after[name])
      const isSame = sorted(object) === sorted(parseObject(texts[name]) ?? {})
      return isSame ? [] : [[name, JSON.stringify(object, undefined, 2)] as const]
    }),
  )
}

const extraNames = ['tools', 'tiers', 'lengths'] as const

/** Serialises an object independently of the order of its entries. */
function sorted(object: object): string {
  return JSON.stringify(Object.entries(object).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** `web_search:gpt-4o*` applies to models with that prefix, `web_search` alone to all models. */
function split(key: string): { readonly name: string; readonly pattern: string } {
  const colon = key.indexOf(':')
  return colon === -1
    ? { name: key, pattern: '*' }
    : { name: key.slice(0, colon), pattern: key.slice(colon + 1) }
}

function namesOf(map: Named, known: readonly string[]): readonly string[] {
  return [...new Set([...known, ...Object.keys(map).map((key) => split(key).name)])]
}

function ownOf(map: Named, model: string): Named {
  const own = Object.entries(map).filter(([key]) => key.includes(':') && split(key).pattern === model)
  return Object.fromEntries(own.map(([key, value]) => [split(key).name, value]))
}

function inheritedOf(map: Named, model: string): Named {
  const byName = Map.groupBy(Object.keys(map), (key) => split(key).name)
  return Object.fromEntries(
    [...byName].flatMap(([name, keys]) => {
      const pattern = closest(
        keys.map((key) => split(key).pattern),
        model,
      )
      const value = keys.find((key) => split(key).pattern === pattern)
      return value === undefined ? [] : [[name, map[value] ?? 0]]
    }),
  )
}

/** The longest matching prefix; the model's own name does not count. */
function closest(patterns: readonly string[], model: string): string | undefined {
  return patterns
    .filter((one) => one !== model && one.endsWith('*') && model.startsWith(one.slice(0, -1)))
    .toSorted((left, right) => right.length - left.length)[0]
}

/** Parses a list of tiers; `undefined` if the text is not one. */
export function readTiers(text: string): readonly LengthTier[] | undefined {
  const lengths = parseObject(`{"own":${text === '{}' ? '[]' : text}}`)
  return isLengths(lengths) ? lengths['own'] : undefined
}

function isNamed(value: object | undefined): value is Record<string, number> {
  return value !== undefined && Object.values(value).every((one) => typeof one === 'number')
}

function isLengths(value: object | undefined): value is Record<string, readonly LengthTier[]> {
  return (
    value !== undefined && Object.values(value).every((list) => Array.isArray(list) && list.every(isTier))
  )
}

function isTier(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { above, input, output, cache = 1 }: Record<string, unknown> = { ...value }
  return [above, input, output, cache].every((one) => typeof one === 'number' && one > 0)
}
