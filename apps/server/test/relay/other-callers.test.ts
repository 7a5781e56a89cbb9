import { GoogleGenAI } from '@google/genai'
import OpenAI, { BadRequestError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { messageStreamWith, messageWith } from './messages-upstream.ts'
import { answerWith, openScriptedUpstream, streamWith, type ScriptedUpstream } from './upstream.ts'

/** Callers of Responses and of Gemini, with their official clients, against upstreams of other dialects. */

let harness: RelayHarness
let chat: ScriptedUpstream
let messages: ScriptedUpstream
let bearer: string
let openai: OpenAI
let google: GoogleGenAI

const CLAUDE = 'claude-haiku-4-5-20251001'

beforeAll(async () => {
  harness = await openRelayHarness()
  chat = await openScriptedUpstream()
  messages = await openScriptedUpstream()
  // Type 42 supports only chat completions; type 43 would support Messages too.
  await harness.addChannel(chat.url, { type: 42, models: 'gpt-4o' })
  await harness.addChannel(messages.url, { type: 14, models: CLAUDE })
  ;({ bearer } = await harness.addCaller())
  openai = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
  google = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: harness.url } })
})
afterAll(async () => {
  await harness.close()
  await chat.close()
  await messages.close()
})
beforeEach(() => {
  chat.respond = answerWith()
  messages.respond = messageWith()
})

describe('Responses', () => {
  test.each([{ model: 'gpt-4o' }, { model: CLAUDE }])(
    'a complete response of $model is converted to Responses',
    async ({ model }) => {
      const response = await openai.responses.create({ model, instructions: 'Be brief', input: 'hi' })
      expect(response.output_text).toBe('hello there')
      expect(response).toMatchObject({ object: 'response', status: 'completed', model })
      expect(response.usage?.output_tokens).toBe(5)
    },
  )

  test.each([{ model: 'gpt-4o' }, { model: CLAUDE }])(
    'a stream of $model is converted to Responses',
    async ({ model }) => {
      chat.respond = streamWith(['hel', 'lo'])
      messages.respond = messageStreamWith([{ type: 'text', text: 'hello' }])
      const stream = await openai.responses.create({ model, input: 'hi', stream: true })
      const types: string[] = []
      let text = ''
      for await (const event of stream) {
        types.push(event.type)
        if (event.type === 'response.output_text.delta') text += event.delta
      }
      expect(text).toBe('hello')
      expect(types[0]).toBe('response.created')
      expect(types.at(-1)).toBe('response.completed')
    },
  )

  test('members that need state at the upstream are refused', async () => {
    const failure = await openai.responses
      .create({ model: 'gpt-4o', input: 'hi', previous_response_id: 'resp_1' })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(BadRequestError)
  })

  test('a Responses request is forwarded unchanged where the upstream supports it', async () => {
    const native = await openScriptedUpstream()
    const own = await openRelayHarness()
    await own.addChannel(native.url, { models: 'gpt-4o' })
    const { bearer: key } = await own.addCaller()
    const frames = [
      {
        type: 'response.created',
        sequence_number: 0,
        response: { id: 'resp_1', status: 'in_progress', output: [] },
      },
      { type: 'response.web_search_call.searching', sequence_number: 1, output_index: 0, item_id: 'ws_1' },
      {
        type: 'response.completed',
        sequence_number: 2,
        response: {
          id: 'resp_1',
          status: 'completed',
          output: [
            { type: 'web_search_call', id: 'ws_1', status: 'completed' },
            {
              type: 'message',
              role: 'assistant',
              content: [{ type: 'output_text', text: 'hi', annotations: [] }],
            },
          ],
          usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
        },
      },
    ].map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`)
    native.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(frames.join(''))
    }
    const body = '{"model":"gpt-4o","input":"hi","stream":true,"x_new":1.0}'
    const { text } = await own.send({ path: '/v1/responses', bearer: key, body })
    expect(native.received.at(-1)).toMatchObject({ path: '/v1/responses', text: body })
    expect(text).toBe(frames.join(''))
    await own.quiet()
    expect(await own.entries()).toMatchObject([{ flags: '' }])
    await own.close()
    await native.close()
  })
})

describe('Gemini', () => {
  test.each([{ model: 'gpt-4o' }, { model: CLAUDE }])(
    'a complete response of $model is converted to Gemini',
    async ({ model }) => {
      const answer = await google.models.generateContent({ model, contents: 'hi' })
      expect(answer.text).toBe('hello there')
      expect(answer.candidates?.[0]?.finishReason).toBe('STOP')
      expect(answer.usageMetadata?.candidatesTokenCount).toBe(5)
    },
  )

  test.each([{ model: 'gpt-4o' }, { model: CLAUDE }])(
    'a stream of $model is converted to Gemini',
    async ({ model }) => {
      chat.respond = streamWith(['hel', 'lo'])
      messages.respond = messageStreamWith([{ type: 'text', text: 'hello' }])
      const stream = await google.models.generateContentStream({ model, contents: 'hi' })
      let text = ''
      for await (const chunk of stream) text += chunk.text ?? ''
      expect(text).toBe('hello')
    },
  )

  test('a stream without alt=sse is returned as one JSON list', async () => {
    chat.respond = streamWith(['hel', 'lo'])
    const { text, headers } = await harness.send({
      path: `/v1beta/models/gpt-4o:streamGenerateContent?key=${bearer}`,
      body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    })
    expect(headers['content-type']).toContain('application/json')
    const items: unknown = JSON.parse(text)
    expect(Array.isArray(items) && items.length).toBeGreaterThan(1)
  })

  test('token counts, model lists and errors have the format of Gemini', async () => {
    const { totalTokens = 0 } = await google.models.countTokens({ model: 'gpt-4o', contents: 'hi there' })
    expect(totalTokens).toBeGreaterThan(0)
    const { json } = await harness.send({ method: 'GET', path: `/v1beta/models?key=${bearer}` })
    expect(JSON.stringify(json)).toContain('models/gpt-4o')
    const { status, error } = await harness.send({
      path: '/v1beta/models/gpt-4o:generateContent',
      headers: { 'x-goog-api-key': 'nobody' },
      body: { contents: [{ parts: [{ text: 'hi' }] }] },
    })
    expect(status).toBe(401)
    expect(error).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' })
  })
})
