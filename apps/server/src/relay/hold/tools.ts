import type { ToolCallBounds } from '@tollgate/billing/hold'
import { impliedToolCalls } from '@tollgate/billing/tool-prices'
import { isConversation } from '@tollgate/dialects/conversations'
import { isRecord, recordsAt, type JsonObject } from '@tollgate/dialects/json'
import { containersOf } from '@tollgate/dialects/responses/containers'
import type { Admitted } from '../admit/admitted.ts'

/** Calls of one tool in one answer, where the caller sets no bound. */
const CALLS_MAX: Readonly<Record<string, number>> = {
  web_search: 10,
  file_search: 10,
  image_generation: 4,
}
/** A caller's own bound is believed up to here. */
const CALLS_ASKED_MAX = 1_000

const ONE_SEARCH = { web_search: 1 }

/** Calls of the upstream's own tools that a request brings about, certainly or at most; functions are the caller's. */
export function toolCallsOf({ operation, ask, candidates }: Admitted): ToolCallBounds | undefined {
  if (operation === 'search') return { certain: ONE_SEARCH, most: ONE_SEARCH }
  if (!isConversation(operation)) return undefined
  const certain = impliedToolCalls(candidates.model)
  const asked = callsAsked(ask.body)
  if (certain === undefined && Object.keys(asked).length === 0) return undefined
  const most = { ...asked, ...certain }
  return certain === undefined ? { most } : { certain, most }
}

function callsAsked(body: JsonObject): Record<string, number> {
  const most: Record<string, number> = {}
  const note = (name: string, calls: number) => (most[name] = Math.max(most[name] ?? 0, calls))
  if (isRecord(body['web_search_options'])) note('web_search', bound(undefined, 'web_search'))
  for (const tool of recordsAt(body, 'tools')) {
    const name = Object.keys(CALLS_MAX).find((each) => String(tool['type']).startsWith(each))
    if (name !== undefined) note(name, bound(tool['max_uses'] ?? body['max_tool_calls'], name))
  }
  const containers = containersOf(body)
  if (containers > 0) note('code_interpreter', containers)
  return most
}

function bound(asked: unknown, name: string): number {
  const isBound = typeof asked === 'number' && Number.isInteger(asked) && asked > 0
  return isBound ? Math.min(asked, CALLS_ASKED_MAX) : (CALLS_MAX[name] ?? 1)
}
