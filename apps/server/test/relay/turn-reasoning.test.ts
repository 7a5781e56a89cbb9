import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/** A vendor that demands the reasoning of its turns back, and clients that do not send it. */

const MODELS = ['kimi-k2.5', 'deepseek-v4-pro'] as const
const FILLERS: Readonly<Record<string, string>> = {
  'kimi-k2.5': 'The reasoning of this turn was not kept.',
  'deepseek-v4-pro': '',
}

let harness: RelayHarness
let vendor: ScriptedUpstream
let answers = 0
let reasoning = 'short'

type Json = Readonly<Record<string, unknown>>
type Send = (path: string, body: object) => Promise<Response>

const ARGUMENTS = '{"city": "Basel", "days": [1, 2]}'

/** Thinks and calls, with an id that it uses in every conversation. */
const respond: Responder = (response, { body }) => {
  const text = `${reasoning} ${++answers}`
  const call = { id: 'functions.look:0', type: 'function', function: { name: 'look', arguments: ARGUMENTS } }
  const usage = { prompt_tokens: 3, completion_tokens: 2 }
  if (body['stream'] !== true) {
    const message = { role: 'assistant', content: null, reasoning_content: text, tool_calls: [call] }
    return sendJson(response, 200, {
      id: 'c',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage,
    })
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const deltas = [
    { role: 'assistant', reasoning_content: text.slice(0, 3) },
    { reasoning_content: text.slice(3) },
    { tool_calls: [{ index: 0, ...call, function: { name: 'look', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: ARGUMENTS } }] },
  ]
  for (const delta of deltas)
    response.write(
      `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
    )
  const last = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage }
  response.end(`data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`)
}

beforeAll(async () => {
  harness = await openHarness()
  vendor = await openScriptedUpstream(respond)
  await harness.addChannel(vendor.url, { type: 8, models: MODELS.join(',') })
})
afterAll(async () => {
  await harness.close()
  await vendor.close()
})
beforeEach(() => {
  reasoning = 'short'
})
const opened: RelayHarness[] = []
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close()
})

async function openHarness(): Promise<RelayHarness> {
  const one = await openRelayHarness()
  await one.setOption('ModelRatio', JSON.stringify(Object.fromEntries(MODELS.map((model) => [model, 1]))))
  return one
}

async function openCaller(at = harness, userId?: number): Promise<{ send: Send; userId: number }> {
  const caller = await at.addCaller()
  const bearer = userId === undefined ? caller.bearer : (await at.addToken(userId)).bearer
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
  return {
    userId: caller.userId,
    send: (path, body) => fetch(at.url + path, { method: 'POST', headers, body: JSON.stringify(body) }),
  }
}

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } }
const input = JSON.parse(ARGUMENTS)

interface CallerKind {
  readonly path: (model: string) => string
  readonly first: (model: string, isStream: boolean) => object
  /** Clients keep the call and drop the reasoning. */
  readonly second: (model: string, id: string) => object
}

const tools = [{ type: 'function', function: { name: 'look', parameters: PARAMETERS } }]
const claudeTools = [{ name: 'look', input_schema: PARAMETERS }]
const responseTools = [{ type: 'function', name: 'look', parameters: PARAMETERS }]
const kinds: Readonly<Record<string, CallerKind>> = {
  chat: {
    path: () => '/v1/chat/completions',
    first: (model, stream) => ({ model, stream, tools, messages: [{ role: 'user', content: 'x' }] }),
    second: (model, id) => ({
      model,
      tools,
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id, type: 'function', function: { name: 'look', arguments: JSON.stringify(input) } },
          ],
        },
        { role: 'tool', tool_call_id: id, content: 'r' },
      ],
    }),
  },
  messages: {
    path: () => '/v1/messages',
    first: (model, stream) => ({
      model,
      stream,
      max_tokens: 99,
      tools: claudeTools,
      messages: [{ role: 'user', content: 'x' }],
    }),
    second: (model, id) => ({
      model,
      max_tokens: 99,
      tools: claudeTools,
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'r' }] },
      ],
    }),
  },
  responses: {
    path: () => '/v1/responses',
    first: (model, stream) => ({ model, stream, tools: responseTools, input: 'x' }),
    second: (model, id) => ({
      model,
      tools: responseTools,
      input: [
        { role: 'user', content: 'x' },
        { type: 'function_call', call_id: id, name: 'look', arguments: ARGUMENTS },
        { type: 'function_call_output', call_id: id, output: 'r' },
      ],
    }),
  },
  generate: {
    path: (model) => `/v1beta/models/${model}:generateContent`,
    first: () => ({
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      tools: [{ functionDeclarations: [{ name: 'look', parameters: PARAMETERS }] }],
    }),
    second: (_model, id) => ({
      contents: [
        { role: 'user', parts: [{ text: 'x' }] },
        { role: 'model', parts: [{ functionCall: { id, name: 'look', args: input } }] },
        { role: 'user', parts: [{ functionResponse: { id, name: 'look', response: { result: 'r' } } }] },
      ],
    }),
  },
}

/** The reasoning that the vendor got with the turn of the call. */
function reasoningSent(): unknown {
  const { messages } = vendor.received.at(-1)?.body ?? {}
  const turns: readonly Json[] = Array.isArray(messages) ? messages : []
  return turns.find(({ role }) => role === 'assistant')?.['reasoning_content']
}

const ID = 'functions.look:0'
const cases = MODELS.flatMap((model) =>
  Object.entries(kinds).flatMap(([name, kind]) =>
    [false, true]
      .filter((isStream) => !(isStream && name === 'generate'))
      .map((isStream) => ({ model, name, kind, isStream })),
  ),
)

test.each(cases)(
  '$model gets its reasoning back from a $name caller (streamed: $isStream)',
  async ({ model, kind, isStream }) => {
    const { send } = await openCaller()
    const first = await send(kind.path(model), kind.first(model, isStream))
    expect(first.status).toBe(200)
    await first.text()
    const text = `short ${answers}`
    const second = await send(kind.path(model), kind.second(model, ID))
    expect(second.status, await second.text()).toBe(200)
    expect(reasoningSent()).toBe(text)
    expect(second.headers.get('x-tollgate-dropped') ?? '').not.toContain('reasoning_content')
  },
)

const { path, first, second } = kinds['chat'] ?? expect.fail('chat is a kind')

test.each(MODELS)('another token of the same user gets the filler of %s', async (model) => {
  const { send, userId } = await openCaller()
  expect((await send(path(model), first(model, false))).status).toBe(200)
  const { send: sendOther } = await openCaller(harness, userId)
  const answer = await sendOther(path(model), second(model, ID))
  expect(reasoningSent()).toBe(FILLERS[model])
  expect(answer.headers.get('x-tollgate-dropped')).toContain('reasoning_content')
})

test('reasoning above 64 KiB, or of a channel that keeps none, is filled in', async () => {
  const { send } = await openCaller()
  reasoning = 'long '.repeat(14_000)
  expect((await send(path('kimi-k2.5'), first('kimi-k2.5', false))).status).toBe(200)
  expect((await send(path('kimi-k2.5'), second('kimi-k2.5', ID))).status).toBe(200)
  expect(reasoningSent()).toBe(FILLERS['kimi-k2.5'])
  const quiet = await openHarness()
  opened.push(quiet)
  const setting = JSON.stringify({ keep_reasoning: false })
  await quiet.addChannel(vendor.url, { type: 8, models: MODELS.join(','), setting })
  reasoning = 'short'
  const { send: sendQuietly } = await openCaller(quiet)
  expect((await sendQuietly(path('kimi-k2.5'), first('kimi-k2.5', true))).status).toBe(200)
  expect((await sendQuietly(path('kimi-k2.5'), second('kimi-k2.5', ID))).status).toBe(200)
  expect(reasoningSent()).toBe(FILLERS['kimi-k2.5'])
})

test('what is kept is encrypted, and in no table and no log', async () => {
  const stored: string[] = []
  const shelf = new Map<string, string>()
  const spied = await openRelayHarness({
    ttlCache: () => ({
      put: (key, value) => void (stored.push(value), shelf.set(key, value)),
      remove: (key) => void shelf.delete(key),
      get: (key) => shelf.get(key),
      find: async (keys) =>
        new Map(keys.flatMap((key) => (shelf.has(key) ? [[key, shelf.get(key) ?? '']] : []))),
      clear: async () => 0,
      count: async () => shelf.size,
    }),
  })
  opened.push(spied)
  await spied.setOption('ModelRatio', JSON.stringify({ 'kimi-k2.5': 1 }))
  await spied.addChannel(vendor.url, { type: 8, models: 'kimi-k2.5' })
  reasoning = 'a secret thought'
  const { send } = await openCaller(spied)
  expect((await send(path('kimi-k2.5'), first('kimi-k2.5', false))).status).toBe(200)
  expect((await send(path('kimi-k2.5'), second('kimi-k2.5', ID))).status).toBe(200)
  expect(reasoningSent()).toContain('a secret thought')
  expect(stored.length).toBeGreaterThan(0)
  expect(stored.join('\n')).not.toContain('secret thought')
  await spied.settled()
  const rows = await spied.db.selectFrom('logs').selectAll().execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(({ other, content }) => `${other}${content}`).join('\n')).not.toContain('secret thought')
})
