import type { Decimal } from './price.ts'
import type { DecimalMap } from './price-options.ts'

/**
 * Selects the entries of a name-keyed option that apply to one model. Keys are `name`, `name:model-prefix*`
 * or `name:model`. The exact model wins, then the longest matching prefix; a value of 0 disables its name.
 * Returns `undefined` when no name is left.
 */
export function entriesForModel(option: DecimalMap, model: string): Record<string, Decimal> | undefined {
  const entries = [...listEntriesForModel(option, model)].filter(([, value]) => value !== '0')
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** {@link entriesForModel} with the names that are disabled by a value of 0. */
export function listEntriesForModel(option: DecimalMap, model: string): ReadonlyMap<string, Decimal> {
  const chosen = new Map<string, { fit: number; value: Decimal }>()
  for (const [key, value] of option) {
    const colon = key.indexOf(':')
    const name = colon === -1 ? key : key.slice(0, colon)
    const fit = fitOf(colon === -1 ? '*' : key.slice(colon + 1), model)
    if (fit !== undefined && fit >= (chosen.get(name)?.fit ?? 0)) chosen.set(name, { fit, value })
  }
  return new Map([...chosen].map(([name, { value }]) => [name, value]))
}

/** The value of an option whose keys are `model` or `model-prefix*`; `undefined` for 0, or where no key fits. */
export function findForModel(option: DecimalMap, model: string): Decimal | undefined {
  let best: { readonly fit: number; readonly value: Decimal } | undefined
  for (const [pattern, value] of option) {
    const fit = fitOf(pattern, model)
    if (fit !== undefined && fit >= (best?.fit ?? 0)) best = { fit, value }
  }
  return best === undefined || best.value === '0' ? undefined : best.value
}

/**
 * How specifically a pattern matches the model: higher is more specific; `undefined` when it does not match.
 */
function fitOf(pattern: string, model: string): number | undefined {
  if (pattern === model) return Infinity
  if (!pattern.endsWith('*') || !model.startsWith(pattern.slice(0, -1))) return undefined
  return pattern.length - 1
}
