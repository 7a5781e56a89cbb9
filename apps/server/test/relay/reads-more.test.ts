import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/** A caller who makes an upstream read more than the request contains is charged for what it read. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
let userId: number

const CLAUDE = 'claude-sonnet-4-5'
const GEMINI = 'gemini-2.5-flash'
const GPT = 'gpt-5'
const NOBODYS = 'house-model'
const STRANGER = 'cottage-model'
const QWEN = 'qwen3-max'
const MODELS = [CLAUDE, GEMINI, GPT, NOBODYS, STRANGER, QWEN]

/** A price setting with one ratio for all models. */
function ofEach(ratio: number): string {
  return JSON.stringify(Object.fromEntries(MODELS.map((model) => [model, ratio])))
}

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  // One unit an input token, four an output token, a quarter for cached input.
  await harness.setOption('ModelRatio', ofEach(1))
  await harness.setOption('CompletionRatio', ofEach(4))
  await harness.setOption('CacheRatio', ofEach(0.25))
  const setting = JSON.stringify({ stored_context: true })
  await harness.addChannel(upstream.url, { type: 14, models: CLAUDE, setting })
  await harness.addChannel(upstream.url, { type: 24, models: GEMINI, setting })
  await harness.addChannel(upstream.url, {
    type: 1,
    models: [GPT, NOBODYS, STRANGER, QWEN].join(','),
    setting,
  })
})
beforeEach(async () => {
  ;({ bearer, userId } = await harness.addCaller({ quota: 100_000_000n }))
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

type Body = Readonly<Record<string, unknown>>

/** Responds in the dialect of the path, with this usage. */
function answering(usage: Body, more: Body = {}): Responder {
  return (response, { path }) => {
    if (path.includes('generateContent')) {
      const content = { role: 'model', parts: [{ text: 'hello' }] }
      const candidates = [{ content, finishReason: 'STOP', index: 0 }]
      return sendJson(response, 200, { candidates, usageMetadata: usage, modelVersion: 'm', ...more })
    }
    if (path.includes('/messages')) {
      const content = [{ type: 'text', text: 'hello' }]
      const head = { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn' }
      return sendJson(response, 200, { ...head, content, usage, ...more })
    }
    if (path.includes('/responses')) {
      const content = [{ type: 'output_text', text: 'hello', annotations: [] }]
      const output = [{ type: 'message', id: 'i', role: 'assistant', status: 'completed', content }]
      const head = { id: 'r', object: 'response', created_at: 1, status: 'completed', model: 'm' }
      return sendJson(response, 200, { ...head, output, usage, ...more })
    }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }]
    sendJson(response, 200, { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage })
  }
}

const inDialect = {
  messages: (input: number, output: number) => ({ input_tokens: input, output_tokens: output }),
  chat: (input: number, output: number) => ({ prompt_tokens: input, completion_tokens: output }),
  responses: (input: number, output: number) => ({ input_tokens: input, output_tokens: output }),
  generate: (input: number, output: number) => ({ promptTokenCount: input, candidatesTokenCount: output }),
}
type Dialect = keyof typeof inDialect

const paths: Readonly<Record<Dialect, string>> = {
  messages: '/v1/messages',
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  generate: `/v1beta/models/${GEMINI}:generateContent`,
}

/** A minimal valid request of each dialect; a test row adds its own members. */
const plain: Readonly<Record<Dialect, Body>> = {
  messages: { model: CLAUDE, max_tokens: 1000, messages: [{ role: 'user', content: 'hi' }] },
  chat: { model: GPT, max_tokens: 1000, messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: GPT, max_output_tokens: 1000, input: 'hi' },
  generate: {
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: { maxOutputTokens: 1000 },
  },
}

async function charged(dialect: Dialect, { body, usage, more }: { body: Body; usage: Body; more?: Body }) {
  upstream.respond = answering(usage, more)
  const answer = await harness.send({ path: paths[dialect], bearer, body: { ...plain[dialect], ...body } })
  expect(answer.text).toContain('hello')
  expect(answer.status).toBe(200)
  await harness.quiet()
  const entry = (await harness.entries()).at(-1)
  return { amount: entry?.amount, flags: entry?.flags, waived: entry?.waived }
}

const user = (...parts: readonly Body[]) => [{ role: 'user', content: parts }]
const contents = (...parts: readonly Body[]) => [{ role: 'user', parts }]
const mcp = { type: 'url', url: 'https://mcp.test/sse', name: 'files' }
const seen = { type: 'tool_use', id: 't', name: 'look', input: {} }

interface Row {
  readonly name: string
  readonly dialect: Dialect
  readonly body: Body
  readonly input: number
  readonly output: number
}

const rows: readonly Row[] = [
  {
    name: 'pages that Claude fetches',
    dialect: 'messages',
    body: { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] },
    input: 180_000,
    output: 500,
  },
  {
    name: 'a server of MCP that the caller names',
    dialect: 'messages',
    body: { mcp_servers: [mcp] },
    input: 90_000,
    output: 800,
  },
  {
    name: 'a search in chat completions',
    dialect: 'chat',
    body: { web_search_options: {} },
    input: 40_000,
    output: 50,
  },
  {
    name: 'a server of MCP in Responses',
    dialect: 'responses',
    body: { tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://mcp.test' }] },
    input: 120_000,
    output: 60,
  },
  {
    name: 'files that Responses search',
    dialect: 'responses',
    body: { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    input: 120_000,
    output: 60,
  },
  {
    name: 'addresses that Gemini reads',
    dialect: 'generate',
    body: { tools: [{ url_context: {} }] },
    input: 200_030,
    output: 100,
  },
  {
    name: 'a search of Gemini',
    dialect: 'generate',
    body: { tools: [{ googleSearch: {} }] },
    input: 30_000,
    output: 100,
  },
  {
    name: 'a video by address',
    dialect: 'generate',
    body: {
      contents: contents({ fileData: { mimeType: 'video/mp4', fileUri: 'https://a.test/b.mp4' } }),
    },
    input: 900_000,
    output: 100,
  },
  {
    name: 'a video by address in snake case',
    dialect: 'generate',
    body: {
      contents: contents({ file_data: { mime_type: 'video/mp4', file_uri: 'https://a.test/b.mp4' } }),
    },
    input: 300_000,
    output: 100,
  },
  {
    name: 'a document by address',
    dialect: 'messages',
    body: {
      messages: user({ type: 'document', source: { type: 'url', url: 'https://a.test/b.pdf' } }),
    },
    input: 150_000,
    output: 100,
  },
  {
    name: 'a document by address in the result of a tool',
    dialect: 'messages',
    body: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [seen] },
        ...user({
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'document', source: { type: 'url', url: 'https://a.test/b.pdf' } }],
        }),
      ],
    },
    input: 150_000,
    output: 100,
  },
  {
    name: 'a file by its id',
    dialect: 'responses',
    body: { input: user({ type: 'input_file', file_id: 'file_1' }) },
    input: 150_000,
    output: 100,
  },
  {
    name: 'a file by its id in chat completions',
    dialect: 'chat',
    body: { messages: user({ type: 'file', file: { file_id: 'file_1' } }) },
    input: 150_000,
    output: 100,
  },
  {
    name: 'an earlier response',
    dialect: 'responses',
    body: { previous_response_id: 'resp_1' },
    input: 150_000,
    output: 100,
  },
  {
    name: 'an answer of a model that nobody knows, without a limit',
    dialect: 'chat',
    body: { model: NOBODYS, max_tokens: undefined },
    input: 10,
    output: 30_000,
  },
  {
    name: 'a budget of reasoning beside the limit of a model that nobody knows',
    dialect: 'chat',
    body: { model: NOBODYS, max_tokens: 1, thinking: { type: 'enabled', budget_tokens: 30_000 } },
    input: 10,
    output: 30_000,
  },
  {
    name: 'a limit under a vendor’s name beside that of a model that nobody knows',
    dialect: 'chat',
    body: { model: NOBODYS, max_tokens: 1, options: { num_predict: -1 } },
    input: 10,
    output: 30_000,
  },
  {
    name: 'reasoning that the vendor counts beside max_tokens',
    dialect: 'chat',
    body: { model: QWEN, max_tokens: 1 },
    input: 10,
    output: 30_000,
  },
]

