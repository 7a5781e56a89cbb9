import type { ToolCallBounds } from '@tollgate/billing/hold'
import { impliedToolCalls } from '@tollgate/billing/tool-prices'
import { isConversation } from '@tollgate/dialects/conversations'
import { isRecord, recordsAt, type JsonObject } from '@tollgate/dialects/json'
import type { Admitted } from '../admit/admitted.ts'

/** Searches in one call, where the caller asks for them without a bound of their own. */
const SEARCHES_MAX = 10
/** A caller's own bound is believed up to here. */
const SEARCHES_ASKED_MAX = 1_000

const ONE_SEARCH = { web_search: 1 }

/** Calls of the upstream's own tools that a request brings about, certainly or at most; functions are the caller's. */
export function toolCallsOf({ operation, ask, candidates }: Admitted): ToolCallBounds | undefined {
  if (operation === 'search') return { certain: ONE_SEARCH, most: ONE_SEARCH }
  if (!isConversation(operation)) return undefined
  const certain = impliedToolCalls(candidates.model)
  const searches = searchesAsked(ask.body)
  if (certain === undefined && searches === 0) return undefined
  const most = { ...(searches > 0 && { web_search: searches }), ...certain }
  return certain === undefined ? { most } : { certain, most }
}

function searchesAsked(body: JsonObject): number {
  let most = isRecord(body['web_search_options']) ? SEARCHES_MAX : 0
  for (const tool of recordsAt(body, 'tools')) {
    const type = tool['type']
    if (typeof type === 'string' && type.startsWith('web_search')) most = Math.max(most, boundOf(tool))
  }
  return most
}

function boundOf({ max_uses: most }: JsonObject): number {
  const isBound = typeof most === 'number' && Number.isInteger(most) && most > 0
  return isBound ? Math.min(most, SEARCHES_ASKED_MAX) : SEARCHES_MAX
}
