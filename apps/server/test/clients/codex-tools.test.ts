import OpenAI, { BadRequestError } from 'openai'
import type { ResponseCreateParamsStreaming, ResponseStreamEvent } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import { messageStreamWith, messageWith } from '../relay/messages-upstream.ts'
import { ChatStream, openScriptedUpstream, sendJson, type ScriptedUpstream } from '../relay/upstream.ts'

/**
 * Requests of Codex 0.169 to vendors that support neither its tool namespaces nor its free-text tools.
 * Requests must reach the model, and the model's tool calls must come back in the form that Codex defined.
 */

let harness: RelayHarness
let messages: ScriptedUpstream
let gemini: ScriptedUpstream
let chat: ScriptedUpstream
let bearer: string
let openai: OpenAI

const CLAUDE = 'claude-haiku-4-5-20251001'
const GEMINI = 'gemini-2.5-pro'
const CHAT = 'gpt-4o'

beforeAll(async () => {
  harness = await openRelayHarness()
  ;[messages, gemini, chat] = await Promise.all([
    openScriptedUpstream(),
    openScriptedUpstream(),
    openScriptedUpstream(),
  ])
  await harness.addChannel(messages.url, { type: 14, models: CLAUDE })
  await harness.addChannel(gemini.url, { type: 24, models: GEMINI })
  await harness.addChannel(chat.url, { type: 42, models: CHAT })
  ;({ bearer } = await harness.addCaller())
  openai = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await harness.close()
  await Promise.all([messages.close(), gemini.close(), chat.close()])
})

const PATCH = '*** Begin Patch\n*** Add File: "a".txt\n+😀\n*** End Patch'

const parameters = { type: 'object', properties: { message: { type: 'string' } } }
const tools: unknown[] = [
  { type: 'function', name: 'exec_command', description: 'Runs', strict: false, parameters },
  {
    type: 'namespace',
    name: 'multi_agent_v1',
    description: 'Tools for spawning and managing sub-agents.',
    tools: [{ type: 'function', name: 'spawn_agent', description: 'Spawns', strict: false, parameters }],
  },
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Edits files.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: begin_patch hunk+ end_patch' },
  },
  {
    type: 'tool_search',
    execution: 'client',
    description: 'Finds tools.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  },
  { type: 'web_search', external_web_access: false },
]

const input = [
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'You are Codex.' }] },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fix it' }] },
]

/** A request with all members that Codex sends; the types of the SDK do not know all of them. */
function asked(model: string, more: object = {}) {
  const known: ResponseCreateParamsStreaming = {
    model,
    stream: true,
    store: false,
    parallel_tool_calls: true,
  }
  const cache = { prompt_cache_key: '01a20752', client_metadata: { turn_id: '1' } }
  const reasoning = { reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] }
  return Object.assign(known, { input, tools, tool_choice: 'auto', ...cache, ...reasoning, ...more })
}

/** Tool calls of the model, under the tool names that the gateway sent it. */
const called = [
  { name: 'multi_agent_v1__spawn_agent', input: { message: 'go' } },
  { name: 'apply_patch', input: { input: PATCH } },
  { name: 'tool_search', input: { query: 'calendar' } },
]

/** The same tool calls as Codex must receive them, under its own names. */
const collected = [
  { type: 'function_call', name: 'spawn_agent', namespace: 'multi_agent_v1', arguments: '{"message":"go"}' },
  { type: 'custom_tool_call', name: 'apply_patch', input: PATCH },
  { type: 'tool_search_call', execution: 'client', arguments: { query: 'calendar' } },
]

const vendors: readonly { readonly model: string; readonly answers: (isStream: boolean) => void }[] = [
  {
    model: CLAUDE,
    answers: (isStream) => {
      const blocks = called.map((call, at) => ({ type: 'tool_use', id: `toolu_${at}`, ...call }))
      messages.respond = isStream
        ? messageStreamWith(blocks, { stop: 'tool_use' })
        : messageWith(blocks, 'tool_use')
    },
  },
  {
    model: GEMINI,
    answers: (isStream) => {
      const parts = called.map(({ name, input: args }) => ({ functionCall: { name, args } }))
      const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
      const answer = {
        candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
        usageMetadata,
      }
      gemini.respond = (response) => {
        if (!isStream) return sendJson(response, 200, answer)
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`data: ${JSON.stringify(answer)}\n\n`)
      }
    },
  },
  {
    model: CHAT,
    answers: (isStream) => {
      // This vendor omits `type` in tool calls.
      const calls = called.map(({ name, input: args }, index) => ({
        index,
        id: `call0000${index}`,
        function: { name, arguments: JSON.stringify(args) },
      }))
      chat.respond = (response) => {
        if (!isStream)
          return sendJson(response, 200, {
            id: 'c',
            choices: [
              { index: 0, message: { role: 'assistant', tool_calls: calls }, finish_reason: 'tool_calls' },
            ],
            usage: { prompt_tokens: 10, completion_tokens: 5 },
          })
        const stream = new ChatStream(response)
        stream.frame({ choices: [{ index: 0, delta: { role: 'assistant', tool_calls: calls } }] })
        stream.finish('tool_calls').usage().done()
      }
    },
  },
]

