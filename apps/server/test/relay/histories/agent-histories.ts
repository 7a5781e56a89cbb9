import { readRecordings, type Recording } from '../../agents/recording.ts'
import { handMade } from './hand-made.ts'

/**
 * Conversations of twelve turns and more, in the shapes that coding agents send. Claude Code, Codex, Gemini CLI,
 * opencode, Qwen Code and Cline were recorded, and their last request is grown; Goose and Crush are written by hand
 * from their published formats. All of them get parallel calls, a picture, an interruption, ids, signatures and
 * texts of other vendors, and tools of MCP servers with schemas that only some vendors take.
 */
export interface AgentHistory {
  readonly agent: string
  readonly dialect: Recording['dialect']
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The whole request, as a task goes on, and as the client compacts it or reached its limit of steps. */
  readonly variants: Readonly<Record<HistoryVariant, Json>>
}

export type HistoryVariant = (typeof historyVariants)[number]
export const historyVariants = ['interrupted', 'compacted'] as const

type Json = Readonly<Record<string, unknown>>

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
/** An id as Codex gives to calls of MCP servers. */
const LONG_ID =
  'codex_mcp__codex_apps__google_calendar.search_events_exec-0b1c2d3e-1111-2222-3333-444455556666'
const HALF = 'cut in the middle of an emoji \ud83d'
const SUMMARY = 'Summarize the conversation so far, so that the work can go on without it.'
const USER_ID = JSON.stringify({ device_id: 'd'.repeat(64), account_uuid: '', session_id: 's'.repeat(36) })

/** A step of the script: what the model says and calls, and which calls are answered. */
interface ScriptStep {
  readonly said?: string
  readonly reasoning?: string
  readonly calls?: readonly string[]
  readonly answered?: readonly string[]
  readonly user?: string
  readonly hasPicture?: true
}

const script: readonly ScriptStep[] = [
  { said: 'I read both files.', reasoning: 'two files', calls: ['functions.read:0', 'functions.read:1'] },
  { user: 'Look at this picture.', hasPicture: true },
  { said: 'It shows one pixel.', reasoning: 'a picture' },
  { user: HALF },
  { reasoning: 'search', calls: [LONG_ID] },
  { calls: ['call.with.dots', 'call_b', 'call_c'] },
  { said: 'Two of them failed.' },
  { user: 'Try again.' },
  { said: 'I try again.', calls: ['call_d'] },
  { calls: ['call_e'] },
  { said: 'Now the tests.', calls: ['call_f', 'call_g'], answered: ['call_g'] },
  { user: 'Stop, that is the wrong folder.' },
  { said: 'I stopped.' },
  { user: 'Go on in the other one.' },
  { reasoning: 'once more', calls: ['functions.read:0'] },
]

/** A tool of an MCP server, in an older draft of JSON Schema. */
const PARAMETERS = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { id: { type: ['string', 'null'] }, limit: { type: 'integer', exclusiveMinimum: 0 } },
  additionalProperties: false,
}
/** OpenAI and Google take it, Anthropic does not. */
const UNION = { ...PARAMETERS, oneOf: [{ required: ['id'] }, { required: ['limit'] }] }
/** Anthropic and Google take it, OpenAI does not. */
const BARE_LIST = { ...PARAMETERS, properties: { ...PARAMETERS.properties, urls: { type: 'array' } } }
const BOTH = { ...BARE_LIST, oneOf: UNION.oneOf }

/** How one wire format writes the parts of a history. */
interface HistoryWriter {
  readonly turns: 'messages' | 'input' | 'contents'
  readonly model: (step: ScriptStep, tool: string, at: number) => readonly Json[]
  readonly results: (ids: readonly string[], tool: string) => readonly Json[]
  readonly user: (text: string, hasPicture: boolean) => Json
  readonly tools: (tools: readonly unknown[]) => readonly unknown[]
}

const input = { path: 'alpha.txt' }
const result = `result ${HALF}`

const chatWriter: HistoryWriter = {
  turns: 'messages',
  model: ({ said = null, calls = [] }, tool) => [
    {
      role: 'assistant',
      content: said,
      ...(calls.length > 0 && {
        tool_calls: calls.map((id) => ({
          id,
          type: 'function',
          function: { name: tool, arguments: JSON.stringify(input) },
        })),
      }),
    },
  ],
  results: (ids) => ids.map((id) => ({ role: 'tool', tool_call_id: id, content: result })),
  user: (text, hasPicture) => ({
    role: 'user',
    content: hasPicture
      ? [
          { type: 'text', text },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } },
        ]
      : text,
  }),
  tools: (tools) => [
    ...tools,
    { type: 'function', function: { name: 'mcp__calendar__search', parameters: UNION } },
  ],
}

