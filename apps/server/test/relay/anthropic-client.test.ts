import Anthropic, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  RateLimitError,
} from '@anthropic-ai/sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { messageStreamWith, messageWith, MESSAGE_USAGE } from './messages-upstream.ts'
import {
  answerWith,
  ChatStream,
  failWith,
  openScriptedUpstream,
  sendJson,
  streamWith,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

/** The official client with only its base URL changed, against upstreams of two dialects. */

let harness: RelayHarness
/** Supports chat completions only and serves `gpt-4o`. */
let chat: ScriptedUpstream
/** Supports Messages and serves `claude-haiku-4-5-20251001`. */
let native: ScriptedUpstream
let client: Anthropic
let bearer: string

const CLAUDE = 'claude-haiku-4-5-20251001'
const hi = [{ role: 'user' as const, content: 'hi' }]

beforeAll(async () => {
  harness = await openRelayHarness()
  chat = await openScriptedUpstream()
  native = await openScriptedUpstream()
  await harness.addChannel(chat.url, { models: 'gpt-4o' })
  await harness.addChannel(native.url, { type: 14, models: CLAUDE })
  ;({ bearer } = await harness.addCaller())
  client = clientWith(bearer)
})
afterAll(async () => {
  await harness.close()
  await chat.close()
  await native.close()
})
beforeEach(() => {
  chat.respond = answerWith()
  native.respond = messageWith()
})

function clientWith(apiKey: string): Anthropic {
  return new Anthropic({ apiKey, baseURL: harness.url, maxRetries: 0 })
}

function ask(model: string) {
  return { model, max_tokens: 100, messages: hi }
}

describe('an upstream of the same dialect', () => {
  test("the upstream gets the unchanged body with the channel's key and the caller's version and beta headers", async () => {
    const body =
      '{"model":"claude-haiku-4-5-20251001","max_tokens":1.0e2, "x_new":12345678901234567890,"messages":[{"role":"user","content":"hi"}]}'
    const { status } = await harness.send({
      path: '/v1/messages',
      headers: {
        'x-api-key': bearer,
        'anthropic-version': '2023-01-01',
        'anthropic-beta': 'context-1m-2025-08-07',
        'content-type': 'application/json',
      },
      body,
    })
    expect(status).toBe(200)
    const sent = native.received.at(-1)
    expect(sent?.text).toBe(body)
    expect(sent?.path).toBe('/v1/messages')
    expect(sent?.headers).toMatchObject({
      'x-api-key': 'upstream-key-1',
      'anthropic-version': '2023-01-01',
      'anthropic-beta': 'context-1m-2025-08-07',
    })
    expect(sent?.headers.authorization).toBeUndefined()
  })

  test('a complete response has the cache usage', async () => {
    const message = await client.messages.create(ask(CLAUDE))
    expect(message).toMatchObject({
      id: 'msg_1',
      content: [{ type: 'text', text: 'hello there' }],
      stop_reason: 'end_turn',
      usage: MESSAGE_USAGE,
    })
  })

  test('streamed thinking keeps its signature wherever the bytes are split', async () => {
    const blocks = [
      { type: 'thinking', thinking: 'Hm, 汉字 😀', signature: 'EqQB' },
      { type: 'text', text: 'hello there' },
    ]
    for (const sliceBytes of [1, 7, 64, 10_000]) {
      native.respond = messageStreamWith(blocks, { sliceBytes })
      const message = await client.messages.stream(ask(CLAUDE)).finalMessage()
      expect(message.content).toMatchObject(blocks)
      expect(message.usage.output_tokens).toBe(5)
    }
  })

  test('an upstream error in mid-stream reaches the client as a stream error', async () => {
    native.respond = messageStreamWith([{ type: 'text', text: 'hello there' }], { errorAfter: 4 })
    const failure = await failureOf(client.messages.stream(ask(CLAUDE)).finalMessage())
    expect(failure).toBeInstanceOf(APIError)
    expect(failure).toMatchObject({ error: { error: { type: 'overloaded_error' } } })
  })

  test('a broken upstream connection reaches the client as a stream error', async () => {
    native.respond = messageStreamWith([{ type: 'text', text: 'hello there' }], { breaksAfter: 4 })
    expect(await failureOf(client.messages.stream(ask(CLAUDE)).finalMessage())).toBeInstanceOf(APIError)
  })
})

const weather = {
  name: 'weather',
  description: 'The weather of a city',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
}

describe('an upstream of another dialect', () => {
  test('a complete response is converted', async () => {
    const message = await client.messages.create({
      ...ask('gpt-4o'),
      system: 'Be brief',
      stop_sequences: ['END'],
    })
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: 'gpt-4o',
      content: [{ type: 'text', text: 'hello there' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 10, output_tokens: 5 },
    })
    expect(chat.received.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        model: 'gpt-4o',
        max_tokens: 100,
        stop: 'END',
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'user', content: 'hi' },
        ],
      },
    })
  })

  test('a stream is converted', async () => {
    chat.respond = streamWith(['hel', 'lo'])
    const stream = client.messages.stream(ask('gpt-4o'))
    const texts: string[] = []
    stream.on('text', (text) => texts.push(text))
    const message = await stream.finalMessage()
    expect(texts).toEqual(['hel', 'lo'])
    expect(message).toMatchObject({ stop_reason: 'end_turn', usage: { input_tokens: 10, output_tokens: 5 } })
  })

  test('parallel tool calls are converted, and so are their results', async () => {
    chat.respond = callTwice
    const first = await client.messages.stream({ ...ask('gpt-4o'), tools: [weather] }).finalMessage()
    const calls = first.content.filter((block) => block.type === 'tool_use')
    expect(calls).toMatchObject([
      { id: 'call_a', name: 'weather', input: { city: 'Oslo' } },
      { id: 'call_b', name: 'weather', input: { city: 'Rome' } },
    ])
    expect(first.stop_reason).toBe('tool_use')

    chat.respond = answerWith({ content: 'Cold and warm' })
    const results = calls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: `of ${id}`,
    }))
    const second = await client.messages.create({
      ...ask('gpt-4o'),
      tools: [weather],
      messages: [...hi, { role: 'assistant', content: first.content }, { role: 'user', content: results }],
    })
    expect(second.content).toMatchObject([{ type: 'text', text: 'Cold and warm' }])
    expect(chat.received.at(-1)?.body['messages']).toMatchObject([
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'Let me look',
        tool_calls: [
          { id: 'call_a', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
          { id: 'call_b', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'of call_a' },
      { role: 'tool', tool_call_id: 'call_b', content: 'of call_b' },
    ])
  })

  test('a converted upstream error in mid-stream reaches the client as a stream error', async () => {
    chat.respond = (response) => {
      new ChatStream(response)
        .say('hel')
        .frame({ error: { message: 'lost', type: 'server_error' } })
        .done()
    }
    const failure = await failureOf(client.messages.stream(ask('gpt-4o')).finalMessage())
    expect(failure).toBeInstanceOf(APIError)
    expect(String(failure)).toContain('lost')
  })

  test("a request that the upstream's dialect cannot express is refused without calling it", async () => {
    const calls = chat.received.length
    const tools = [{ type: 'bash_20250124' as const, name: 'bash' as const }]
    const failure = await failureOf(client.messages.create({ ...ask('gpt-4o'), tools }))
    expect(failure).toBeInstanceOf(BadRequestError)
    expect(String(failure)).toContain('built-in tools')
    expect(chat.received).toHaveLength(calls)
  })
})

