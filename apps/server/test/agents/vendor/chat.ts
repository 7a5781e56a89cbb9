import { type Json, objectOf, objectsOf, textOf, textsOf } from './json.ts'
import {
  dataFrame,
  inPieces,
  type OfferedTool,
  refused,
  type Refusal,
  unknownMember,
} from './vendor-dialect.ts'
import type { ToolCall, VendorAnswer, VendorDialect } from './vendor-dialect.ts'

/** Chat completions as served by OpenAI, or by one of the many compatible servers. */
export function chatDialect(server: 'openai' | 'strings' | 'template'): VendorDialect {
  const isOpenAi = server === 'openai'
  return {
    name: 'chat',
    matches: (path) => path.endsWith('/chat/completions'),
    read: ({ body }) => ({
      model: textOf(body['model']),
      isStream: body['stream'] === true,
      tools: objectsOf(body['tools']).map(offeredTool),
      results: messagesOf(body)
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => textsOf(content)),
      pieces: [body['tools'], ...messagesOf(body)].map((piece) => JSON.stringify(piece ?? null)),
      wantsThinking: !isOpenAi,
      ...schemaOf(body),
    }),
    refuse: ({ body }) => {
      if (isOpenAi) return refuseOpenAi(body) ?? refuseTurns(messagesOf(body))
      return (
        (server === 'strings' ? refuseLists(body) : refuseTemplate(body)) ?? refuseTurns(messagesOf(body))
      )
    },
    stream: (answer) => chatFrames(answer),
    whole: (answer) => wholeAnswer(answer),
    error: ({ message, status }) => ({
      error: {
        message,
        type: status === 429 ? 'rate_limit_error' : 'invalid_request_error',
        param: null,
        code: null,
      },
    }),
  }
}

const OPENAI_MEMBERS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'n',
  'stop',
  'seed',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'response_format',
  'reasoning_effort',
  'verbosity',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'store',
  'metadata',
  'service_tier',
  'modalities',
  'audio',
  'prediction',
])
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  system: new Set(['text']),
  developer: new Set(['text']),
  user: new Set(['text', 'image_url', 'input_audio', 'file']),
  assistant: new Set(['text', 'refusal']),
  tool: new Set(['text']),
}

function messagesOf(body: Json): readonly Json[] {
  return objectsOf(body['messages'])
}

function offeredTool(tool: Json): OfferedTool {
  const isCustom = tool['type'] === 'custom'
  const described = objectOf(isCustom ? tool['custom'] : tool['function'])
  return {
    name: textOf(described['name']),
    kind: isCustom ? 'custom' : 'function',
    schema: objectOf(described['parameters']),
  }
}

function schemaOf(body: Json): { schema?: Json } {
  const format = objectOf(body['response_format'])
  if (format['type'] === 'json_schema') return { schema: objectOf(objectOf(format['json_schema'])['schema']) }
  return format['type'] === 'json_object' ? { schema: {} } : {}
}

function refuseOpenAi(body: Json): Refusal | undefined {
  if (body['max_tokens'] !== undefined)
    return refused("Unsupported parameter: 'max_tokens' is not supported with this model.")
  const stray = unknownMember(body, OPENAI_MEMBERS)
  if (stray !== undefined) return refused(`Unrecognized request argument supplied: ${stray}`)
  for (const tool of objectsOf(body['tools']))
    if (!['function', 'custom'].includes(textOf(tool['type'])))
      return refused(
        `Invalid value: '${textOf(tool['type'])}'. Supported values are: 'function' and 'custom'.`,
      )
  const named = objectsOf(body['tools']).map((tool) => offeredTool(tool).name)
  const odd = named.find((name) => !NAME.test(name))
  if (odd !== undefined)
    return refused(`Invalid 'tools[0].function.name': '${odd}' does not match the pattern.`)
  for (const { role, content } of messagesOf(body)) {
    const parts = PARTS[textOf(role)]
    if (parts === undefined) return refused(`Invalid value: '${textOf(role)}' for a role.`)
    const part = objectsOf(content).find(({ type }) => !parts.has(textOf(type)))
    if (part)
      return refused(`Invalid content type '${textOf(part['type'])}' in a message of role '${textOf(role)}'.`)
  }
  return undefined
}

