import { readChoice } from '../canonical/tool-members.ts'
import { rawOf } from '../canonical/raw.ts'
import { problem } from '@tollgate/problems/problem'
import type { AskPath } from '../canonical/codec.ts'
import type { Conversation, Message, OutputFormat, ReasoningRequest } from '../canonical/conversation.ts'
import { flag, numberOf, recordOf, memberNames } from '../canonical/members.ts'
import type { Tool } from '../canonical/tool.ts'
import { isRecord, recordAt, textAt, type JsonObject } from '../json.ts'
import { effortNamed } from '../traits/efforts.ts'
import { readItems, readItemTools } from './read-items.ts'
import { readNamedChoice, readTools } from './read-tools.ts'

/**
 * Members that refer to state kept by the vendor. They are rejected, because a gateway may send each request
 * to another upstream.
 */
const STATEFUL = ['conversation', 'previous_response_id', 'prompt', 'context_management'] as const

const KNOWN = memberNames(
  `${STATEFUL.join(' ')} model input instructions stream tools tool_choice parallel_tool_calls text reasoning
   temperature top_p top_logprobs max_output_tokens metadata user safety_identifier prompt_cache_key service_tier`,
)

/** Reads the body of a Responses request. https://platform.openai.com/docs/api-reference/responses/create */
export function readConversation(body: JsonObject, path: AskPath): Conversation {
  const kept = STATEFUL.find((name) => (body[name] ?? undefined) !== undefined)
  if (kept !== undefined)
    throw problem('invalid_request', { reason: `'${kept}' needs an upstream that keeps conversations` })
  if (body['background'] === true) throw problem('invalid_request', { reason: "'background' is not offered" })
  const text = recordOf(body, 'text') ?? {}
  const items = inputOf(body)
  return {
    model: path.model ?? textAt(body, 'model') ?? '',
    isStream: path.isStream ?? body['stream'] === true,
    messages: [...instructions(body), ...readItems(items)],
    tools: withSearchesMax(body, withoutRepeats([...readTools(body), ...readItemTools(items)])),
    sampling: { temperature: numberOf(body, 'temperature'), topP: numberOf(body, 'top_p') },
    stop: [],
    choices: 1,
    metadata: {
      userId: textAt(body, 'safety_identifier') ?? textAt(body, 'user'),
      cacheKey: textAt(body, 'prompt_cache_key'),
      entries: recordOf(body, 'metadata'),
    },
    toolChoice: readChoice(body['tool_choice'] ?? undefined, readNamedChoice),
    parallelToolCalls: flag(body, 'parallel_tool_calls'),
    format: formatOf(recordOf(text, 'format')),
    verbosity: textAt(text, 'verbosity'),
    reasoning: reasoningOf(reasoningIn(body, items)),
    outputTokensMax: limitOf(body),
    logprobs: logprobsOf(body),
    serviceTier: rawOf('responses', textAt(body, 'service_tier')),
    extras: extrasOf(body),
  }
}

/** Removes repeated tools: a tool search may find a tool twice, or one that is already in the list. */
function withoutRepeats(tools: readonly Tool[]): readonly Tool[] {
  const seen = new Set<string>()
  return tools.filter((tool) => {
    if (tool.type === 'builtin') return true
    const key = JSON.stringify([tool.namespace?.name, tool.name])
    return !seen.has(key) && seen.add(key)
  })
}

/** `max_tool_calls` limits all built-in tools together, so it is a limit for a web search too. */
function withSearchesMax(body: JsonObject, tools: readonly Tool[]): readonly Tool[] {
  const usesMax = body['max_tool_calls']
  if (typeof usesMax !== 'number' || !Number.isSafeInteger(usesMax) || usesMax < 1) return tools
  return tools.map((tool) =>
    tool.type === 'builtin' && tool.kind === 'web-search'
      ? { ...tool, search: { ...tool.search, usesMax } }
      : tool,
  )
}

function instructions(body: JsonObject): Message[] {
  const text = body['instructions'] ?? undefined
  if (text === undefined || text === '') return []
  if (typeof text !== 'string') throw problem('member_invalid', { param: 'instructions' })
  return [{ role: 'system', parts: [{ type: 'text', text }] }]
}

function inputOf(body: JsonObject): readonly JsonObject[] {
  const input = body['input'] ?? undefined
  if (input === undefined) throw problem('member_missing', { param: 'input' })
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  if (!Array.isArray(input) || !input.every(isRecord)) throw problem('member_invalid', { param: 'input' })
  return input
}

function limitOf(body: JsonObject): number | undefined {
  const limit = numberOf(body, 'max_output_tokens')
  if (limit === undefined || (Number.isSafeInteger(limit) && limit > 0)) return limit
  throw problem('member_out_of_range', { param: 'max_output_tokens', min: 1, max: Number.MAX_SAFE_INTEGER })
}

function formatOf(format: JsonObject | undefined): OutputFormat | undefined {
  if (format === undefined) return undefined
  if (format['type'] === 'text') return { type: 'text' }
  if (format['type'] === 'json_object') return { type: 'json' }
  const schema = recordAt(format, 'schema')
  if (format['type'] !== 'json_schema' || schema === undefined)
    throw problem('member_invalid', { param: 'text.format' })
  return {
    type: 'schema',
    name: textAt(format, 'name') ?? 'response',
    schema,
    description: textAt(format, 'description'),
    isStrict: flag(format, 'strict'),
  }
}

/** The last `configuration_update` decides the effort of the next answer. */
function reasoningIn(body: JsonObject, items: readonly JsonObject[]): JsonObject | undefined {
  const asked = recordOf(body, 'reasoning')
  const update = items.findLast((item) => item['type'] === 'configuration_update')
  const effort = update && recordOf(update, 'reasoning')?.['effort']
  return effort === undefined ? asked : { ...asked, effort }
}

function reasoningOf(reasoning: JsonObject | undefined): ReasoningRequest | undefined {
  if (reasoning === undefined) return undefined
  const effort = effortNamed(reasoning['effort'])
  const isSummed = textAt(reasoning, 'summary') ?? textAt(reasoning, 'generate_summary')
  return {
    mode: effort === 'none' ? ('off' as const) : undefined,
    effort,
    shows: isSummed === undefined ? undefined : ('summary' as const),
    raw: { dialect: 'responses' as const, value: reasoning },
  }
}

function logprobsOf(body: JsonObject): Conversation['logprobs'] {
  const include: unknown = body['include']
  const isAsked = Array.isArray(include) && include.includes('message.output_text.logprobs')
  const top = numberOf(body, 'top_logprobs')
  return isAsked || (top ?? 0) > 0 ? { top: top ?? 0 } : undefined
}

function extrasOf(body: JsonObject): Conversation['extras'] {
  const rest = Object.entries(body).filter(([name, value]) => !KNOWN.has(name) && value !== null)
  return rest.length === 0 ? {} : { responses: Object.fromEntries(rest) }
}
