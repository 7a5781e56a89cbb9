import { type Json, objectOf, objectsOf, textOf, textsOf } from './json.ts'
import {
  eventFrame,
  inPieces,
  type OfferedTool,
  refused,
  type Refusal,
  unknownMember,
} from './vendor-dialect.ts'
import type { ToolCall, VendorAnswer, VendorDialect } from './vendor-dialect.ts'

/** OpenAI's Responses API. */
export const responsesDialect: VendorDialect = {
  name: 'responses',
  matches: (path) => path.endsWith('/responses'),
  read: ({ body }) => ({
    model: textOf(body['model']),
    isStream: body['stream'] === true,
    tools: [...objectsOf(body['tools']), ...toolsInItems(body)].flatMap((tool) => offeredTools(tool)),
    results: itemsOf(body)
      .filter(({ type }) => RESULTS.has(textOf(type)))
      .map(({ output }) => textsOf(output)),
    pieces: [body['tools'], body['instructions'], ...itemsOf(body)].map((piece) =>
      JSON.stringify(piece ?? null),
    ),
    wantsThinking: body['reasoning'] !== undefined,
    ...schemaOf(body),
  }),
  refuse: ({ body }) => refuse(body),
  stream: (answer) => frames(answer),
  whole: (answer) => responseOf(answer, 'completed'),
  error: ({ message, status }) => ({
    error: {
      message,
      type: status === 429 ? 'rate_limit_error' : 'invalid_request_error',
      param: null,
      code: null,
    },
  }),
}

const SEALED = 'sealed-by-openai-'
const RESULTS: ReadonlySet<string> = new Set(['function_call_output', 'custom_tool_call_output'])
const MEMBERS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'store',
  'include',
  'reasoning',
  'text',
  'max_output_tokens',
  'max_tool_calls',
  'temperature',
  'top_p',
  'top_logprobs',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'metadata',
  'service_tier',
  'truncation',
  'previous_response_id',
  'conversation',
  'background',
  'prompt',
  'client_metadata',
  'context_management',
])
const ITEMS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
  'item_reference',
  'compaction',
])
const TOOLS: ReadonlySet<string> = new Set([
  'function',
  'custom',
  'namespace',
  'web_search',
  'web_search_preview',
  'tool_search',
  'image_generation',
  'local_shell',
])
const NAME = /^[a-zA-Z0-9_-]{1,64}$/

function itemsOf(body: Json): readonly Json[] {
  const { input } = body
  const items =
    typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsOf(input)
  return items.map((item) => ('type' in item ? item : { ...item, type: 'message' }))
}

function toolsInItems(body: Json): readonly Json[] {
  return itemsOf(body).flatMap((item) =>
    item['type'] === 'additional_tools' ? objectsOf(item['tools']) : [],
  )
}

function offeredTools(tool: Json, namespace?: string): readonly OfferedTool[] {
  const name = textOf(tool['name'])
  if (tool['type'] === 'namespace')
    return objectsOf(tool['tools']).flatMap((inner) => offeredTools(inner, name))
  const kind = tool['type'] === 'custom' ? 'custom' : 'function'
  if (kind === 'function' && tool['type'] !== 'function') return []
  return [{ name, kind, schema: objectOf(tool['parameters']), ...(namespace !== undefined && { namespace }) }]
}

function schemaOf(body: Json): { schema?: Json } {
  const format = objectOf(objectOf(body['text'])['format'])
  return format['type'] === 'json_schema' ? { schema: objectOf(format['schema']) } : {}
}

function refuse(body: Json): Refusal | undefined {
  const stray = unknownMember(body, MEMBERS)
  if (stray !== undefined) return refused(`Unknown parameter: '${stray}'.`)
  return refuseTools([...objectsOf(body['tools']), ...toolsInItems(body)]) ?? refuseItems(itemsOf(body))
}

function refuseTools(tools: readonly Json[]): Refusal | undefined {
  const strange = tools.find(({ type }) => !TOOLS.has(textOf(type)))
  if (strange) return refused(`Invalid value: '${textOf(strange['type'])}' for a tool.`)
  const odd = tools.flatMap((tool) => offeredTools(tool)).find(({ name }) => !NAME.test(name))
  return odd ? refused(`Invalid 'tools[0].name': '${odd.name}' does not match the pattern.`) : undefined
}

function refuseItems(items: readonly Json[]): Refusal | undefined {
  const strange = items.find(({ type }) => !ITEMS.has(textOf(type)))
  if (strange) return refused(`Invalid value: '${textOf(strange['type'])}' for an input item.`)
  const foreign = items.find(
    (item) => item['type'] === 'reasoning' && !textOf(item['encrypted_content']).startsWith(SEALED),
  )
  if (foreign) return refused('The encrypted content could not be verified.')
  const called = idsOf(items, (type) => type.endsWith('_call'))
  const answered = idsOf(items, (type) => RESULTS.has(type))
  const open = [...called].find((id) => !answered.has(id))
  if (open !== undefined) return refused(`No tool output found for function call ${open}.`)
  const stray = [...answered].find((id) => !called.has(id))
  return stray === undefined ? undefined : refused(`No tool call found for function call output ${stray}.`)
}