/** Simulates servers that parse `content` as a string only; the error text is DeepSeek's. */
function refuseLists(body: Json): Refusal | undefined {
  const index = messagesOf(body).findIndex(({ content }) => Array.isArray(content))
  if (index >= 0)
    return refused(
      `Failed to deserialize the JSON body into the target type: messages[${index}]: invalid type: sequence, expected a string at line 1 column 64`,
    )
  const isStrange = objectsOf(body['tools']).some(({ type }) => type !== 'function')
  return isStrange ? refused('tools: unknown variant, expected `function`') : undefined
}

/**
 * Simulates a chat template that requires the system message first (as Qwen's on vLLM) and does not know the
 * developer role.
 */
function refuseTemplate(body: Json): Refusal | undefined {
  const roles = messagesOf(body).map(({ role }) => textOf(role))
  if (roles.lastIndexOf('system') > 0) return refused('System message must be at the beginning.')
  if (roles.includes('developer')) return refused('Unexpected message role.')
  return undefined
}

/**
 * Each tool call must be answered by the messages that follow it directly, and no tool message may answer
 * anything else.
 */
function refuseTurns(messages: readonly Json[]): Refusal | undefined {
  let open = new Set<string>()
  for (const message of messages) {
    const id = textOf(message['tool_call_id'])
    if (message['role'] === 'tool') {
      if (!open.delete(id))
        return refused(
          "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'.",
        )
      continue
    }
    if (open.size > 0)
      return refused(
        `An assistant message with 'tool_calls' must be followed by tool messages: ${[...open].join()}`,
      )
    open = new Set(objectsOf(message['tool_calls']).map((call) => textOf(call['id'])))
  }
  return open.size > 0 ? refused('The last tool calls have no results.') : undefined
}

function chatFrames(answer: VendorAnswer): readonly string[] {
  const { id, model, usage } = answer
  const chunk = (delta: Json, finish: string | null = null) =>
    dataFrame({
      id,
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  const base = { id, object: 'chat.completion.chunk', created: 1_790_000_000, model }
  return [
    chunk({ role: 'assistant', content: '' }),
    ...inPieces(answer.thinking ?? '').map((piece) => chunk({ reasoning_content: piece })),
    ...inPieces(answer.text ?? '').map((piece) => chunk({ content: piece })),
    ...answer.calls.flatMap((call, index) => callDeltas(call, index).map((delta) => chunk(delta))),
    chunk({}, answer.calls.length > 0 ? 'tool_calls' : 'stop'),
    dataFrame({ ...base, choices: [], usage: usageOf(usage) }),
    'data: [DONE]\n\n',
  ]
}

function callDeltas(call: ToolCall, index: number): readonly Json[] {
  const { id, tool, input } = call
  if (tool.kind === 'custom')
    return [{ tool_calls: [{ index, id, type: 'custom', custom: { name: tool.name, input } }] }]
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name: tool.name, arguments: '' } }] },
    ...inPieces(input).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function wholeAnswer({ id, model, thinking, text, calls, usage }: VendorAnswer): Json {
  const toolCalls = calls.map((call) =>
    call.tool.kind === 'custom'
      ? { id: call.id, type: 'custom', custom: { name: call.tool.name, input: call.input } }
      : { id: call.id, type: 'function', function: { name: call.tool.name, arguments: call.input } },
  )
  const message = {
    role: 'assistant',
    content: text ?? null,
    ...(thinking !== undefined && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: toolCalls }),
  }
  return {
    id,
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: usageOf(usage),
  }
}

function usageOf({ input, cacheRead, cacheWrite, output, reasoning }: VendorAnswer['usage']): Json {
  const prompt = input + cacheRead + cacheWrite
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
