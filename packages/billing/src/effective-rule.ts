import { defaultRatios, longCacheRatio } from './default-ratios.ts'
import { priceNames } from '@tollgate/catalogue/names/listed-names'
import type { Decimal, PriceRule } from './price.ts'
import type { DecimalMap, PriceOptions } from './price-options.ts'

/** The pricing options from which the rule of a model is built. */
export type RuleOptions = Pick<
  PriceOptions,
  | 'modelPrice'
  | 'modelRatio'
  | 'completionRatio'
  | 'cacheRatio'
  | 'createCacheRatio'
  | 'createCache1hRatio'
  | 'imageRatio'
  | 'audioRatio'
  | 'audioCompletionRatio'
>

/**
 * `set`: an entry under the model's own name. `family`: an entry under its family name, such as
 * `gpt-4o-gizmo-*`.
 */
export type PriceSource = 'set' | 'family' | 'built-in'

export interface RulePart {
  readonly value: Decimal
  readonly source: PriceSource
}

type Ratios = Omit<PriceRule & { type: 'ratio' }, 'type'>

/** The price rule of a model, with the source of each of its parts. */
export type EffectiveRule =
  | { readonly type: 'call'; readonly name: string; readonly rule: PriceRule; readonly price: RulePart }
  | ({ readonly type: 'ratio'; readonly name: string } & RatioParts)

interface RatioParts {
  readonly rule: PriceRule & { type: 'ratio' }
  readonly parts: Readonly<Record<keyof Ratios, RulePart>>
}

/** Returns `undefined` when no option prices the model. A price per call overrides a ratio. */
export function effectiveRule(options: RuleOptions, model: string): EffectiveRule | undefined {
  const names = priceNames(model)
  const price = entryIn(options.modelPrice, names)
  if (price) {
    return { type: 'call', name: price.name, rule: { type: 'call', price: price.value }, price }
  }
  const modelRatio = entryIn(options.modelRatio, names)
  return modelRatio && { type: 'ratio', name: modelRatio.name, ...ratioRule(options, names, modelRatio) }
}

/** The rule of a model that no option prices, at the given model ratio. */
export function ruleAt(options: RuleOptions, model: string, modelRatio: Decimal): PriceRule {
  return ratioRule(options, priceNames(model), builtIn(modelRatio)).rule
}

/** An option entry always wins. The built-in ratios only fill the gaps. */
function ratioRule(options: RuleOptions, names: readonly string[], modelRatio: RulePart): RatioParts {
  const defaults = defaultRatios(names[0] ?? '')
  const cacheWriteRatio = entryIn(options.createCacheRatio, names) ?? builtIn(defaults.cacheWrite)
  const parts = {
    modelRatio,
    completionRatio: entryIn(options.completionRatio, names) ?? builtIn(defaults.completion),
    cacheRatio: entryIn(options.cacheRatio, names) ?? builtIn(defaults.cache),
    cacheWriteRatio,
    cacheWrite1hRatio:
      entryIn(options.createCache1hRatio, names) ?? builtIn(longCacheRatio(cacheWriteRatio.value)),
    imageRatio: entryIn(options.imageRatio, names) ?? builtIn('1'),
    audioRatio: entryIn(options.audioRatio, names) ?? builtIn(defaults.audio),
    audioCompletionRatio: entryIn(options.audioCompletionRatio, names) ?? builtIn(defaults.audioCompletion),
  }
  const rule = {
    type: 'ratio' as const,
    modelRatio: modelRatio.value,
    completionRatio: parts.completionRatio.value,
    cacheRatio: parts.cacheRatio.value,
    cacheWriteRatio: cacheWriteRatio.value,
    cacheWrite1hRatio: parts.cacheWrite1hRatio.value,
    imageRatio: parts.imageRatio.value,
    audioRatio: parts.audioRatio.value,
    audioCompletionRatio: parts.audioCompletionRatio.value,
  }
  return { rule, parts }
}

interface Entry extends RulePart {
  readonly name: string
}

function entryIn(map: DecimalMap, names: readonly string[]): Entry | undefined {
  for (const [place, name] of names.entries()) {
    const value = map.get(name)
    if (value !== undefined) return { name, value, source: place === 0 ? 'set' : 'family' }
  }
  return undefined
}

function builtIn(value: Decimal): RulePart {
  return { value, source: 'built-in' }
}
