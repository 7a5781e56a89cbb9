import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type ReceivedRequest, type ScriptedUpstream } from './upstream.ts'

/** How far a gift of one dollar goes with the two usual coding agents at their default settings. */

const GIFT = 500_000n
const SONNET = 'claude-sonnet-4-5-20250929'
const HAIKU = 'claude-haiku-4-5-20251001'
const CODEX = 'gpt-5'
const DOUBAO = 'doubao-seed-1-6'
/** Turns of a task of typical length. */
const TURNS = 10

let harness: RelayHarness
let upstream: ScriptedUpstream
let caller: { userId: number; bearer: string }

beforeEach(async () => {
  upstream = await openScriptedUpstream((response, request) =>
    request.path.startsWith('/v1/messages')
      ? answerMessages(response, request)
      : answerResponses(response, request),
  )
  harness = await openRelayHarness()
  await harness.addChannel(upstream.url, { type: 14, models: `${SONNET},${HAIKU}` })
  await harness.addChannel(upstream.url, { models: CODEX })
  caller = await harness.addCaller({ quota: GIFT, isGift: true })
})
afterEach(async () => {
  const { debt } = (await harness.balance(caller.userId)) ?? {}
  const waived = (await harness.entries()).filter((entry) => entry.waived > 0n)
  const { findings } = await harness.ledger.audit()
  await harness.close()
  await upstream.close()
  expect({ debt, waived, findings }).toEqual({ debt: 0n, waived: [], findings: [] })
})

/** At about four characters a token: 12,000 tokens of instructions and 8,000 of tools. */
const INSTRUCTIONS = 'You are a coding agent that reads and edits files. '.repeat(960)
const tool = (name: string) => ({
  name,
  description: 'Does one thing with the files of this project. '.repeat(40),
  schema: { type: 'object', properties: { path: { type: 'string' } } },
})
const TOOLS = Array.from({ length: 16 }, (_, index) => tool(`tool_${index}`))
const FILE = 'export const answer = 42\n'.repeat(240)

test('the gift pays for a task of Claude Code, with a small parallel call in its first turns', async () => {
  const messages: object[] = [{ role: 'user', content: 'Find the bug and mend it.' }]
  for (let turn = 0; turn < TURNS; turn++) {
    const main = ask('/v1/messages?beta=true', {
      model: SONNET,
      max_tokens: 32_000,
      stream: true,
      thinking: { type: 'enabled', budget_tokens: 31_999 },
      system: [{ type: 'text', text: INSTRUCTIONS, cache_control: { type: 'ephemeral' } }],
      tools: TOOLS.map(({ schema, ...rest }) => ({ ...rest, input_schema: schema })),
      messages,
      metadata: { user_id: 'user_1_account__session_1' },
    })
    const beside = turn < 3 ? [ask('/v1/messages?beta=true', titleOf(turn))] : []
    expect(await Promise.all([main, ...beside])).toEqual([200, ...beside.map(() => 200)])
    messages.push(
      { role: 'assistant', content: [{ type: 'tool_use', id: `t${turn}`, name: 'tool_1', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: FILE }] },
    )
  }
  const mains = upstream.received.filter(({ body }) => body['model'] === SONNET)
  expect(mains).toHaveLength(TURNS)
  for (const { body } of mains) {
    expect(body['max_tokens']).toBeGreaterThanOrEqual(4_096)
    expect(body['thinking']).toMatchObject({ type: 'enabled' })
    expect(Reflect.get(Object(body['thinking']), 'budget_tokens')).toBeLessThan(Number(body['max_tokens']))
  }
  await printCost('Claude Code')
})

function titleOf(turn: number): object {
  const messages = [{ role: 'user', content: `Is this a new topic? Turn ${turn}` }]
  return { model: HAIKU, max_tokens: 32_000, stream: true, messages }
}

