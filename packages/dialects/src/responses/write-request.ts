import type { RequestContext } from '../canonical/codec.ts'
import {
  type Conversation,
  type Effort,
  type Message,
  type OutputFormat,
  type ReasoningRequest,
  isSystem,
} from '../canonical/conversation.ts'
import { orphanResult } from '../canonical/orphan-result.ts'
import type { Part, ToolCallPart, ToolResultPart } from '../canonical/part.ts'
import { rawFor } from '../canonical/raw.ts'
import type { Tool } from '../canonical/tool.ts'
import { isRecord, type JsonObject } from '../json.ts'
import { openaiTier } from '../canonical/openai-tier.ts'
import { effortForBudget, nearestEffort } from '../traits/efforts.ts'
import { traitsOf } from '../traits/lookup.ts'
import type { ModelTraits } from '../traits/model-traits.ts'
import { writeInputPart, writeOutputText } from './content.ts'
import { callItem, writeOutputItem } from './output-items.ts'
import { searchesMax, writeToolChoice, writeTools } from './write-tools.ts'

/**
 * Writes a Responses request that stores nothing with the vendor: reasoning is returned as encrypted content.
 */
export function writeRequest(
  conversation: Conversation,
  { traits = traitsOf(conversation.model), dropped }: RequestContext,
): JsonObject {
  const { model, isStream, messages, tools, sampling, outputTokensMax, parallelToolCalls } = conversation
  const { metadata, toolChoice, logprobs, extras } = conversation
  const first = messages.findIndex((message) => !isSystem(message))
  const leading = first < 0 ? messages : messages.slice(0, first)
  const instructions = leading.map(plainText).filter(Boolean).join('\n\n')
  const input = writeInput(messages.slice(leading.length))
  const include = includes(conversation, traits)
  const reasoning = writeReasoning(conversation, traits)
  if (conversation.reasoning !== undefined && reasoning === undefined) dropped?.add('reasoning_effort')
  return {
    store: false,
    ...extras.responses,
    model,
    // A request must have input; if there is only a system text, it is sent as input.
    ...(input.length > 0
      ? { input, instructions: instructions === '' ? undefined : instructions }
      : { input: instructions }),
    tools: tools.length > 0 ? writeTools(tools) : undefined,
    stream: isStream ? true : undefined,
    tool_choice: toolChoice && writeToolChoice(toolChoice, tools),
    parallel_tool_calls: parallelToolCalls,
    max_tool_calls: extras.responses?.['max_tool_calls'] ?? searchesMax(tools),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    max_output_tokens:
      outputTokensMax === undefined ? undefined : Math.max(OUTPUT_TOKENS_MIN, outputTokensMax),
    text: writeText(conversation),
    reasoning,
    top_logprobs: logprobs !== undefined && logprobs.top > 0 ? logprobs.top : undefined,
    safety_identifier: metadata.userId,
    prompt_cache_key: metadata.cacheKey,
    metadata: metadata.entries,
    service_tier: openaiTier(conversation, dropped),
    include: include.length > 0 ? include : extras.responses?.['include'],
  }
}

/** Minimum output limit that the API accepts. */
const OUTPUT_TOKENS_MIN = 16

