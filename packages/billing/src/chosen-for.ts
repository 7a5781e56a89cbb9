import type { Decimal } from './price.ts'
import type { DecimalMap } from './price-options.ts'

/**
 * What an option says for one model, by name. Entries are `name`, `name:model-prefix*` or `name:model`; the model's own
 * wins, then the longest prefix that fits, and a value of 0 switches its name off. `undefined` when nothing is left.
 */
export function chosenFor(option: DecimalMap, model: string): Record<string, Decimal> | undefined {
  const chosen = new Map<string, { fit: number; value: Decimal }>()
  for (const [key, value] of option) {
    const colon = key.indexOf(':')
    const name = colon === -1 ? key : key.slice(0, colon)
    const fit = fitOf(colon === -1 ? '*' : key.slice(colon + 1), model)
    if (fit !== undefined && fit >= (chosen.get(name)?.fit ?? 0)) chosen.set(name, { fit, value })
  }
  const said = [...chosen].filter(([, { value }]) => value !== '0')
  return said.length === 0 ? undefined : Object.fromEntries(said.map(([name, { value }]) => [name, value]))
}

/** How closely a pattern names the model; `undefined`: not at all. */
function fitOf(pattern: string, model: string): number | undefined {
  if (pattern === model) return Infinity
  if (!pattern.endsWith('*') || !model.startsWith(pattern.slice(0, -1))) return undefined
  return pattern.length - 1
}
