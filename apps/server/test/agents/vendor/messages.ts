import { type Json, objectOf, objectsOf, parseJson, textOf, textsOf } from './json.ts'
import { eventFrame, inPieces, refused, type Refusal, unknownMember } from './vendor-dialect.ts'
import type { VendorAnswer, VendorDialect } from './vendor-dialect.ts'

/** Anthropic's Messages API. */
export const messagesDialect: VendorDialect = {
  name: 'messages',
  matches: (path) => path.endsWith('/messages'),
  read: ({ body }) => {
    const blocks = cachedBlocks(body)
    return {
      model: textOf(body['model']),
      isStream: body['stream'] === true,
      tools: objectsOf(body['tools'])
        .filter(({ type }) => type === undefined || type === 'custom')
        .map((tool) => ({
          name: textOf(tool['name']),
          kind: 'function',
          schema: objectOf(tool['input_schema']),
        })),
      results: blocksOf(body)
        .filter(({ type }) => type === 'tool_result')
        .map(({ content }) => textsOf(content)),
      pieces: blocks.map(({ cache_control: _mark, ...block }) => JSON.stringify(block)),
      marks: blocks.flatMap((block, index) => (block['cache_control'] ? [index + 1] : [])),
      wantsThinking: ['enabled', 'adaptive'].includes(textOf(objectOf(body['thinking'])['type'])),
      ...schemaOf(body),
    }
  },
  refuse: ({ body }) => refuseMembers(body) ?? refuseTools(body) ?? refuseTurns(body),
  stream: (answer) => frames(answer),
  whole: (answer) => messageOf(answer, contentOf(answer)),
  error: ({ status, message }) => ({
    type: 'error',
    error: { type: ERRORS[status] ?? 'api_error', message },
  }),
}

const SIGNED = 'signed-by-anthropic-'
const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}
const MEMBERS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'metadata',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
  'tools',
  'tool_choice',
  'thinking',
  'service_tier',
  'container',
  'mcp_servers',
  'context_management',
  'output_config',
  'cache_control',
  'inference_geo',
  'speed',
  'diagnostics',
  'fallbacks',
])
const NAME = /^[a-zA-Z0-9_-]{1,128}$/
const MARKS_MAX = 4

function blocksOf(body: Json): readonly Json[] {
  return objectsOf(body['messages']).flatMap(({ content }) => asBlocks(content))
}

function asBlocks(content: unknown): readonly Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

function cachedBlocks(body: Json): readonly Json[] {
  const blocks = [...objectsOf(body['tools']), ...asBlocks(body['system'] ?? []), ...blocksOf(body)]
  const mark = body['cache_control']
  return mark === undefined
    ? blocks
    : blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: mark } : block))
}

function schemaOf(body: Json): { schema?: Json } {
  const format = objectOf(objectOf(body['output_config'])['format'])
  return format['type'] === 'json_schema' ? { schema: objectOf(format['schema']) } : {}
}

function refuseMembers(body: Json): Refusal | undefined {
  const stray = unknownMember(body, MEMBERS)
  if (stray !== undefined) return refused(`${stray}: Extra inputs are not permitted`)
  if (typeof body['max_tokens'] !== 'number') return refused('max_tokens: Field required')
  const budget = objectOf(body['thinking'])['budget_tokens']
  if (typeof budget === 'number' && budget >= body['max_tokens'])
    return refused('`max_tokens` must be greater than `thinking.budget_tokens`')
  const marks = cachedBlocks(body).filter((block) => block['cache_control']).length
  return marks > MARKS_MAX
    ? refused(`A maximum of 4 blocks with cache_control may be provided. Found ${marks}.`)
    : undefined
}

function refuseTools(body: Json): Refusal | undefined {
  for (const tool of objectsOf(body['tools'])) {
    if (!NAME.test(textOf(tool['name'])))
      return refused("tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'")
    const isOwn = tool['type'] === undefined || tool['type'] === 'custom'
    if (isOwn && objectOf(tool['input_schema'])['type'] !== 'object')
      return refused('tools.0.custom.input_schema.type: Field required')
  }
  return undefined
}