function plainText({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function includes({ extras, logprobs, reasoning, tools }: Conversation, { reasons }: ModelTraits): string[] {
  const asked: unknown = extras.responses?.['include']
  const own = Array.isArray(asked) ? asked.filter((each) => typeof each === 'string') : []
  // Models without reasoning reject a request for reasoning content.
  const thinks = reasons ?? reasoning !== undefined
  // Callers of this dialect ask for the pages themselves.
  const isSearching = tools.some(isForeignSearch)
  const wanted = [
    ...own,
    ...(isSearching ? ['web_search_call.action.sources'] : []),
    ...(logprobs === undefined ? [] : ['message.output_text.logprobs']),
    ...(thinks && extras.responses?.['store'] !== true ? ['reasoning.encrypted_content'] : []),
  ]
  return [...new Set(wanted)]
}

function isForeignSearch(tool: Tool): boolean {
  return tool.type === 'builtin' && tool.kind === 'web-search' && tool.raw.dialect !== 'responses'
}

function writeInput(messages: readonly Message[]): JsonObject[] {
  const calls = new Map<string, ToolCallPart>()
  return messages.flatMap((message) => {
    for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.id, part)
    if (message.role === 'assistant') return writeModelTurn(message.parts)
    return writeCallerTurn(message, calls)
  })
}

/** Tool results are items; the content around them becomes separate messages, in order. */
function writeCallerTurn({ role, parts }: Message, calls: ReadonlyMap<string, ToolCallPart>): JsonObject[] {
  const items: JsonObject[] = []
  let content: JsonObject[] = []
  const flush = () => {
    if (content.length > 0) items.push({ type: 'message', role, content })
    content = []
  }
  for (const part of parts) {
    const item = part.type === 'tool-result' ? writeResult(part, calls) : wholeItem(part)
    if (item === undefined) content.push(...writeInputPart(part))
    else {
      flush()
      items.push(item)
    }
  }
  flush()
  return items
}

/** Returns an opaque part that is an item of its own, such as the output of a built-in tool call. */
function wholeItem(part: Part): JsonObject | undefined {
  const own = part.type === 'opaque' ? rawFor(part.raw, 'responses') : undefined
  return own === undefined || String(own['type']).startsWith('input_') ? undefined : own
}

function writeResult(part: ToolResultPart, calls: ReadonlyMap<string, ToolCallPart>): JsonObject {
  const call = calls.get(part.callId)
  if (call === undefined) throw orphanResult(part)
  const own = rawFor(part.extras, 'responses')
  if (own !== undefined) return own
  const isText = part.parts.every((each) => each.type === 'text')
  const output = isText ? plainText({ role: 'user', parts: part.parts }) : part.parts.flatMap(writeInputPart)
  const type = call.kind === 'custom' ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: part.callId, output }
}

/** Items created here get no id, because the vendor would look it up. */
function writeModelTurn(parts: readonly Part[]): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    if (part.type === 'text') return part.text === '' ? [] : [said(writeOutputText(part))]
    if (part.type === 'refusal') return [said({ type: 'refusal', refusal: part.text })]
    if (part.type === 'tool-call') return [withoutId(callItem(part, ''))]
    if (!isEncryptedHere(part)) return []
    const item = writeOutputItem(part, () => '')
    if (item === undefined) return []
    return [item['id'] === '' ? withoutId(item) : item]
  })
}

function said(content: JsonObject): JsonObject {
  return { type: 'message', role: 'assistant', content: [content] }
}

function withoutId({ id: _id, ...item }: Record<string, unknown>): JsonObject {
  return item
}

/** Reasoning is sent back only with OpenAI's own encrypted content, and a search only as it was received. */
function isEncryptedHere(part: Part): boolean {
  if (part.type === 'search') return part.raw?.dialect === 'responses'
  if (part.type === 'reasoning') return part.signature?.dialect === 'responses'
  return part.type !== 'redacted-reasoning' || part.data.dialect === 'responses'
}

function writeText({ format, verbosity }: Conversation): JsonObject | undefined {
  if (format === undefined && verbosity === undefined) return undefined
  return { format: format && writeFormat(format), verbosity }
}

function writeFormat(format: OutputFormat): JsonObject {
  if (format.type === 'text') return { type: 'text' }
  if (format.type === 'json') return { type: 'json_object' }
  const { name, schema, description, isStrict } = format
  return { type: 'json_schema', name, schema, description, strict: isStrict }
}

function writeReasoning(
  { reasoning }: Conversation,
  { reasons, efforts }: ModelTraits,
): JsonObject | undefined {
  if (reasoning === undefined || reasons === false) return undefined
  const own = rawFor(reasoning.raw, 'responses')
  if (isRecord(own)) return own
  const effort = effortOf(reasoning, efforts ?? EFFORTS)
  const isSilent = reasoning.shows === 'nothing' || effort === 'none'
  return { effort, summary: isSilent ? undefined : 'auto' }
}

/** Efforts of models without known limits. */
const EFFORTS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']

function effortOf(
  { mode, effort, budgetTokens }: ReasoningRequest,
  taken: readonly Effort[],
): Effort | undefined {
  const fromBudget = budgetTokens === undefined ? undefined : effortForBudget(budgetTokens)
  const wanted = effort ?? (mode === 'off' ? 'none' : fromBudget)
  return wanted && nearestEffort(wanted, taken)
}
