import { problem } from '@tollgate/kit/problem'
import type { AskPath } from '../canonical/codec.ts'
import type { Conversation, Effort, Message, OutputFormat, ReasoningWish } from '../canonical/conversation.ts'
import { told } from '../canonical/told.ts'
import { isRecord, recordAt, textAt, type JsonObject } from '../json.ts'
import { readItems } from './read-items.ts'
import { readToolChoice, readTools } from './tools.ts'

/** A gateway that sends every call where it likes keeps no conversations. */
const STATEFUL = ['conversation', 'previous_response_id', 'prompt', 'context_management'] as const

const KNOWN = new Set<string>([
  ...STATEFUL,
  'model',
  'input',
  'instructions',
  'stream',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'reasoning',
  'temperature',
  'top_p',
  'top_logprobs',
  'max_output_tokens',
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'service_tier',
])

/** A Responses request. https://platform.openai.com/docs/api-reference/responses/create */
export function readConversation(body: JsonObject, path: AskPath): Conversation {
  const kept = STATEFUL.find((name) => (body[name] ?? undefined) !== undefined)
  if (kept !== undefined)
    throw problem('invalid_request', { reason: `'${kept}' needs an upstream that keeps conversations` })
  if (body['background'] === true) throw problem('invalid_request', { reason: "'background' is not offered" })
  const text = recordIn(body, 'text') ?? {}
  return {
    model: path.model ?? textAt(body, 'model') ?? '',
    isStream: path.isStream ?? body['stream'] === true,
    messages: [...instructions(body), ...readItems(inputOf(body))],
    tools: readTools(body),
    sampling: told({ temperature: numberIn(body, 'temperature'), topP: numberIn(body, 'top_p') }),
    stop: [],
    choices: 1,
    metadata: told({
      userId: textAt(body, 'safety_identifier') ?? textAt(body, 'user'),
      cacheKey: textAt(body, 'prompt_cache_key'),
      entries: recordIn(body, 'metadata'),
    }),
    ...told({
      toolChoice: readToolChoice(body['tool_choice'] ?? undefined),
      parallelToolCalls: flagIn(body, 'parallel_tool_calls'),
      format: formatOf(recordIn(text, 'format')),
      verbosity: textAt(text, 'verbosity'),
      reasoning: reasoningOf(recordIn(body, 'reasoning')),
      outputTokensMax: limitOf(body),
      logprobs: logprobsOf(body),
      serviceTier: tierOf(body),
    }),
    extras: extrasOf(body),
  }
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

function recordIn(body: JsonObject, param: string): JsonObject | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || isRecord(value)) return value
  throw problem('member_invalid', { param })
}

function numberIn(body: JsonObject, param: string): number | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  throw problem('member_invalid', { param })
}

function flagIn(body: JsonObject, param: string): boolean | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw problem('member_invalid', { param })
}

function limitOf(body: JsonObject): number | undefined {
  const limit = numberIn(body, 'max_output_tokens')
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
    ...told({ description: textAt(format, 'description'), isStrict: flagIn(format, 'strict') }),
  }
}

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

function reasoningOf(reasoning: JsonObject | undefined): ReasoningWish | undefined {
  if (reasoning === undefined) return undefined
  const effort = efforts.find((each) => each === reasoning['effort'])
  const isSummed = textAt(reasoning, 'summary') ?? textAt(reasoning, 'generate_summary')
  return told({
    mode: effort === 'none' ? ('off' as const) : undefined,
    effort,
    shows: isSummed === undefined ? undefined : ('summary' as const),
    raw: { dialect: 'responses' as const, value: reasoning },
  })
}

function logprobsOf(body: JsonObject): Conversation['logprobs'] {
  const include: unknown = body['include']
  const isAsked = Array.isArray(include) && include.includes('message.output_text.logprobs')
  const top = numberIn(body, 'top_logprobs')
  return isAsked || (top ?? 0) > 0 ? { top: top ?? 0 } : undefined
}

function tierOf(body: JsonObject): Conversation['serviceTier'] {
  const value = textAt(body, 'service_tier')
  return value === undefined ? undefined : { dialect: 'responses', value }
}

function extrasOf(body: JsonObject): Conversation['extras'] {
  const rest = Object.entries(body).filter(([name, value]) => !KNOWN.has(name) && value !== null)
  return rest.length === 0 ? {} : { responses: Object.fromEntries(rest) }
}