describe.each(vendors)('Codex before $model', ({ model, answers }) => {
  test('Codex receives the calls of its tools in a stream', async () => {
    answers(true)
    const events: ResponseStreamEvent[] = []
    for await (const event of await openai.responses.create(asked(model))) events.push(event)
    const done = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []))
    expect(done).toMatchObject(collected)
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output: collected } })
    const text = events.flatMap((event) =>
      event.type === 'response.custom_tool_call_input.delta' ? [event.delta] : [],
    )
    expect(text.join('')).toBe(PATCH)
  })

  test('Codex receives the calls of its tools in a response without streaming', async () => {
    answers(false)
    const response: unknown = await openai.responses.create({ ...asked(model), stream: false })
    expect(response).toMatchObject({ status: 'completed', output: collected })
  })

  test('the tool results of Codex are accepted in the next request', async () => {
    answers(true)
    const results = [
      { type: 'function_call_output', call_id: 'a', output: 'spawned' },
      { type: 'custom_tool_call_output', call_id: 'b', output: 'patched' },
      { type: 'tool_search_output', call_id: 'c', execution: 'client', status: 'completed', tools: [] },
    ]
    const calls = collected.map((call, at) => ({ ...call, call_id: 'abc'[at], status: 'completed' }))
    const stream = await openai.responses.create(asked(model, { input: [...input, ...calls, ...results] }))
    let last: ResponseStreamEvent | undefined
    for await (const event of stream) last = event
    expect(last).toMatchObject({ type: 'response.completed' })
  })

  test('tools inside `input`, as Codex sends them for its newest models, are offered to the model', async () => {
    answers(true)
    const item = { type: 'additional_tools', id: 'at_1', role: 'developer', tools: tools.slice(0, 4) }
    const stream = await openai.responses.create(asked(model, { input: [item, ...input], tools: undefined }))
    const done: unknown[] = []
    for await (const event of stream) if (event.type === 'response.output_item.done') done.push(event.item)
    expect(done).toMatchObject(collected)
  })

  test('an unknown item type is refused and costs nothing', async () => {
    const { bearer: apiKey, userId } = await harness.addCaller()
    const other = new OpenAI({ apiKey, baseURL: `${harness.url}/v1`, maxRetries: 0 })
    const failure = await other.responses
      .create(asked(model, { input: [{ type: 'x_new_item', text: 'a' }, ...input] }))
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(BadRequestError)
    expect(failure).toMatchObject({ status: 400, code: 'not_expressible' })
    await harness.quiet()
    expect(await harness.balance(userId)).toMatchObject({ used: 0n, reserved: 0n })
  })
})

test('web search is dropped and named in the header for older Gemini models that cannot combine it with functions', async () => {
  vendors[1]?.answers(true)
  const { response } = await openai.responses.create(asked(GEMINI)).withResponse()
  await response.text()
  expect(response.headers.get('x-tollgate-dropped')).toContain('web_search')
  expect(gemini.received.at(-1)?.text).not.toContain('googleSearch')
})

test('a refusal by Claude becomes an incomplete response', async () => {
  messages.respond = messageWith([{ type: 'text', text: 'No.' }], 'refusal')
  const whole: unknown = await openai.responses.create({ ...asked(CLAUDE), stream: false })
  expect(whole).toMatchObject({ status: 'incomplete', incomplete_details: { reason: 'content_filter' } })
  messages.respond = messageStreamWith([{ type: 'text', text: 'No.' }], { stop: 'refusal' })
  let last: ResponseStreamEvent | undefined
  for await (const event of await openai.responses.create(asked(CLAUDE))) last = event
  expect(last).toMatchObject({
    type: 'response.incomplete',
    response: { incomplete_details: { reason: 'content_filter' } },
  })
})

test('streamed tool calls of Mistral get a type, which chat completions SDKs require', async () => {
  vendors[2]?.answers(true)
  const stream = openai.chat.completions.stream({ model: CHAT, messages: [{ role: 'user', content: 'hi' }] })
  const { choices } = await stream.finalChatCompletion()
  expect(choices[0]?.message.tool_calls?.map(({ type }) => type)).toEqual([
    'function',
    'function',
    'function',
  ])
})