test.each(rows)('$name: the call is charged in full', async ({ dialect, body, input, output }) => {
  const usage = inDialect[dialect](input, output)
  const amount = BigInt(input + 4 * output)
  expect(await charged(dialect, { body, usage })).toEqual({ amount, flags: '', waived: 0n })
})

test('the limit of a caller bounds a model that nobody knows until it writes more than it was asked for', async () => {
  const body = { model: STRANGER, max_tokens: 100 }
  const usage = inDialect.chat(10, 5_000)
  const first = await charged('chat', { body, usage })
  expect(first).toMatchObject({ flags: 'waived' })
  expect(first.amount).toBeLessThan(2_000n)
  expect(await charged('chat', { body, usage })).toEqual({ amount: 20_010n, flags: '', waived: 0n })
})

test('a complete response held only its estimate, and the part beyond the balance becomes a debt', async () => {
  const { bearer: poor, userId: id } = await harness.addCaller({ quota: 10_000n })
  upstream.respond = answering(inDialect.messages(180_000, 500))
  const body = { ...plain.messages, tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }
  expect((await harness.send({ path: '/v1/messages', bearer: poor, body })).status).toBe(200)
  await harness.quiet()
  expect(await harness.balance(id)).toMatchObject({ remaining: 0n, debt: 182_000n - 10_000n })
})

