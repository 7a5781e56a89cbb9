import type { Decimal } from './price.ts'
import type { DecimalMap } from './price-options.ts'

/**
 * Prices of built-in tools for one model, by tool name. Entries are `tool` or `tool:model-prefix*`; the longest prefix
 * that fits wins, and a price of 0 switches the tool's surcharge off.
 */
export function toolPricesOf(prices: DecimalMap, model: string): Record<string, Decimal> | undefined {
  const chosen = new Map<string, { length: number; price: Decimal }>()
  for (const [key, price] of prices) {
    const { tool, prefix } = parseKey(key)
    if (!model.startsWith(prefix)) continue
    if (prefix.length >= (chosen.get(tool)?.length ?? 0)) chosen.set(tool, { length: prefix.length, price })
  }
  const charged = [...chosen].filter(([, { price }]) => price !== '0')
  if (charged.length === 0) return undefined
  return Object.fromEntries(charged.map(([tool, { price }]) => [tool, price]))
}

function parseKey(key: string): { tool: string; prefix: string } {
  const [tool = '', pattern = ''] = key.split(':', 2)
  return { tool, prefix: pattern.replace(/\*$/, '') }
}
