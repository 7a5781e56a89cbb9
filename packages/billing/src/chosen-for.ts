import type { Decimal } from './price.ts'
import type { DecimalMap } from './price-options.ts'

/**
 * What an option says for one model, by name. Entries are `name` or `name:model-prefix*`; the longest prefix that fits
 * wins, and a value of 0 switches its name off. `undefined` when nothing is left.
 */
export function chosenFor(option: DecimalMap, model: string): Record<string, Decimal> | undefined {
  const chosen = new Map<string, { length: number; value: Decimal }>()
  for (const [key, value] of option) {
    const { name, prefix } = parseKey(key)
    if (!model.startsWith(prefix)) continue
    if (prefix.length >= (chosen.get(name)?.length ?? 0)) chosen.set(name, { length: prefix.length, value })
  }
  const said = [...chosen].filter(([, { value }]) => value !== '0')
  return said.length === 0 ? undefined : Object.fromEntries(said.map(([name, { value }]) => [name, value]))
}

function parseKey(key: string): { name: string; prefix: string } {
  const [name = '', pattern = ''] = key.split(':', 2)
  return { name, prefix: pattern.replace(/\*$/, '') }
}
