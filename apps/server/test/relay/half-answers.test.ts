import { connect } from 'node:net'
import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { halfWith, type StreamFault } from './half-answers.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/** Half an answer never ends as a whole one, for callers of every dialect and upstreams of every dialect. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

/** Models, each with a channel of one dialect; the one of Responses is OpenAI's own. */
const models = {
  'chat-half': { type: 42 },
  'messages-half': { type: 14 },
  'responses-half': { type: 1 },
  'gemini-half': { type: 24 },
} as const
type HalfModel = keyof typeof models
const names: readonly HalfModel[] = ['chat-half', 'messages-half', 'responses-half', 'gemini-half']

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  for (const name of names) await harness.addChannel(upstream.url, { ...models[name], models: name })
  await harness.setOption('ModelRatio', JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))))
  ;({ bearer } = await harness.addCaller())
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

const callers = {
  chat: { path: () => '/v1/chat/completions', body: { messages: [{ role: 'user', content: 'x' }] } },
  messages: {
    path: () => '/v1/messages',
    body: { max_tokens: 9, messages: [{ role: 'user', content: 'x' }] },
  },
  responses: { path: () => '/v1/responses', body: { input: 'x' } },
  gemini: {
    path: (model: string) => `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  },
  'gemini list': {
    path: (model: string) => `/v1beta/models/${model}:streamGenerateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  },
} as const
type HalfCaller = keyof typeof callers
const callerNames: readonly HalfCaller[] = ['chat', 'messages', 'responses', 'gemini', 'gemini list']

const cases = names.flatMap((model) =>
  callerNames.flatMap((caller) =>
    (['breaks', 'tells an error'] as const).map((fault) => ({ model, caller, fault })),
  ),
)

const END = /\[DONE\]|message_stop|response\.completed|"finish_reason":"|"finishReason"/

/** From now on the upstream answers by halves; the call returned says that its caller has seen one. */
function failHalfway(fault: StreamFault): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  upstream.respond = halfWith(fault, promise)
  return resolve
}

function ask(caller: HalfCaller, model: HalfModel, fault: StreamFault) {
  const noteSeen = failHalfway(fault)
  const { path, body } = callers[caller]
  const isGemini = caller.startsWith('gemini')
  return {
    path: path(model),
    body: isGemini ? body : { model, stream: true, ...body },
    onText: (text: string) => text.includes('half') && noteSeen(),
  }
}

test.each(cases)(
  'a $caller caller is told of the error when $model $fault, and the connection breaks',
  async ({ caller, model, fault }) => {
    const { text, isCutOff, status } = await harness.send({ bearer, ...ask(caller, model, fault) })
    expect(status).toBe(200)
    expect(text).toContain('half')
    expect(text).toMatch(/"error"|response\.failed/)
    expect(text).not.toMatch(END)
    expect(isCutOff).toBe(true)
  },
)

test.each(callerNames)(
  'a %s caller of HTTP/1.0, which knows no chunks, gets a reset instead of an end',
  async (caller) => {
    const { path, body, onText } = ask(caller, 'messages-half', 'breaks')
    const bytes = JSON.stringify(body)
    const { text, code } = await exchangeRaw(
      `POST ${path} HTTP/1.0\r\nhost: a\r\nauthorization: Bearer ${bearer}\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n\r\n${bytes}`,
      onText,
    )
    expect(text).toMatch(/"error"|response\.failed/)
    expect(code).toBe('ECONNRESET')
  },
)