test('searches of Claude are charged their price in addition to the tokens of their results', async () => {
  const usage = { ...inDialect.messages(60_000, 500), server_tool_use: { web_search_requests: 5 } }
  const body = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
  const amount = 62_000n + 5n * 5_000n
  expect(await charged('messages', { body, usage })).toEqual({ amount, flags: '', waived: 0n })
})

test('explicitly cached content of Gemini is charged as cached input', async () => {
  const usage = { ...inDialect.generate(500_000, 100), cachedContentTokenCount: 499_000 }
  for (const body of [{ cachedContent: 'cachedContents/1' }, { cached_content: 'cachedContents/1' }]) {
    const amount = BigInt(1_000 + 499_000 / 4 + 400)
    expect(await charged('generate', { body, usage })).toEqual({ amount, flags: '', waived: 0n })
  }
})

test('a code interpreter container is charged once, by its memory, and is covered by the ceiling', async () => {
  const tools = [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }]
  const run = { type: 'code_interpreter_call', container_id: 'cntr_1', status: 'completed' }
  const more = { output: [run, run, { type: 'message', content: [] }], tools, text: 'hello' }
  const usage = inDialect.responses(100, 10)
  const amount = 140n + 4n * 15_000n
  expect(await charged('responses', { body: { tools }, usage, more })).toEqual({
    amount,
    flags: '',
    waived: 0n,
  })
})

test('a short question with thirty thousand tokens of search results is charged in full', async () => {
  const body = {
    messages: [{ role: 'user', content: 'word '.repeat(2_000) }],
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }],
  }
  const usage = { ...inDialect.messages(32_000, 500), server_tool_use: { web_search_requests: 1 } }
  expect(await charged('messages', { body, usage })).toEqual({
    amount: 32_000n + 2_000n + 5_000n,
    flags: '',
    waived: 0n,
  })
})