/**
 * Tool results must come first in the message after their calls, and thinking blocks must keep their
 * signature.
 */
function refuseTurns(body: Json): Refusal | undefined {
  let open = new Set<string>()
  for (const { role, content } of objectsOf(body['messages'])) {
    const blocks = asBlocks(content)
    if (!['user', 'assistant', 'system'].includes(textOf(role)))
      return refused('messages.0.role: Input should be user or assistant')
    if (blocks.some(({ type, text }) => type === 'text' && text === ''))
      return refused('messages: text content blocks must be non-empty')
    const answered = new Set(
      blocks.flatMap((block) => (block['type'] === 'tool_result' ? [textOf(block['tool_use_id'])] : [])),
    )
    const missing = [...open].find((id) => !answered.has(id))
    if (missing !== undefined)
      return refused(
        `messages: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing}`,
      )
    const stray = [...answered].find((id) => !open.has(id))
    if (stray !== undefined)
      return refused(`messages: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`)
    const isForeign = blocks.some(
      ({ type, signature }) => type === 'thinking' && !textOf(signature).startsWith(SIGNED),
    )
    if (isForeign) return refused('messages: Invalid `signature` in `thinking` block')
    open = new Set(blocks.flatMap((block) => (block['type'] === 'tool_use' ? [textOf(block['id'])] : [])))
  }
  return open.size > 0 ? refused('messages: final turn has `tool_use` without results') : undefined
}

function contentOf({ id, thinking, text, calls }: VendorAnswer): readonly Json[] {
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: `${SIGNED}${id}` }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.tool.name,
      input: objectOf(parseJson(call.input)),
    })),
  ]
}

function messageOf(
  { id, model, calls, usage }: VendorAnswer,
  content: readonly Json[],
  isStarting = false,
): Json {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: isStarting ? null : stopOf(calls),
    stop_sequence: null,
    usage: usageOf(usage, isStarting ? 1 : usage.output),
  }
}

function stopOf(calls: VendorAnswer['calls']): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function usageOf({ input, cacheRead, cacheWrite }: VendorAnswer['usage'], output: number): Json {
  return {
    input_tokens: input,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: output,
    service_tier: 'standard',
  }
}

function frames(answer: VendorAnswer): readonly string[] {
  const delta = { stop_reason: stopOf(answer.calls), stop_sequence: null }
  return [
    eventFrame('message_start', { message: messageOf(answer, [], true) }),
    eventFrame('ping', {}),
    ...contentOf(answer).flatMap(blockFrames),
    eventFrame('message_delta', { delta, usage: usageOf(answer.usage, answer.usage.output) }),
    eventFrame('message_stop', {}),
  ]
}

function blockFrames(block: Json, index: number): readonly string[] {
  const { opening, deltas } = takenApart(block)
  return [
    eventFrame('content_block_start', { index, content_block: opening }),
    ...deltas.map((delta) => eventFrame('content_block_delta', { index, delta })),
    eventFrame('content_block_stop', { index }),
  ]
}

function takenApart(block: Json): { opening: Json; deltas: readonly Json[] } {
  if (block['type'] === 'thinking') {
    const pieces = inPieces(textOf(block['thinking'])).map((thinking) => ({
      type: 'thinking_delta',
      thinking,
    }))
    return {
      opening: { type: 'thinking', thinking: '', signature: '' },
      deltas: [...pieces, { type: 'signature_delta', signature: block['signature'] }],
    }
  }
  if (block['type'] === 'text') {
    const deltas = inPieces(textOf(block['text'])).map((text) => ({ type: 'text_delta', text }))
    return { opening: { type: 'text', text: '' }, deltas }
  }
  const pieces = inPieces(JSON.stringify(block['input']))
  const deltas = ['', ...pieces].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
  return { opening: { ...block, input: {} }, deltas }
}
