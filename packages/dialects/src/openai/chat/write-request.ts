import type { RequestContext } from '../../canonical/codec.ts'
import type { Conversation, OutputFormat } from '../../canonical/conversation.ts'
import { rawFor } from '../../canonical/raw.ts'
import type { BuiltinTool, FunctionTool, Tool, ToolChoice } from '../../canonical/tool.ts'
import type { JsonObject } from '../../json.ts'
import { traitsOf } from '../../traits/lookup.ts'
import { openaiTier } from '../../canonical/openai-tier.ts'
import { writeReasoningEffort } from './reasoning-effort.ts'
import { writeMessages } from './write-messages.ts'

/**
 * Writes the body of a chat completions request. The output limit has its older name, which more vendors
 * know; providers whose models require the newer one rename it.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function writeRequest(
  conversation: Conversation,
  { traits = traitsOf(conversation.model), dropped }: Partial<RequestContext> = {},
): JsonObject {
  const { sampling, stop, choices, metadata, logprobs, format, isStream, reasoning } = conversation
  const wish = writeReasoningEffort(reasoning, traits)
  const isEffortSaid = (reasoning?.effort ?? reasoning?.budgetTokens) !== undefined
  if (isEffortSaid && Object.keys(wish).length === 0) dropped?.add('reasoning_effort')
  return {
    ...conversation.extras.openai,
    model: conversation.model,
    messages: writeMessages(conversation.messages, traits.systemMessages),
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
    max_tokens: conversation.outputTokensMax,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    frequency_penalty: sampling.frequencyPenalty,
    presence_penalty: sampling.presencePenalty,
    logit_bias: sampling.logitBias,
    seed: sampling.seed,
    n: choices === 1 ? undefined : choices,
    stop: stop.length > 1 ? stop : stop[0],
    logprobs: logprobs && true,
    top_logprobs: logprobs && (logprobs.top || undefined),
    response_format: format && writeFormat(format),
    modalities: conversation.modalities,
    audio: conversation.audio,
    verbosity: conversation.verbosity,
    service_tier: openaiTier(conversation, dropped),
    user: metadata.userId,
    prompt_cache_key: metadata.cacheKey,
    metadata: metadata.entries,
    ...wish,
    ...writeTools(conversation),
  }
}

function writeTools({ tools, toolChoice, parallelToolCalls }: Conversation): JsonObject {
  const written = tools.map(writeTool).filter((tool) => tool !== undefined)
  const search = tools.find(
    (tool): tool is BuiltinTool => tool.type === 'builtin' && tool.kind === 'web-search',
  )
  return {
    tools: written.length > 0 ? written : undefined,
    web_search_options: search && writeSearch(search),
    // Vendors reject a tool choice without tools.
    ...(written.length > 0 && {
      tool_choice: toolChoice && writeChoice(toolChoice, tools),
      parallel_tool_calls: parallelToolCalls,
    }),
  }
}

function writeTool(tool: Tool): JsonObject | undefined {
  if (tool.type === 'function') return { type: 'function', function: writeFunction(tool) }
  if (tool.type === 'builtin') {
    return tool.kind === 'web-search' ? undefined : rawFor(tool.raw, 'openai')
  }
  const { name, description, format } = tool
  const written = format && { type: 'grammar', grammar: format }
  return { type: 'custom', custom: { name, description, format: written } }
}

function writeFunction({ name, description, parameters, isStrict, extras }: FunctionTool): JsonObject {
  return {
    ...rawFor(extras, 'openai'),
    name,
    description,
    parameters,
    strict: isStrict,
  }
}

function writeSearch({ search = {}, raw }: BuiltinTool): JsonObject {
  const own = rawFor(raw, 'openai')
  if (own !== undefined) return own
  const { location, contextSize } = search
  return {
    search_context_size: contextSize,
    user_location: location && { type: 'approximate', approximate: location },
  }
}

function writeChoice(choice: ToolChoice, offered: readonly Tool[]): unknown {
  const customNames = new Set(offered.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])))
  const named = (name: string) =>
    customNames.has(name) ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
  if (choice.type === 'tool') return named(choice.name)
  if (choice.type === 'other') return rawFor(choice.raw, 'openai')
  if (choice.type !== 'allowed') return choice.type
  const tools = choice.names.map(named)
  const mode = choice.isRequired ? 'required' : 'auto'
  return { type: 'allowed_tools', allowed_tools: { mode, tools } }
}

function writeFormat(format: OutputFormat): JsonObject | undefined {
  if (format.type === 'text') return undefined
  if (format.type === 'json') return { type: 'json_object' }
  const { name, schema, description, isStrict } = format
  return {
    type: 'json_schema',
    json_schema: { name, schema, description, strict: isStrict },
  }
}