describe('a stream of Responses', () => {
  test.each(['breaks', 'tells an error'] as const)(
    'that passes and %s fails with response.failed under the next number',
    async (fault) => {
      const { text } = await harness.send({ bearer, ...ask('responses', 'responses-half', fault) })
      const events = dataOf(text)
      expect(events.map(({ sequence_number: number }) => number)).toEqual([7, 8, 9, 10, 11])
      expect(events.at(-1)).toMatchObject({
        type: 'response.failed',
        response: {
          id: 'resp_1',
          status: 'failed',
          error: { message: expect.stringContaining('(request id: ') },
        },
      })
    },
  )

  test('that is converted counts on in the same way', async () => {
    const { text } = await harness.send({ bearer, ...ask('responses', 'messages-half', 'breaks') })
    const events = dataOf(text)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_event, index) => index))
    expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { status: 'failed' } })
  })

  test('that the vendor does not number is numbered by its events', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const events = [
        { type: 'response.created', response: { id: 'resp_2', output: [] } },
        { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'half' },
      ]
      const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.write(frames.join(''), () => response.destroy())
    }
    const { path, body } = callers.responses
    const asked = { model: 'responses-half', stream: true, ...body }
    const { text } = await harness.send({ bearer, path: path(), body: asked })
    expect(dataOf(text).at(-1)).toMatchObject({ type: 'response.failed', sequence_number: 2 })
  })
})

describe('the official client', () => {
  test.each(names)('of OpenAI raises its typed error for chat completions of %s', async (model) => {
    const noteSeen = failHalfway('tells an error')
    const client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
    const messages = [{ role: 'user' as const, content: 'x' }]
    const stream = await client.chat.completions.create({ model, messages, stream: true })
    const { text, failure } = await readToEnd(stream, noteSeen)
    expect(text).toContain('half')
    expect(failure).toBeInstanceOf(APIError)
    expect(failure).toMatchObject({
      message: expect.stringMatching(/Broken down.*request id: /),
      code: expect.any(String),
      requestID: expect.any(String),
    })
  })

  test.each(names)('of OpenAI shows the failed response of %s', async (model) => {
    const noteSeen = failHalfway('tells an error')
    const client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    const stream = await client.responses.create({ model, input: 'x', stream: true })
    const failure = await (async () => {
      for await (const event of stream) {
        events.push(event)
        if (event.type === 'response.output_text.delta') noteSeen()
      }
    })().catch((error: unknown) => error)
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { error: { code: expect.any(String), message: expect.stringContaining('Broken down') } },
    })
    expect(failure).toBeInstanceOf(Error)
  })

  test.each(names)('of Anthropic raises its typed error for %s', async (model) => {
    const noteSeen = failHalfway('tells an error')
    const client = new Anthropic({ apiKey: bearer, baseURL: harness.url, maxRetries: 0 })
    const stream = client.messages.stream({
      model,
      max_tokens: 9,
      messages: [{ role: 'user', content: 'x' }],
    })
    stream.on('text', noteSeen)
    const failure = await stream.finalMessage().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(AnthropicError)
    expect(failure).toMatchObject({
      message: expect.stringContaining('Broken down'),
      error: { type: 'error', error: { type: expect.any(String) }, request_id: expect.any(String) },
    })
  })

  test.each(names)('of Google raises its typed error for %s', async (model) => {
    const noteSeen = failHalfway('tells an error')
    const client = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: harness.url } })
    const stream = await client.models.generateContentStream({ model, contents: 'x' })
    const { text, failure } = await readToEnd(stream, noteSeen)
    expect(text).toContain('half')
    expect(failure).toMatchObject({ name: 'ApiError', message: expect.stringContaining('Broken down') })
  })
})

async function readToEnd(
  stream: AsyncIterable<unknown>,
  noteSeen: () => void,
): Promise<{ text: string; failure: unknown }> {
  let text = ''
  try {
    for await (const piece of stream) {
      text += JSON.stringify(piece)
      noteSeen()
    }
  } catch (failure) {
    return { text, failure }
  }
  return { text, failure: undefined }
}

function dataOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

function exchangeRaw(
  request: string,
  onText: (text: string) => void,
): Promise<{ text: string; code: string | undefined }> {
  return new Promise((resolve) => {
    let text = ''
    let code: string | undefined
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(harness.url).port) }, () =>
      socket.write(request),
    )
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
      onText(text)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code))
    socket.on('close', () => resolve({ text, code }))
  })
}
