import { recordAt, recordsAt, textAt, type JsonObject } from './json.ts'
import type { Usage } from './usage.ts'

/**
 * Evidence of paid tools in a chat answer or a chunk of one, outside of its usage: results of a search beside the
 * choices, and calls of functions that are the vendor's own.
 * https://docs.bigmodel.cn/api-reference and https://platform.kimi.com/docs/pricing/tools.md
 */
export function readPaidAnswer(answer: JsonObject): Usage['toolCalls'] {
  const hasResults = RESULTS.some((name) => recordsAt(answer, name).length > 0)
  return describePaidUses(hasResults, countVendorFunctions(answer))
}

/** Evidence by the names of `FeeRow.evidence`; `undefined` if there is none. */
export function describePaidUses(hasResults: boolean, functions: number): Usage['toolCalls'] {
  if (!hasResults && functions === 0) return undefined
  return { ...(hasResults && { search_results: 1 }), ...(functions > 0 && { vendor_function: functions }) }
}

/** Members with the results of a search, by vendors that report no count of it. */
const RESULTS = ['web_search', 'search_info', 'search_results'] as const

/** Names of the vendor's own functions begin like this; those of callers cannot. */
const VENDOR_PREFIX = '$'

function countVendorFunctions(answer: JsonObject): number {
  const messages = recordsAt(answer, 'choices').map(
    (choice) => recordAt(choice, 'message') ?? recordAt(choice, 'delta') ?? {},
  )
  return messages
    .flatMap((message) => recordsAt(message, 'tool_calls'))
    .filter((call) => textAt(recordAt(call, 'function') ?? {}, 'name')?.startsWith(VENDOR_PREFIX)).length
}