const messagesWriter: HistoryWriter = {
  turns: 'messages',
  model: ({ said, reasoning, calls = [] }, tool, at) => [
    {
      role: 'assistant',
      content: [
        ...(reasoning === undefined
          ? []
          : [{ type: 'thinking', thinking: reasoning, signature: `foreign-${at}` }]),
        ...(said === undefined ? [] : [{ type: 'text', text: said }]),
        ...calls.map((id) => ({ type: 'tool_use', id, name: tool, input })),
      ],
    },
  ],
  results: (ids) => [
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: result })) },
  ],
  user: (text, hasPicture) => ({
    role: 'user',
    content: [
      { type: 'text', text },
      ...(hasPicture
        ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } }]
        : []),
    ],
  }),
  tools: (tools) => [...tools, { name: 'mcp__calendar__search', input_schema: BARE_LIST }],
}

const responsesWriter: HistoryWriter = {
  turns: 'input',
  model: ({ said, reasoning, calls = [] }, tool, at) => [
    ...(reasoning === undefined
      ? []
      : [{ type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: `foreign-${at}` }]),
    ...(said === undefined
      ? []
      : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: said }] }]),
    ...calls.map((id) => ({
      type: 'function_call',
      call_id: id,
      name: tool,
      arguments: JSON.stringify(input),
    })),
  ],
  results: (ids) => ids.map((id) => ({ type: 'function_call_output', call_id: id, output: result })),
  user: (text, hasPicture) => ({
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text },
      ...(hasPicture ? [{ type: 'input_image', image_url: `data:image/png;base64,${PICTURE}` }] : []),
    ],
  }),
  tools: (tools) => [
    ...tools,
    { type: 'function', name: 'mcp__calendar__search', parameters: UNION, strict: false },
  ],
}

const geminiWriter: HistoryWriter = {
  turns: 'contents',
  model: ({ said, calls = [] }, tool, at) => [
    {
      role: 'model',
      parts: [
        ...(said === undefined ? [] : [{ text: said }]),
        ...calls.map((id, index) => ({
          functionCall: { id, name: tool, args: input },
          ...(index === 0 && { thoughtSignature: Buffer.from(`foreign-${at}`).toString('base64') }),
        })),
      ],
    },
  ],
  results: (ids, tool) => [
    {
      role: 'user',
      parts: ids.map((id) => ({ functionResponse: { id, name: tool, response: { output: result } } })),
    },
  ],
  user: (text, hasPicture) => ({
    role: 'user',
    parts: [{ text }, ...(hasPicture ? [{ inlineData: { mimeType: 'image/png', data: PICTURE } }] : [])],
  }),
  tools: (tools) => [
    ...tools,
    { functionDeclarations: [{ name: 'mcp__calendar__search', parametersJsonSchema: BOTH }] },
  ],
}

const writers: Readonly<Record<Recording['dialect'], HistoryWriter>> = {
  chat: chatWriter,
  messages: messagesWriter,
  responses: responsesWriter,
  gemini: geminiWriter,
}

/** The name of the first tool that a client can run. */
function readToolName(body: Json): string {
  return /"name":"([a-zA-Z_]+)"/.exec(JSON.stringify(body['tools'] ?? body['input']))?.[1] ?? 'read'
}

/** Agents that were seen to leave the calls of an interrupted turn without a result; the others answer them. */
const LEAVES_CALLS_OPEN: ReadonlySet<string> = new Set(['goose'])

function growHistory({ program: agent, dialect, requests }: Recording): AgentHistory {
  const last = requests.at(-1)
  if (last === undefined) throw new Error(`${agent} was recorded without a request`)
  const { path, headers, body } = last
  const writer = writers[dialect]
  const tool = readToolName(body)
  const grow = (hasOpenCalls: boolean) =>
    script.flatMap((step, at) => {
      if (step.user !== undefined) return [writer.user(step.user, step.hasPicture === true)]
      const answered = hasOpenCalls ? (step.answered ?? step.calls ?? []) : (step.calls ?? [])
      return [...writer.model(step, tool, at), ...(answered.length > 0 ? writer.results(answered, tool) : [])]
    })
  const before = listOf(body[writer.turns])
  const whole: Json = {
    ...body,
    ...(dialect === 'messages' && { metadata: { user_id: USER_ID } }),
    tools: writer.tools(listOf(body['tools'])),
    [writer.turns]: [...before, ...grow(LEAVES_CALLS_OPEN.has(agent))],
  }
  const { tools: _tools, tool_choice: _choice, toolConfig: _config, ...rest } = whole
  const compacted = {
    ...rest,
    [writer.turns]: [
      ...before,
      ...grow(false),
      writer.user(SUMMARY, false),
      ...writer.model({ said: 'The work so far:' }, tool, 99),
    ],
  }
  return { agent, dialect, path, headers, variants: { interrupted: whole, compacted } }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function buildHistories(): readonly AgentHistory[] {
  return [...readRecordings(), ...handMade].map(growHistory)
}
