import type { ToolCallBounds } from '@tollgate/billing/hold'
import { impliedToolCalls } from '@tollgate/billing/tool-prices'
import { isRecord, type JsonObject } from '@tollgate/dialects/json'
import { containersOf } from '@tollgate/dialects/responses/containers'
import { toolsOf } from '@tollgate/dialects/requested-tools'
import { resolveEndpoint } from '@tollgate/providers/prepare/resolve-endpoint'
import { channelsOf } from '../../../snapshots/roster.ts'
import type { Admitted } from '../admit/admitted.ts'
import { upstreamModel } from '../../upstream-model.ts'

/** Gemini accepts no limit from the caller, and does not document how many queries it makes at most. */
const GOOGLE_SEARCHES_MAX = 10
/** Assumed calls of a tool in one response if the caller sets no limit. */
const CALLS_MAX: Readonly<Record<string, number>> = {
  web_search: 10,
  file_search: 10,
  image_generation: 4,
}
/** A limit set by the caller is used only up to this value. */
const CALLS_ASKED_MAX = 1_000

/** Gemini's tool members, in both spellings. */
const GOOGLE_SEARCHES = /^google_?search/i

/** Code execution by the vendor: the tool type in the Messages API, or the tool member in Gemini requests. */
const CODE = /^code_?execution/i

/**
 * Calls of the upstream's own tools that a request causes, certain or at most. Functions are run by the
 * caller and not counted.
 */
export function toolCallsOf(admitted: Admitted): ToolCallBounds | undefined {
  const { operation, ask, candidates } = admitted
  if (operation.toolCalls !== undefined) return operation.toolCalls
  if (!operation.isConversation) return undefined
  const certain = impliedToolCalls(candidates.model)
  const asked = pricedByVendor(callsAsked(ask.body), admitted)
  if (certain === undefined && Object.keys(asked).length === 0) return undefined
  const most = { ...asked, ...certain }
  return certain === undefined ? { most } : { certain, most }
}

/**
 * A web search, requested in any dialect, is priced under Google's name where Gemini may serve the call. Code
 * execution costs a container where the call may be sent to a Responses API.
 */
function pricedByVendor(
  { web_search: searches, code_execution: containers, ...others }: Readonly<Record<string, number>>,
  { operation, ask, candidates }: Admitted,
): Readonly<Record<string, number>> {
  if (searches === undefined && containers === undefined) return others
  const names = { asked: ask.model, offered: candidates.model }
  const channels = channelsOf(candidates)
  const container = containers !== undefined &&
    channels.some(({ provider }) => provider.endpoints.responses !== undefined) && {
      code_interpreter: containers,
    }
  if (searches === undefined) return { ...others, ...container }
  const endpoint = channels.map(
    (channel) => resolveEndpoint(channel.provider, operation.wire, upstreamModel(channel, names))?.operation,
  )
  return {
    ...others,
    ...container,
    ...(endpoint.includes('generate') && { google_search: GOOGLE_SEARCHES_MAX }),
    ...(endpoint.some((each) => each !== 'generate') && { web_search: searches }),
  }
}

function callsAsked(body: JsonObject): Record<string, number> {
  const most: Record<string, number> = {}
  const note = (name: string, calls: number) => (most[name] = Math.max(most[name] ?? 0, calls))
  if (isRecord(body['web_search_options'])) note('web_search', bound(undefined, 'web_search'))
  for (const tool of toolsOf(body)) {
    const name = Object.keys(CALLS_MAX).find((each) => String(tool['type']).startsWith(each))
    if (name !== undefined) note(name, bound(tool['max_uses'] ?? body['max_tool_calls'], name))
    const asked = Object.keys(tool).filter((each) => (tool[each] ?? undefined) !== undefined)
    if (asked.some((each) => GOOGLE_SEARCHES.test(each))) note('web_search', bound(undefined, 'web_search'))
    if ([String(tool['type']), ...asked].some((each) => CODE.test(each))) note('code_execution', 1)
  }
  const containers = containersOf(body)
  if (containers > 0) note('code_interpreter', containers)
  return most
}

function bound(asked: unknown, name: string): number {
  const isBound = typeof asked === 'number' && Number.isInteger(asked) && asked > 0
  return isBound ? Math.min(asked, CALLS_ASKED_MAX) : (CALLS_MAX[name] ?? 1)
}
