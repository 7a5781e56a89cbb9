import { chargeUnits } from '@tollgate/billing/charge'
import { usedOf } from '@tollgate/billing/buckets'
import { priceFromJson, usageFromJson } from '@tollgate/billing/recompute'
import { noUsage } from '@tollgate/dialects/usage'
import OpenAI, { BadRequestError, RateLimitError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { messageStreamWith, messageWith } from './messages-upstream.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** The official client of one dialect against an upstream of another. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let client: OpenAI

const CLAUDE = 'claude-haiku-4-5-20251001'
const THINKER = 'claude-3-7-sonnet-20250219'
const messages = [{ role: 'user' as const, content: 'hi' }]
const tools = [
  {
    type: 'function' as const,
    function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  },
]

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url, { type: 14, models: CLAUDE })
  const { bearer } = await harness.addCaller()
  client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.respond = messageWith()
})

test('a complete response is converted', async () => {
  const answer = await client.chat.completions.create({ model: CLAUDE, messages })
  expect(answer).toMatchObject({
    id: 'msg_1',
    object: 'chat.completion',
    model: CLAUDE,
    choices: [{ index: 0, message: { content: 'hello there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 60, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 30 } },
  })
  expect(upstream.received.at(-1)).toMatchObject({
    path: '/v1/messages',
    headers: { 'x-api-key': 'upstream-key-1', 'anthropic-version': '2023-06-01' },
    body: { model: CLAUDE, max_tokens: 8192, messages: [{ role: 'user', content: 'hi' }] },
  })
})

test('a stream is converted wherever its bytes are split, with usage when requested', async () => {
  const blocks = [
    { type: 'thinking', thinking: 'Hm, 汉字', signature: 'EqQB' },
    { type: 'text', text: 'hello there 😀' },
  ]
  for (const sliceBytes of [1, 13, 10_000]) {
    upstream.respond = messageStreamWith(blocks, { sliceBytes })
    const stream = await client.chat.completions.create({
      model: CLAUDE,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let reasoning = ''
    let usage: unknown
    let finish: unknown
    for await (const chunk of stream) {
      const delta: object = chunk.choices[0]?.delta ?? {}
      text += 'content' in delta && typeof delta.content === 'string' ? delta.content : ''
      reasoning += 'reasoning_content' in delta ? String(delta.reasoning_content) : ''
      usage = chunk.usage ?? usage
      finish = chunk.choices[0]?.finish_reason ?? finish
    }
    expect({ text, reasoning, finish }).toEqual({
      text: 'hello there 😀',
      reasoning: 'Hm, 汉字',
      finish: 'stop',
    })
    expect(usage).toMatchObject({ prompt_tokens: 60, completion_tokens: 5 })
  }
})

test('tools work over several turns, and the signed thinking stays with its call', async () => {
  const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }
  const thought = { type: 'thinking', thinking: 'I must look', signature: 'EqQB' }
  upstream.respond = messageWith([thought, call], 'tool_use')
  const asked = { model: CLAUDE, tools, reasoning_effort: 'high' as const }
  const first = await client.chat.completions.create({ ...asked, messages })
  const [choice] = first.choices
  expect(choice).toMatchObject({
    finish_reason: 'tool_calls',
    message: { tool_calls: [{ id: 'toolu_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] },
  })
  upstream.respond = messageWith()
  await client.chat.completions.create({
    ...asked,
    messages: [
      ...messages,
      ...(choice ? [choice.message] : []),
      { role: 'tool', tool_call_id: 'toolu_1', content: 'Cold' },
    ],
  })
  expect(upstream.received.at(-1)?.body).toMatchObject({
    thinking: { type: 'enabled' },
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [thought, call] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Cold' }] },
    ],
  })
})

test("the operator's settings for Claude are applied", async () => {
  const own = await openRelayHarness()
  await own.addChannel(upstream.url, { type: 14, models: `${CLAUDE},${THINKER}-thinking` })
  const { bearer } = await own.addCaller()
  await own.setOption('claude.default_max_tokens', JSON.stringify({ default: 5000, [CLAUDE]: 3000 }))
  await own.setOption('claude.thinking_adapter_budget_tokens_percentage', '0.5')
  await own.setOption(
    'claude.model_headers_settings',
    JSON.stringify({ [CLAUDE]: { 'anthropic-beta': ['a', 'b'] } }),
  )
  await own.send({ bearer, body: { model: CLAUDE, messages } })
  expect(upstream.received.at(-1)).toMatchObject({
    headers: { 'anthropic-beta': 'a,b' },
    body: { max_tokens: 3000 },
  })
  const thinking = await own.send({
    path: '/v1/messages',
    bearer,
    body: { model: `${THINKER}-thinking`, messages },
  })
  expect(thinking.text).toContain('hello there')
  expect(upstream.received.at(-1)?.body).toMatchObject({
    model: THINKER,
    max_tokens: 5000,
    thinking: { type: 'enabled', budget_tokens: 2500 },
  })
  await own.close()
})

test('streamed tool calls reassemble to the same arguments', async () => {
  const input = { city: 'Oslo "north"', days: [1, 2, 3], note: '汉字' }
  upstream.respond = messageStreamWith(
    [
      { type: 'text', text: 'Let me look' },
      { type: 'tool_use', id: 'toolu_1', name: 'weather', input },
      { type: 'tool_use', id: 'toolu_2', name: 'weather', input: { city: 'Rome' } },
    ],
    { stop: 'tool_use' },
  )
  const stream = client.chat.completions.stream({ model: CLAUDE, messages, tools })
  const { message, finish_reason: finish } = (await stream.finalChatCompletion()).choices[0] ?? {}
  expect(finish).toBe('tool_calls')
  const calls = message?.tool_calls ?? []
  const written = calls.map((each) => (each.type === 'function' ? each.function.arguments : ''))
  expect(written.map((text): unknown => JSON.parse(text))).toEqual([input, { city: 'Rome' }])
  expect(message?.content).toBe('Let me look')
})

describe('errors', () => {
  test('errors of the upstream become typed exceptions of the client', async () => {
    upstream.respond = (response) =>
      sendJson(response, 429, { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } })
    const failure = await failureOf(client.chat.completions.create({ model: CLAUDE, messages }))
    expect(failure).toBeInstanceOf(RateLimitError)
  })

  test('an upstream error in mid-stream ends the stream with an error of the client', async () => {
    upstream.respond = messageStreamWith([{ type: 'text', text: 'hello there' }], { errorAfter: 4 })
    const stream = client.chat.completions.stream({ model: CLAUDE, messages })
    expect(await failureOf(stream.finalChatCompletion())).toBeInstanceOf(Error)
  })

  test.each([{ n: 2 }, { logprobs: true }, { presence_penalty: 1 }])(
    'members that Messages cannot express are refused: %j',
    async (wish) => {
      const calls = upstream.received.length
      const failure = await failureOf(client.chat.completions.create({ model: CLAUDE, messages, ...wish }))
      expect(failure).toBeInstanceOf(BadRequestError)
      expect(failure).toMatchObject({ code: 'not_expressible' })
      expect(upstream.received).toHaveLength(calls)
    },
  )
})

/** The reported usage in the ledger's categories. */
const USED = { inputText: 10, cacheRead: 30, cacheWrite5m: 15, cacheWrite1h: 5, outputText: 5 }

test('ledger and balance agree with the usage, in both dialects, streamed or not', async () => {
  const own = await openRelayHarness()
  await own.addChannel(upstream.url, { type: 14, models: CLAUDE })
  const { bearer, userId } = await own.addCaller()
  const before = await own.balance(userId)
  const body = { model: CLAUDE, max_tokens: 100, messages }
  for (const path of ['/v1/messages', '/v1/chat/completions']) {
    for (const stream of [false, true]) {
      upstream.respond = stream ? messageStreamWith([{ type: 'text', text: 'hi' }]) : messageWith()
      const { status } = await own.send({ path, bearer, body: { ...body, stream } })
      expect(status).toBe(200)
    }
  }
  await own.quiet()
  const entries = await own.entries()
  expect(entries).toHaveLength(4)
  for (const { usage_json: usage, price_json: price, amount } of entries) {
    expect(usedOf(usageFromJson(usage ?? ''))).toEqual(USED)
    expect(amount).toBe(chargeUnits(priceFromJson(price ?? ''), { ...noUsage, ...USED }))
  }
  const after = await own.balance(userId)
  const spent = entries.reduce((sum, { amount }) => sum + amount, 0n)
  expect((before?.remaining ?? 0n) - (after?.remaining ?? 0n)).toBe(spent)
  expect(await own.openHolds()).toBe(0)
  await own.close()
})

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}