function idsOf(items: readonly Json[], isWanted: (type: string) => boolean): ReadonlySet<string> {
  const wanted = items.filter(({ type }) => isWanted(textOf(type)) && !/search/.test(textOf(type)))
  return new Set(wanted.map((item) => textOf(item['call_id'])))
}

function responseOf(answer: VendorAnswer, status: string): Json {
  const isDone = status === 'completed'
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: 1_790_000_000,
    status,
    model: answer.model,
    output: isDone ? outputOf(answer) : [],
    parallel_tool_calls: true,
    tools: [],
    error: null,
    incomplete_details: null,
    usage: isDone ? usageOf(answer.usage) : null,
  }
}

function outputOf(answer: VendorAnswer): readonly Json[] {
  const { id, thinking, text, calls } = answer
  return [
    ...(thinking === undefined ? [] : [reasoningItem(id, thinking)]),
    ...(text === undefined ? [] : [messageItem(id, text)]),
    ...calls.map(callItem),
  ]
}

function reasoningItem(id: string, thinking: string): Json {
  const summary = [{ type: 'summary_text', text: thinking }]
  return { type: 'reasoning', id: `rs_${id}`, summary, encrypted_content: `${SEALED}${id}` }
}

function messageItem(id: string, text: string): Json {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }]
  return { type: 'message', id: `msg_${id}`, status: 'completed', role: 'assistant', content }
}

function callItem({ id, tool, input }: ToolCall): Json {
  const shared = { id: `it_${id}`, call_id: id, name: tool.name, status: 'completed' }
  if (tool.kind === 'custom') return { ...shared, type: 'custom_tool_call', input }
  const namespace = tool.namespace === undefined ? {} : { namespace: tool.namespace }
  return { ...shared, type: 'function_call', arguments: input, ...namespace }
}

function frames(answer: VendorAnswer): readonly string[] {
  let sequence_number = 0
  const event = (type: string, value: Json) =>
    eventFrame(type, { ...value, sequence_number: sequence_number++ })
  const started = responseOf(answer, 'in_progress')
  return [
    event('response.created', { response: started }),
    event('response.in_progress', { response: started }),
    ...outputOf(answer).flatMap((item, index) => itemFrames(item, index, event)),
    event('response.completed', { response: responseOf(answer, 'completed') }),
  ]
}

function itemFrames(
  item: Json,
  index: number,
  event: (type: string, value: Json) => string,
): readonly string[] {
  const place = { item_id: item['id'], output_index: index }
  const opening = {
    ...item,
    ...openings[textOf(item['type'])],
    ...(item['status'] ? { status: 'in_progress' } : {}),
  }
  return [
    event('response.output_item.added', { output_index: index, item: opening }),
    ...middles(item, place).map(([type, value]) => event(type, value)),
    event('response.output_item.done', { output_index: index, item }),
  ]
}

const openings: Readonly<Record<string, Json>> = {
  message: { content: [] },
  reasoning: { summary: [] },
  function_call: { arguments: '' },
  custom_tool_call: { input: '' },
}

type Middle = readonly [type: string, value: Json]

function middles(item: Json, place: Json): readonly Middle[] {
  if (item['type'] === 'message') return textMiddles(item, place)
  if (item['type'] === 'reasoning') return summaryMiddles(item, place)
  const isCustom = item['type'] === 'custom_tool_call'
  const input = textOf(isCustom ? item['input'] : item['arguments'])
  const name = isCustom ? 'response.custom_tool_call_input' : 'response.function_call_arguments'
  const last = isCustom ? { input } : { arguments: input }
  return [
    ...inPieces(input).map((delta): Middle => [`${name}.delta`, { ...place, delta }]),
    [`${name}.done`, { ...place, ...last }],
  ]
}

function textMiddles(item: Json, place: Json): readonly Middle[] {
  const text = textsOf(item['content'])
  const at = { ...place, content_index: 0 }
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  return [
    ['response.content_part.added', { ...at, part: { ...part, text: '' } }],
    ...inPieces(text).map((delta): Middle => ['response.output_text.delta', { ...at, delta, logprobs: [] }]),
    ['response.output_text.done', { ...at, text, logprobs: [] }],
    ['response.content_part.done', { ...at, part }],
  ]
}

function summaryMiddles(item: Json, place: Json): readonly Middle[] {
  const text = textsOf(item['summary'])
  const at = { ...place, summary_index: 0 }
  return [
    ['response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } }],
    ...inPieces(text).map((delta): Middle => ['response.reasoning_summary_text.delta', { ...at, delta }]),
    ['response.reasoning_summary_text.done', { ...at, text }],
    ['response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } }],
  ]
}

function usageOf({ input, cacheRead, cacheWrite, output, reasoning }: VendorAnswer['usage']): Json {
  const all = input + cacheRead + cacheWrite
  return {
    input_tokens: all,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: all + output,
  }
}
