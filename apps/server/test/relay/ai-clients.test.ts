import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { LLMock } from '@copilotkit/aimock'
import { Mistral } from '@mistralai/mistralai'
import { SDKError } from '@mistralai/mistralai/models/errors'
import { APICallError, generateText, Output, stepCountIs, streamText, tool, type LanguageModel } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

/**
 * Third-party clients with only address and key changed, against a public mock server with the formats of
 * three vendors: every dialect of the client with every kind of upstream.
 */

let harness: RelayHarness
let mock: LLMock
let bearer: string

const MODELS = ['gpt-4o', 'claude-haiku-4-5-20251001', 'gemini-2.5-flash'] as const
const DIALECTS = ['chat', 'responses', 'messages', 'generate'] as const
const PAIRS = DIALECTS.flatMap((dialect) => MODELS.map((model) => ({ dialect, model })))
/**
 * The mock ends Gemini's tool calls with a finish reason that the vendor does not have, and the Google client
 * of `ai` then stops.
 */
const hasFaithfulCalls = ({ dialect, model }: (typeof PAIRS)[number]): boolean =>
  dialect !== 'generate' || model !== 'gemini-2.5-flash'
const OUTPUT = { maxOutputTokens: 500 }
const usage = { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 }
const SAID = 'Hello there, my old friend.'

beforeAll(async () => {
  mock = new LLMock({ port: 0 })
  mock.onMessage('hello', { content: SAID, usage })
  const call = { name: 'weather', arguments: '{"city":"Paris"}', id: 'call_weather1' }
  mock.on({ userMessage: 'weather', hasToolResult: false }, { toolCalls: [call], usage })
  mock.on({ userMessage: 'weather', hasToolResult: true }, { content: 'It is 21 degrees in Paris.', usage })
  mock.onMessage('person', { content: '{"name":"Ada","age":36}', usage })
  mock.onMessage('broken', {
    error: { message: 'no such thing', type: 'invalid_request_error' },
    status: 400,
  })
  await mock.start()
  harness = await openRelayHarness()
  await harness.addChannel(mock.url, { type: 1, models: MODELS[0] })
  await harness.addChannel(mock.url, { type: 14, models: MODELS[1] })
  await harness.addChannel(mock.url, { type: 24, models: MODELS[2] })
  ;({ bearer } = await harness.addCaller({ quota: 100_000_000n }))
})
afterAll(async () => {
  await harness.close()
  await mock.stop()
})

function modelOf({ dialect, model }: { dialect: (typeof DIALECTS)[number]; model: string }): LanguageModel {
  const baseURL = `${harness.url}/v1`
  if (dialect === 'chat') return createOpenAI({ baseURL, apiKey: bearer }).chat(model)
  if (dialect === 'responses') return createOpenAI({ baseURL, apiKey: bearer }).responses(model)
  if (dialect === 'messages') return createAnthropic({ baseURL, apiKey: bearer })(model)
  return createGoogle({ baseURL: `${harness.url}/v1beta`, apiKey: bearer })(model)
}

describe.each(PAIRS)('ai as $dialect with $model', (pair) => {
  test('the client reads a stream with usage and finish reason', async () => {
    const result = streamText({ ...OUTPUT, model: modelOf(pair), prompt: 'hello' })
    const pieces: string[] = []
    for await (const piece of result.textStream) pieces.push(piece)
    expect(pieces.join('')).toBe(SAID)
    expect(await result.finishReason).toBe('stop')
    expect(await result.usage).toMatchObject({ inputTokens: 12, outputTokens: 5 })
  })

  test.runIf(hasFaithfulCalls(pair)).each(['whole', 'streamed'])(
    'the client runs tools over several turns, %s',
    async (way) => {
      const cities: string[] = []
      const weather = tool({
        description: 'Tells the weather',
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => {
          cities.push(city)
          return { degrees: 21 }
        },
      })
      const options = {
        ...OUTPUT,
        model: modelOf(pair),
        prompt: 'weather in Paris?',
        tools: { weather },
        stopWhen: stepCountIs(3),
      }
      const { text, steps } = way === 'whole' ? await generateText(options) : streamText(options)
      expect(await text).toBe('It is 21 degrees in Paris.')
      expect(await steps).toHaveLength(2)
      expect(cities).toEqual(['Paris'])
    },
  )

  test('the client gets an object that matches a schema', async () => {
    const schema = z.object({ name: z.string(), age: z.number() })
    const { output } = await generateText({
      ...OUTPUT,
      model: modelOf(pair),
      prompt: 'a person',
      output: Output.object({ schema }),
    })
    expect(output).toEqual({ name: 'Ada', age: 36 })
  })

  test('the client throws its own error with the message of the upstream', async () => {
    const failing = generateText({ ...OUTPUT, model: modelOf(pair), prompt: 'broken', maxRetries: 0 })
    const error: unknown = await failing.catch((thrown: unknown) => thrown)
    expect(APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ statusCode: 400, message: expect.stringContaining('no such thing') })
  })
})

const mistral = () => new Mistral({ apiKey: bearer, serverURL: harness.url })

describe('@mistralai/mistralai', () => {
  const messages = [{ role: 'user' as const, content: 'hello' }]

  test.each(MODELS)('the client reads complete and streamed responses of %s', async (model) => {
    const answer = await mistral().chat.complete({ model, messages })
    expect(answer.choices[0]?.message?.content).toBe(SAID)
    expect(answer.usage).toMatchObject({ promptTokens: 12, completionTokens: 5 })
    let text = ''
    for await (const { data } of await mistral().chat.stream({ model, messages })) {
      const piece = data.choices[0]?.delta.content
      if (typeof piece === 'string') text += piece
    }
    expect(text).toBe(SAID)
  })

  test('the client throws its own error', async () => {
    const wrong = new Mistral({ apiKey: 'sk-nobody', serverURL: harness.url })
    const error: unknown = await wrong.chat
      .complete({ model: 'gpt-4o', messages })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SDKError)
    expect(error).toMatchObject({ statusCode: 401 })
  })
})