test('a reported usage above the ceiling is charged at the ceiling, and the warning names channel and model', async () => {
  harness.said.length = 0
  const { amount, flags, waived } = await charged('chat', {
    body: {},
    usage: inDialect.chat(100_000, 1_000),
  })
  const [row] = (await harness.logs()).slice(-1)
  const other: { receipt?: { ceiling?: string } } = JSON.parse(row?.other ?? '{}')
  expect(String(amount)).toBe(other.receipt?.ceiling)
  expect(flags).toBe('waived')
  expect((amount ?? 0n) + (waived ?? 0n)).toBe(104_000n)
  expect(other).toMatchObject({ flags: ['waived'], waived: Number(waived) })
  expect(row).toMatchObject({ model_name: GPT, channel_id: 3 })
  expect(harness.said).toContainEqual(
    expect.objectContaining({ level: 'warn', channelId: 3, model: GPT, waived }),
  )
})

test.each<[string, Body]>([
  ['negative', { prompt_tokens: -1, completion_tokens: 5 }],
  ['a fraction', { prompt_tokens: 1.5, completion_tokens: 5 }],
  ['no safe integer', { prompt_tokens: 2 ** 60, completion_tokens: 5 }],
  ['above the context', { prompt_tokens: 400_001, completion_tokens: 5 }],
])('a usage report that is %s is replaced by the local count, and marked', async (_name, usage) => {
  const { amount, flags, waived } = await charged('chat', { body: {}, usage })
  expect({ flags, waived }).toEqual({ flags: 'estimated', waived: 0n })
  expect(amount).toBeGreaterThanOrEqual(1n)
  expect(amount).toBeLessThan(100n)
})

test('a usage report that is more cached than read keeps its output, and is marked', async () => {
  const usage = { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 11 } }
  const { amount, flags, waived } = await charged('chat', { body: {}, usage })
  expect({ flags, waived }).toEqual({ flags: 'usage_mended', waived: 0n })
  // 5 x 4 for the output, and at most 21 for the input.
  expect(amount).toBeGreaterThanOrEqual(20n)
  expect(amount).toBeLessThanOrEqual(41n)
})

/** Two different searches, one of them listed twice, and a page found. */
const grounding = {
  webSearchQueries: ['gate', '', 'toll', 'gate'],
  groundingChunks: [{ web: { uri: 'https://a.test', title: 'a' } }],
}
const SEARCHED = { tools: [{ google_search: {} }] }
const found = { content: { role: 'model', parts: [{ text: 'hello' }] }, finishReason: 'STOP', index: 0 }
/** The answers name a later model than the one that was requested, because only those report each query. */
const OTHER = 'served_other'
/** 1,000 units a search, in addition to 100 for the input and 4 for each output token. */
const SEARCHES = JSON.stringify({ google_search: 2 })

test.each([
  ['each of its queries', 'gemini-3-pro', 2_000n],
  ['each answer with a search, for models of before', 'gemini-2.5-flash', 1_000n],
])('Google searches of a complete response are charged by %s', async (_name, modelVersion, paid) => {
  await harness.setOption('ToolPrices', SEARCHES)
  const more = { modelVersion, candidates: [{ ...found, groundingMetadata: grounding }] }
  const usage = inDialect.generate(100, 10)
  for (const tools of [SEARCHED, { tools: { googleSearch: {} } }]) {
    const { amount, flags } = await charged('generate', { body: tools, usage, more })
    expect({ amount, flags }).toEqual({ amount: 140n + paid, flags: modelVersion === GEMINI ? '' : OTHER })
  }
})

test('Google searches are charged when Gemini serves a chat request', async () => {
  await harness.setOption('ToolPrices', SEARCHES)
  const more = { modelVersion: 'gemini-3-pro', candidates: [{ ...found, groundingMetadata: grounding }] }
  const body = { model: GEMINI, web_search_options: {} }
  const { amount, flags } = await charged('chat', { body, usage: inDialect.generate(100, 10), more })
  expect({ amount, flags }).toEqual({ amount: 2_140n, flags: OTHER })
})