function piece(index: number, id: string | undefined, text: string) {
  const named = id === undefined ? {} : { id, type: 'function' }
  const body = { ...(id !== undefined && { name: 'weather' }), arguments: text }
  const delta = { tool_calls: [{ index, ...named, function: body }] }
  return { choices: [{ index: 0, delta, finish_reason: null }] }
}

/** A text, then two tool calls whose arguments are interleaved. */
const callTwice: Responder = (response) => {
  new ChatStream(response)
    .say('Let me look')
    .frame(piece(0, 'call_a', '{"city"'))
    .frame(piece(1, 'call_b', '{"city":'))
    .frame(piece(0, undefined, ':"Oslo"}'))
    .frame(piece(1, undefined, '"Rome"}'))
    .finish('tool_calls')
    .usage()
    .done()
}

describe('requests that the gateway answers itself', () => {
  test('tokens are counted without an upstream call and without a charge', async () => {
    const calls = chat.received.length
    const { input_tokens: few } = await client.messages.countTokens({ model: 'gpt-4o', messages: hi })
    const long = [
      { role: 'user' as const, content: 'A much longer text, with more words in it. '.repeat(20) },
    ]
    const { input_tokens: many } = await client.messages.countTokens({ model: 'gpt-4o', messages: long })
    expect(few).toBeGreaterThan(0)
    expect(many).toBeGreaterThan(few + 100)
    expect(chat.received).toHaveLength(calls)
  })

  test('the model list has the format of the client', async () => {
    const { data } = await client.models.list()
    expect(data.map(({ id }) => id).toSorted()).toEqual([CLAUDE, 'gpt-4o'])
    expect(await client.models.retrieve('gpt-4o')).toMatchObject({ type: 'model', id: 'gpt-4o' })
  })

  test('an unknown key gives the client’s AuthenticationError', async () => {
    const failure = await failureOf(clientWith('sk-nobody').messages.create(ask('gpt-4o')))
    expect(failure).toBeInstanceOf(AuthenticationError)
    expect(failure).toMatchObject({ error: { type: 'error', error: { type: 'authentication_error' } } })
  })

  test('an invalid body is refused', async () => {
    const bad = { ...ask('gpt-4o'), messages: [{ role: 'robot', content: 'hi' }] }
    const { status, text } = await harness.send({
      path: '/v1/messages',
      headers: { 'x-api-key': bearer },
      body: JSON.stringify(bad),
    })
    expect(status).toBe(400)
    expect(JSON.parse(text)).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } })
  })
})

describe('errors of upstreams are typed exceptions of the client', () => {
  test.each([
    { status: 400, type: BadRequestError },
    { status: 429, type: RateLimitError },
    { status: 500, type: InternalServerError },
  ])('status $status becomes the exception of the client', async ({ status, type }) => {
    chat.respond = failWith(status)
    native.respond = (response) =>
      sendJson(response, status, { type: 'error', error: { type: 'api_error', message: 'no' } })
    expect(await failureOf(client.messages.create(ask('gpt-4o')))).toBeInstanceOf(type)
    expect(await failureOf(client.messages.create(ask(CLAUDE)))).toBeInstanceOf(type)
  })
})

test('a client that aborts a stream gets its own error', async () => {
  chat.respond = (response) => {
    new ChatStream(response).say('hello')
    response.once('close', () => undefined)
  }
  const stream = client.messages.stream(ask('gpt-4o'))
  stream.on('text', () => stream.abort())
  expect(await failureOf(stream.finalMessage())).toBeInstanceOf(APIError)
  chat.respond = answerWith()
})

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}
