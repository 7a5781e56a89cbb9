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

/**
 * Tools that a model calls once for every answer, by its nature. Such models of the chat dialect never tell of it.
 * https://platform.openai.com/docs/guides/tools-web-search
 */
export function impliedToolCalls(model: string): Readonly<Record<string, number>> | undefined {
  const kind = /-search-(preview|api)(?:-\d{4}-\d{2}-\d{2})?$/.exec(model)?.[1]
  if (kind === undefined) return undefined
  return kind === 'preview' ? { web_search_preview: 1 } : { web_search: 1 }
}

function parseKey(key: string): { tool: string; prefix: string } {
  const [tool = '', pattern = ''] = key.split(':', 2)
  return { tool, prefix: pattern.replace(/\*$/, '') }
}
