import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/**
 * Gemini signs its tool calls and requires the signatures back. Callers whose dialect has no place for them
 * get them stored by the gateway.
 */

let harness: RelayHarness
let google: ScriptedUpstream
let bearer: string
let answers = 0

const MODEL = 'gemini-3-pro-preview'
const PLACEHOLDER = 'skip_thought_signature_validator'
const PARAMETERS = { type: 'object' as const, properties: { city: { type: 'string' } } }

beforeAll(async () => {
  harness = await openRelayHarness()
  google = await openScriptedUpstream()
  await harness.addChannel(google.url, { type: 24, models: MODEL })
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1 }))
  ;({ bearer } = await harness.addCaller())
})
afterAll(async () => {
  await harness.close()
  await google.close()
})
beforeEach(() => {
  answers++
  google.respond = calling
})

/** Two parallel calls, of which the first is signed. */
const calling: Responder = (response, { path }) => {
  const parts = [
    { functionCall: { name: 'look', args: { city: 'Basel' } }, thoughtSignature: `signed-${answers}` },
    { functionCall: { name: 'look', args: { city: 'Bern' } } },
  ]
  const answer = {
    responseId: `r${answers}`,
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 9, totalTokenCount: 16 },
  }
  if (!path.includes('stream')) return sendJson(response, 200, answer)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(answer)}\n\n`)
}

/** The signatures that the upstream got with the calls of earlier turns. */
function signaturesSent(): readonly unknown[] {
  const { contents } = google.received.at(-1)?.body ?? {}
  const turns: readonly { parts: readonly Record<string, unknown>[] }[] = Array.isArray(contents)
    ? contents
    : []
  return turns
    .flatMap(({ parts }) => parts)
    .filter((part) => 'functionCall' in part)
    .map((part) => part['thoughtSignature'])
}

const messagesFor = (apiKey: string) =>
  new Anthropic({ apiKey, baseURL: harness.url, maxRetries: 0 }).messages
const openaiFor = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${harness.url}/v1`, maxRetries: 0 })
const responsesFor = (key: string) => openaiFor(key).responses
const chatFor = (key: string) => openaiFor(key).chat.completions

type Ask = (key: string, isStream: boolean) => Promise<(key: string) => Promise<unknown>>

/**
 * Makes the first request; returns a function that sends the tool results back with the same key or another
 * one.
 */
const callers: readonly { readonly name: string; readonly ask: Ask }[] = [
  {
    name: 'Messages',
    ask: async (apiKey, isStream) => {
      const tools = [{ name: 'look', input_schema: PARAMETERS }]
      const question: Anthropic.MessageParam = { role: 'user', content: 'Weather?' }
      const asked = { model: MODEL, max_tokens: 100, tools, messages: [question] }
      const message = isStream
        ? await messagesFor(apiKey).stream(asked).finalMessage()
        : await messagesFor(apiKey).create(asked)
      const results = message.content.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'sunny' }]
          : [],
      )
      const messages: Anthropic.MessageParam[] = [
        question,
        { role: 'assistant', content: message.content },
        { role: 'user', content: results },
      ]
      return (key) => messagesFor(key).create({ ...asked, messages })
    },
  },
  {
    name: 'Responses',
    ask: async (apiKey, isStream) => {
      const tools = [{ type: 'function' as const, name: 'look', parameters: PARAMETERS, strict: false }]
      const question: OpenAI.Responses.ResponseInputItem = { role: 'user', content: 'Weather?' }
      const asked = { model: MODEL, tools, input: [question] }
      const { output } = isStream
        ? await responsesFor(apiKey).stream(asked).finalResponse()
        : await responsesFor(apiKey).create(asked)
      const results = output.flatMap((item) =>
        item.type === 'function_call'
          ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: 'sunny' }]
          : [],
      )
      const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
      return (key) => responsesFor(key).create({ ...asked, input: [question, ...calls, ...results] })
    },
  },
  {
    name: 'chat, by a client that drops what it does not know',
    ask: async (apiKey, isStream) => {
      const tools = [{ type: 'function' as const, function: { name: 'look', parameters: PARAMETERS } }]
      const question = { role: 'user' as const, content: 'Weather?' }
      const asked = { model: MODEL, tools, messages: [question] }
      const { choices } = isStream
        ? await chatFor(apiKey).stream(asked).finalChatCompletion()
        : await chatFor(apiKey).create(asked)
      const calls = (choices[0]?.message.tool_calls ?? []).flatMap((call) =>
        call.type === 'function'
          ? [{ id: call.id, type: call.type, function: { name: 'look', arguments: call.function.arguments } }]
          : [],
      )
      const results = calls.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'sunny' }))
      const messages = [question, { role: 'assistant' as const, tool_calls: calls }, ...results]
      return (key) => chatFor(key).create({ ...asked, messages })
    },
  },
]

test('tool calls of responses without an id get different ids', async () => {
  google.respond = (response) => {
    const call = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'signed' }
    sendJson(response, 200, { candidates: [{ content: { parts: [call] }, finishReason: 'STOP' }] })
  }
  const asked = { model: MODEL, messages: [{ role: 'user' as const, content: 'hi' }] }
  const replies = [await chatFor(bearer).create(asked), await chatFor(bearer).create(asked)]
  const ids = replies.map(({ choices }) => choices[0]?.message.tool_calls?.[0]?.id)
  expect(ids).toEqual([expect.stringMatching(/^call_\w/), expect.stringMatching(/^call_\w/)])
  expect(new Set(ids).size).toBe(2)
})

describe.each(callers)('a caller of $name', ({ ask }) => {
  test.each([false, true])('the signatures are sent back with the calls (streamed: %s)', async (isStream) => {
    const answer = await ask(bearer, isStream)
    await answer(bearer)
    expect(signaturesSent()).toEqual([`signed-${answers}`, undefined])
    // A repeated request of the same turn, as agents make them.
    await answer(bearer)
    expect(signaturesSent()).toEqual([`signed-${answers}`, undefined])
  })

  test('the signatures are available to all tokens of the user, and to no other user', async () => {
    const { userId, bearer: key } = await harness.addCaller()
    const answer = await ask(key, false)
    const { bearer: second } = await harness.addToken(userId)
    await answer(second)
    expect(signaturesSent()).toEqual([`signed-${answers}`, undefined])
    await answer(bearer)
    expect(signaturesSent()).toEqual([PLACEHOLDER, undefined])
  })
})
