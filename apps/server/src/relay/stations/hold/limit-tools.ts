import { findUnknownTool } from '@tollgate/catalogue/fees/known-tools'
import { editedAsk } from '@tollgate/dialects/ask-edit'
import { isRecord, recordsAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { uncountedInput } from '@tollgate/dialects/uncounted-input'
import { problem } from '@tollgate/problems/problem'
import { channelsOf } from '../../../snapshots/roster.ts'
import type { Admitted } from '../admit/admitted.ts'

/**
 * How often server tools may run in one response. After each run the upstream reads the whole input again.
 */
const CALLS_MAX = 2
/** The most tokens of one fetched page, where the vendor accepts a limit. Vendors observe it only roughly. */
const PAGE_TOKENS_MAX = 8_000
/**
 * The most tokens one tool call may add. Vendors offer no limit for search results; no known vendor exceeds
 * this.
 */
const CALL_TOKENS_MAX = 24_000

/**
 * Limits the tools that the upstream runs, for an untrusted account: sets the vendor's own limit member, or
 * lowers the caller's value. Throws a Problem for a tool that has no such limit.
 */
export function limitTools(call: Admitted): Admitted {
  if (call.uncounted === undefined) return call
  const admitted = takeOutUnknownTools(call)
  if (admitted.uncounted === undefined) return admitted
  const { operation, ask } = admitted
  const { tools, ...rest } = ask.body
  refuseUnlimited(uncountedInput(operation.wire, rest))
  const limited = (Array.isArray(tools) ? tools : [tools]).map((tool: unknown) => limitTool(admitted, tool))
  if (!limited.some(({ isLimited }) => isLimited)) return admitted
  const set = {
    tools: limited.map(({ tool }) => tool),
    ...(operation.hasCommonToolLimit && { max_tool_calls: lower(ask.body['max_tool_calls'], CALLS_MAX) }),
  }
  const toolLimits = { calls: callsOf(operation, set), tokensOfCall: CALL_TOKENS_MAX }
  return { ...admitted, ask: editedAsk(ask, { set }), toolLimits }
}

/** A tool whose cost nobody knows is taken out where others remain; alone it is refused with the rest. */
function takeOutUnknownTools(admitted: Admitted): Admitted {
  const { ask, candidates, call, operation } = admitted
  const { tools } = ask.body
  if (!Array.isArray(tools)) return admitted
  const providers = new Set(channelsOf(candidates).map(({ provider }) => provider.id))
  const kept = tools.filter(
    (tool: unknown) =>
      !isRecord(tool) || [...providers].some((provider) => findUnknownTool(provider, tool) === undefined),
  )
  if (kept.length === tools.length || kept.length === 0) return admitted
  call.taken = [...call.taken, 'tools']
  const edited = editedAsk(ask, { set: { tools: kept } })
  return { ...admitted, ask: edited, uncounted: uncountedInput(operation.wire, edited.body) }
}

interface Limited {
  readonly tool: unknown
  readonly isLimited: boolean
}

function limitTool({ operation }: Admitted, tool: unknown): Limited {
  const found = uncountedInput(operation.wire, { tools: [tool] })
  const name = found?.serverTool ?? found?.storedContext
  if (name === undefined || !isRecord(tool)) return { tool, isLimited: false }
  const limits = limitsOf(operation, tool)
  if (limits === undefined) throw problem('server_tool_unlimited', { param: name })
  return { tool: { ...tool, ...limits }, isLimited: true }
}

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool and web-fetch-tool */
function limitsOf(operation: Admitted['operation'], tool: JsonObject): JsonObject | undefined {
  const type = textAt(tool, 'type') ?? ''
  // The Responses API has one limit for all tools, outside the tool definitions.
  if (operation.hasCommonToolLimit) return /^web_search(?:_preview)?(?:_\d|$)/.test(type) ? {} : undefined
  const max_uses = lower(tool['max_uses'], CALLS_MAX)
  if (/^web_search_\d/.test(type)) return { max_uses }
  if (!/^web_fetch_\d/.test(type)) return undefined
  return { max_uses, max_content_tokens: lower(tool['max_content_tokens'], PAGE_TOKENS_MAX) }
}

/** The limit for the calls of all tools together. */
function callsOf(operation: Admitted['operation'], members: JsonObject): number {
  if (operation.hasCommonToolLimit) return Number(members['max_tool_calls'])
  return recordsAt(members, 'tools').reduce((sum, { max_uses: uses }) => sum + Number(uses ?? 0), 0)
}

/**
 * Refuses MCP servers and server tools outside `tools`, which cannot be limited. Stored files and contexts
 * are allowed: they are no longer than the model's context and are read once, which the ceiling includes.
 */
function refuseUnlimited(found: ReturnType<typeof uncountedInput>): void {
  const { serverTool, storedContext } = found ?? {}
  const name = serverTool ?? (storedContext === 'mcp_servers' ? storedContext : undefined)
  if (name !== undefined) throw problem('server_tool_unlimited', { param: name })
}

function lower(asked: unknown, most: number): number {
  const isLimit = typeof asked === 'number' && Number.isInteger(asked) && asked > 0
  return isLimit ? Math.min(asked, most) : most
}
