import { entriesForModel } from './entries-for-model.ts'
import type { Decimal } from './price.ts'
import type { DecimalMap } from './price-options.ts'

/**
 * Prices of built-in tools for one model, by tool name; see {@link entriesForModel}. 0 disables a tool's surcharge.
 */
export function toolPricesOf(prices: DecimalMap, model: string): Record<string, Decimal> | undefined {
  return entriesForModel(prices, model)
}

/**
 * Tool calls that a search model makes once for every response. Such models do not report them in the chat
 * completions API. https://platform.openai.com/docs/guides/tools-web-search
 */
export function impliedToolCalls(model: string): Readonly<Record<string, number>> | undefined {
  const kind = /-search-(preview|api)(?:-\d{4}-\d{2}-\d{2})?$/.exec(model)?.[1]
  if (kind === undefined) return undefined
  return kind === 'preview' ? { web_search_preview: 1 } : { web_search: 1 }
}