test('the gift pays for a task of Codex, which sets no output limit', async () => {
  const input: object[] = [{ role: 'user', content: [{ type: 'input_text', text: 'Mend the bug.' }] }]
  for (let turn = 0; turn < TURNS; turn++) {
    const status = await ask('/v1/responses', {
      model: CODEX,
      stream: true,
      store: false,
      instructions: INSTRUCTIONS,
      tools: TOOLS.map(({ schema, ...rest }) => ({ type: 'function', ...rest, parameters: schema })),
      tool_choice: 'auto',
      parallel_tool_calls: false,
      reasoning: { effort: 'medium', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      prompt_cache_key: 'session-1',
      input,
    })
    expect(status).toBe(200)
    input.push(
      { type: 'function_call', call_id: `c${turn}`, name: 'tool_1', arguments: '{}' },
      { type: 'function_call_output', call_id: `c${turn}`, output: FILE },
    )
  }
  expect(upstream.received).toHaveLength(TURNS)
  for (const { body } of upstream.received) expect(body['max_output_tokens']).toBeGreaterThan(20_000)
  await printCost('Codex')
})

const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 }
const fetching = { type: 'web_fetch_20250910', name: 'web_fetch' }
const own = { name: 'f', input_schema: { type: 'object' } }
const message = {
  model: SONNET,
  max_tokens: 8_000,
  stream: true,
  messages: [{ role: 'user', content: 'hi' }],
}
const response = { model: CODEX, stream: true, input: 'hi' }

test('server-side tools of a gift account are limited with the limits that the vendor offers', async () => {
  expect(await ask('/v1/messages', { ...message, tools: [own, search] })).toBe(200)
  expect(await ask('/v1/messages', { ...message, tools: [fetching] })).toBe(200)
  expect(await ask('/v1/messages', { ...message, tools: [{ ...search, max_uses: 1 }] })).toBe(200)
  const tools = [{ type: 'web_search' }]
  expect(await ask('/v1/responses', { ...response, tools })).toBe(200)
  expect(await ask('/v1/responses', { ...response, tools, max_tool_calls: 1 })).toBe(200)
  const sent = upstream.received.map(({ body }) => ({ tools: body['tools'], calls: body['max_tool_calls'] }))
  expect(sent).toEqual([
    { tools: [own, { ...search, max_uses: 2 }], calls: undefined },
    { tools: [{ ...fetching, max_uses: 2, max_content_tokens: 8_000 }], calls: undefined },
    { tools: [{ ...search, max_uses: 1 }], calls: undefined },
    { tools, calls: 2 },
    { tools, calls: 1 },
  ])
})

const contents = [{ parts: [{ text: 'hi' }] }]