test.each(['generate', 'chat'] as const)(
  'the ceiling of a %s call covers ten Google searches, however expensive they are',
  async (dialect) => {
    // More than all input that fits into the model's context would cost.
    await harness.setOption('ToolPrices', JSON.stringify({ google_search: 4_000 }))
    const webSearchQueries = Array.from({ length: 10 }, (_, place) => `gate ${place}`)
    const more = {
      modelVersion: 'gemini-3-pro',
      candidates: [{ ...found, groundingMetadata: { webSearchQueries } }],
    }
    const asked = dialect === 'chat' ? { model: GEMINI, web_search_options: {} } : SEARCHED
    const { amount, flags } = await charged(dialect, {
      body: asked,
      usage: inDialect.generate(100, 10),
      more,
    })
    expect({ amount, flags }).toEqual({ amount: 20_000_140n, flags: OTHER })
  },
)

test('Google searches of a stream are charged, whichever of its events report them', async () => {
  await harness.setOption('ToolPrices', SEARCHES)
  const path = `/v1beta/models/${GEMINI}:streamGenerateContent?alt=sse`
  const reported = [{ webSearchQueries: ['gate'] }, undefined, grounding, undefined, undefined]
  upstream.respond = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [place, groundingMetadata] of reported.entries()) {
      const isLast = place === reported.length - 1
      const content = { role: 'model', parts: [{ text: `word${place} ` }] }
      const candidates = [
        {
          content,
          index: 0,
          ...(groundingMetadata && { groundingMetadata }),
          ...(isLast && { finishReason: 'STOP' }),
        },
      ]
      const usageMetadata = inDialect.generate(100, 2 * place + 2)
      response.write(
        `data: ${JSON.stringify({ candidates, usageMetadata, modelVersion: 'gemini-3-pro' })}\n\n`,
      )
    }
    response.end()
  }
  for (const caller of ['generate', 'chat'] as const) {
    const body =
      caller === 'generate'
        ? { ...plain.generate, ...SEARCHED }
        : { ...plain.chat, model: GEMINI, stream: true, web_search_options: {} }
    const answer = await harness.send({ path: caller === 'generate' ? path : paths.chat, bearer, body })
    expect(answer.text).toContain('word4')
    await harness.quiet()
    const entry = (await harness.entries()).at(-1)
    expect({ amount: entry?.amount, flags: entry?.flags }).toEqual({ amount: 2_140n, flags: OTHER })
  }
})

test('input read over many tool rounds is charged up to the context of the model, and the rest is waived', async () => {
  const body = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
  const usage = { input_tokens: 50, cache_read_input_tokens: 12_000_000, output_tokens: 10 }
  const { flags, amount, waived } = await charged('messages', { body, usage })
  expect(flags).toBe('waived')
  expect(amount).toBeGreaterThan(1_000_000n)
  expect((amount ?? 0n) + (waived ?? 0n)).toBe(3_000_090n)
})

test('a stream that reports a large input is cut when the balance does not cover it', async () => {
  const caller = await harness.addCaller({ quota: 10_000n })
  const path = `/v1beta/models/${GEMINI}:streamGenerateContent?alt=sse`
  upstream.respond = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let place = 0; place < 400 && !response.destroyed; place++) {
      const candidates = [{ content: { role: 'model', parts: [{ text: `word${place} ` }] }, index: 0 }]
      const usageMetadata = { promptTokenCount: 200_000, candidatesTokenCount: place + 1 }
      response.write(`data: ${JSON.stringify({ candidates, usageMetadata })}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    response.end()
  }
  const body = { ...plain.generate, tools: [{ google_search: {} }] }
  const answer = await harness.send({ path, bearer: caller.bearer, body })
  await harness.quiet()
  expect(answer.text).toContain('MAX_TOKENS')
  expect(answer.text).not.toContain('word399')
  const entry = (await harness.entries()).at(-1)
  expect(entry?.flags).toBe('cut')
  expect(entry?.amount).toBeGreaterThanOrEqual(200_000n)
  // With enough balance the hold grows, and the complete response arrives.
  const whole = await harness.send({ path, bearer, body })
  await harness.quiet()
  expect(whole.text).toContain('word399')
  expect((await harness.balance(userId))?.debt).toBe(0n)
})
