import OpenAI, {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import {
  answerWith,
  ChatStream,
  failWith,
  openScriptedUpstream,
  sendJson,
  streamWith,
  USAGE,
  type ScriptedUpstream,
} from './upstream.ts'

/** The official client with only its base URL changed. */

const messages = [{ role: 'user' as const, content: 'hi' }]

let harness: RelayHarness
let upstream: ScriptedUpstream
let client: OpenAI
let bearer: string

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.addChannel(upstream.url)
  ;({ bearer } = await harness.addCaller())
  client = clientWith(bearer)
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.respond = answerWith()
})

function clientWith(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${harness.url}/v1`, maxRetries: 0 })
}

test('chat works', async () => {
  const { data, request_id: id } = await client.chat.completions
    .create({ model: 'gpt-4o', messages })
    .withResponse()
  expect(data.choices[0]?.message.content).toBe('hello there')
  expect(data.usage).toMatchObject(USAGE)
  expect(id).toMatch(/^\d{17}\w{8}$/)
})

test('a streamed chat has usage when requested', async () => {
  upstream.respond = streamWith(['hel', 'lo'])
  const stream = await client.chat.completions.create({
    model: 'gpt-4o',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  let usage: unknown
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  expect(text).toBe('hello')
  expect(usage).toMatchObject(USAGE)
})

const weather = {
  type: 'function' as const,
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}

/** Part of a tool call in a stream. */
const piece = (delta: object) => ({
  choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...delta }] } }],
})

test('tool calls work, streamed or not', async () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  upstream.respond = (response) =>
    sendJson(response, 200, {
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, tool_calls: [call] },
          finish_reason: 'tool_calls',
        },
      ],
      usage: USAGE,
    })
  const answer = await client.chat.completions.create({ model: 'gpt-4o', messages, tools: [weather] })
  expect(answer.choices[0]?.message.tool_calls).toEqual([call])
  expect(upstream.received.at(-1)?.body['tools']).toEqual([weather])

  upstream.respond = (response) => {
    new ChatStream(response)
      .frame({ choices: [{ index: 0, delta: { role: 'assistant', content: null } }] })
      .frame(piece({ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }))
      .frame(piece({ function: { arguments: '{"city":' } }))
      .frame(piece({ function: { arguments: '"Oslo"}' } }))
      .finish('tool_calls')
      .usage()
      .done()
  }
  const stream = client.chat.completions.stream({ model: 'gpt-4o', messages, tools: [weather] })
  const streamed = await stream.finalChatCompletion()
  expect(streamed.choices[0]?.message.tool_calls?.[0]).toMatchObject({
    function: { name: 'weather', arguments: '{"city":"Oslo"}' },
  })
  await harness.quiet()
  expect((await harness.entries()).at(-1)).toMatchObject({ amount: 38n, flags: '' })
})

test('embeddings work as numbers and in base64', async () => {
  upstream.respond = (response, { body }) => {
    const vector = body['encoding_format'] === 'base64' ? 'AACAPwAAAEA=' : [1, 2]
    sendJson(response, 200, {
      object: 'list',
      model: 'm',
      data: [{ object: 'embedding', index: 0, embedding: vector }],
      usage: { prompt_tokens: 2, total_tokens: 2 },
    })
  }
  const ask = { model: 'text-embedding-3-small', input: ['hello'] }
  expect((await client.embeddings.create(ask)).data[0]?.embedding).toEqual([1, 2])
  const asNumbers = await client.embeddings.create({ ...ask, encoding_format: 'float' })
  expect(asNumbers.data[0]?.embedding).toEqual([1, 2])
})

test('the model list and moderations work', async () => {
  const names: string[] = []
  for await (const model of client.models.list()) names.push(model.id)
  expect(names).toEqual(['gpt-4o', 'text-embedding-3-small', 'text-moderation-stable'])
  expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' })
  upstream.respond = (response) =>
    sendJson(response, 200, { id: 'm', model: 'm', results: [{ flagged: true }] })
  expect((await client.moderations.create({ input: 'x' })).results[0]?.flagged).toBe(true)
})

const chat = (with_ = client, model = 'gpt-4o') => with_.chat.completions.create({ model, messages })

test('errors become the exceptions of the client, with code and request id', async () => {
  await expect(chat(clientWith('sk-unknown'))).rejects.toThrow(AuthenticationError)
  await expect(client.models.retrieve('nope')).rejects.toThrow(NotFoundError)
  await expect(client.chat.completions.create({ model: 'gpt-4o', messages: [] })).rejects.toThrow(
    BadRequestError,
  )
  await expect(chat(client, 'nope')).rejects.toThrow(InternalServerError)
  const poor = await harness.addCaller({ quota: 1n })
  await expect(chat(clientWith(poor.bearer))).rejects.toThrow(PermissionDeniedError)
  upstream.respond = failWith(429)
  await expect(chat()).rejects.toThrow(RateLimitError)
  upstream.respond = failWith(400, {
    message: 'too long',
    type: 'invalid_request_error',
    code: 'context_length_exceeded',
  })
  const error: unknown = await chat().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(BadRequestError)
  expect(error).toMatchObject({ code: 'context_length_exceeded', type: 'invalid_request_error', status: 400 })
  expect(error).toHaveProperty('requestID')
})

test('an error in mid-stream is thrown instead of ending the stream normally', async () => {
  upstream.respond = async (response) => {
    const stream = new ChatStream(response).say('hello')
    await new Promise((resolve) => setTimeout(resolve, 10))
    stream.break()
  }
  const stream = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })
  const read = async (): Promise<string> => {
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    return text
  }
  await expect(read()).rejects.toThrow('ended the stream too early')
})