test.each([
  ['/v1/messages', { ...message, tools: [{ type: 'code_execution_20250825', name: 'c' }] }],
  ['/v1/messages', { ...message, tools: [{ type: 'tool_of_tomorrow', name: 't' }] }],
  ['/v1/responses', { ...response, tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
  ['/v1/chat/completions', { ...message, web_search_options: {} }],
  [`/v1beta/models/${CODEX}:generateContent`, { contents, tools: [{ googleSearch: {} }] }],
])(
  'a tool at %s %j that the vendor cannot limit is refused to accounts that never paid',
  async (path, body) => {
    const answer = await harness.send({ bearer: caller.bearer, path, body })
    expect(answer.status).toBe(403)
    expect(JSON.stringify(answer.json)).toContain('only available to accounts that have paid')
    expect(upstream.received).toEqual([])
  },
)

test.each([
  [
    '/v1/messages',
    { ...message, tools: [search, { type: 'tool_of_tomorrow', name: 't' }] },
    [{ name: 'web_search' }],
  ],
  [
    '/v1/responses',
    { ...response, tools: [{ type: 'web_search' }, { type: 'crawl' }] },
    [{ type: 'web_search' }],
  ],
  ['/v1/messages', { ...message, tools: [{ type: 'browser_2027', name: 'b' }, own] }, [own]],
])('a tool at %s that nobody knows is taken out beside others, and named', async (path, body, kept) => {
  const answer = await harness.send({ bearer: caller.bearer, path, body })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.headers['x-tollgate-dropped']).toContain('tools')
  expect(upstream.received.at(-1)?.body['tools']).toMatchObject(kept)
})

test('a fee whose price nobody knows is refused to accounts that never paid', async () => {
  await harness.setOption('ToolPrices', '{}')
  await harness.setOption('ModelRatio', JSON.stringify({ [DOUBAO]: 1 }))
  await harness.addChannel(upstream.url, { type: 45, models: DOUBAO })
  const body = { ...response, model: DOUBAO, tools: [{ type: 'web_search' }] }
  const answer = await harness.send({ bearer: caller.bearer, path: '/v1/responses', body })
  expect({ status: answer.status, code: answer.error?.code }).toEqual({
    status: 403,
    code: 'fee_price_unknown',
  })
  expect(upstream.received).toEqual([])
  const { bearer } = await harness.addCaller({ quota: 20_000_000n })
  expect((await harness.send({ bearer, path: '/v1/responses', body })).status).toBe(200)
})

test('the results of a limited search are charged in full', async () => {
  const usage = { input_tokens: 60_000, output_tokens: 500, server_tool_use: { web_search_requests: 2 } }
  upstream.respond = (answer) =>
    sendJson(answer, 200, {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'found' }],
      stop_reason: 'end_turn',
      usage,
    })
  expect(await ask('/v1/messages', { ...message, stream: false, tools: [search] })).toBe(200)
  await harness.quiet()
  // 1.5 units an input token, five times as much for output, and 5,000 a search.
  expect((await harness.entries()).map(({ amount }) => amount)).toEqual([90_000n + 3_750n + 10_000n])
})

test('an account that has paid uses the same tools without limits', async () => {
  caller = await harness.addCaller({ quota: 20_000_000n })
  const tools = [{ type: 'code_execution_20250825', name: 'c' }, search]
  expect(await ask('/v1/messages', { ...message, tools })).toBe(200)
  expect(upstream.received.at(-1)?.body['tools']).toEqual(tools)
})

async function printCost(task: string): Promise<void> {
  await harness.quiet()
  const { used } = (await harness.balance(caller.userId)) ?? {}
  console.log(`a task of ${task} in ${TURNS} turns cost ${used} of ${GIFT} units`)
}

async function ask(path: string, body: object): Promise<number> {
  const { status } = await harness.send({ bearer: caller.bearer, path, body })
  return status
}

/** Usage as an upstream would report it: from the second turn on, 85 % of the input is cached. */
function figuresOf({ text }: ReceivedRequest) {
  const tokens = Math.ceil(text.length / 4)
  const isFirst = upstream.received.length === 1
  return { tokens, cached: isFirst ? 0 : Math.floor(tokens * 0.85), output: 900 }
}

function answerMessages(response: ServerResponse, request: ReceivedRequest): void {
  const { tokens, cached, output } = figuresOf(request)
  const usage = {
    input_tokens: 20,
    cache_creation_input_tokens: tokens - cached - 20,
    cache_read_input_tokens: cached,
    output_tokens: 1,
  }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage }
  const block = { type: 'text', text: '' }
  stream(response, [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It is line 7.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: output } },
    { type: 'message_stop' },
  ])
}

function answerResponses(response: ServerResponse, request: ReceivedRequest): void {
  const { tokens, cached, output } = figuresOf(request)
  const usage = {
    input_tokens: tokens,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 600 },
    total_tokens: tokens + output,
  }
  const common = { id: 'resp_1', object: 'response', model: 'm', output: [] }
  stream(response, [
    { type: 'response.created', response: { ...common, status: 'in_progress' } },
    { type: 'response.output_text.delta', item_id: 'i', delta: 'It is line 7.' },
    { type: 'response.completed', response: { ...common, status: 'completed', usage } },
  ])
}

type Event = Readonly<Record<string, unknown>> & { readonly type: string }

function stream(response: ServerResponse, events: readonly Event[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}
