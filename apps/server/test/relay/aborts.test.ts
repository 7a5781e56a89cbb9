import type { ServerResponse } from 'node:http'
import Anthropic from '@anthropic-ai/sdk'
import { createOpenAI } from '@ai-sdk/openai'
import { GoogleGenAI } from '@google/genai'
import { ManualClock } from '@tollgate/kit/clock'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { waitFor } from './send.ts'
import { ChatStream, openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/**
 * Official clients that abort a stream half-way, against upstreams of each dialect that would never end it.
 */

const WORDS = ['one ', 'two ', 'three ', 'four ']
const LAST = 'four'

let harness: RelayHarness
const clock = new ManualClock()
const upstreams: ScriptedUpstream[] = []
/**
 * `aborted`: callers that disconnected from the gateway. `left`: upstream connections that the gateway
 * closed.
 */
let aborted = 0
let left = 0

beforeAll(async () => {
  harness = await openRelayHarness({ clock })
  await harness.setOption('ModelRatio', JSON.stringify(Object.fromEntries(MODELS.map((name) => [name, 1]))))
  for (const { type, model, speak } of families) {
    const upstream = await openScriptedUpstream((response, { path }) => {
      response.on('close', () => void left++)
      if (path.endsWith('/chat/completions')) inChat(response)
      else speak(response)
    })
    upstreams.push(upstream)
    await harness.addChannel(upstream.url, { type, models: model })
  }
})
afterAll(async () => {
  await harness.close()
  await Promise.all(upstreams.map((upstream) => upstream.close()))
})

type Speak = (response: ServerResponse) => void

const inChat: Speak = (response) => {
  const stream = new ChatStream(response)
  for (const word of WORDS) stream.say(word)
}
const inMessages: Speak = (response) =>
  writeEvents(response, [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 10, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...WORDS.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  ])
const inResponses: Speak = (response) => {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
  const part = { type: 'output_text', text: '', annotations: [] }
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  const head = { id: 'resp_1', object: 'response', status: 'in_progress', output: [], model: 'm' }
  writeEvents(response, [
    { type: 'response.created', response: head },
    { type: 'response.output_item.added', output_index: 0, item: message },
    { type: 'response.content_part.added', ...place, part },
    ...WORDS.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
  ])
}
const inGemini: Speak = (response) => {
  const chunks = WORDS.map((text) => ({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\r\n\r\n`)
}

interface Event {
  readonly type: string
  readonly [member: string]: unknown
}

function writeEvents(response: ServerResponse, events: readonly Event[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  events.forEach((event, at) => {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: at })}\n\n`)
  })
}

/** Type 42 supports only chat completions; type 1 supports Responses too. */
const families = [
  { family: 'chat', type: 42, model: 'mistral-large-latest', speak: inChat },
  { family: 'Messages', type: 14, model: 'claude-haiku-4-5-20251001', speak: inMessages },
  { family: 'Responses', type: 1, model: 'gpt-4o', speak: inResponses },
  { family: 'Gemini', type: 24, model: 'gemini-2.5-flash', speak: inGemini },
] as const
const MODELS = families.map(({ model }) => model)

interface Asked {
  readonly model: string
  readonly key: string
  readonly abort: AbortController
}
/** Reads until the last word, then aborts. Each client ends an aborted stream in its own way. */
type Client = (asked: Asked) => Promise<void>

const prompt = 'count for me'
const messages = [{ role: 'user' as const, content: prompt }]

const clients: Record<string, Client> = {
  'openai chat': async ({ model, key, abort }) => {
    const client = new OpenAI({ apiKey: key, baseURL: `${harness.url}/v1`, maxRetries: 0 })
    const stream = await client.chat.completions.create(
      { model, messages, stream: true },
      { signal: abort.signal },
    )
    for await (const chunk of stream) leaveAt(chunk.choices[0]?.delta.content, abort)
  },
  'openai Responses': async ({ model, key, abort }) => {
    const client = new OpenAI({ apiKey: key, baseURL: `${harness.url}/v1`, maxRetries: 0 })
    const stream = await client.responses.create(
      { model, input: prompt, stream: true },
      { signal: abort.signal },
    )
    for await (const event of stream)
      if (event.type === 'response.output_text.delta') leaveAt(event.delta, abort)
  },
  '@anthropic-ai/sdk': async ({ model, key, abort }) => {
    const client = new Anthropic({ apiKey: key, baseURL: harness.url, maxRetries: 0 })
    const stream = await client.messages.create(
      { model, messages, max_tokens: 100, stream: true },
      { signal: abort.signal },
    )
    for await (const event of stream) {
      const isText = event.type === 'content_block_delta' && event.delta.type === 'text_delta'
      if (isText) leaveAt(JSON.stringify(event.delta), abort)
    }
  },
  '@google/genai': async ({ model, key, abort }) => {
    const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: harness.url } })
    const config = { abortSignal: abort.signal }
    const stream = await client.models.generateContentStream({ model, contents: prompt, config })
    for await (const chunk of stream) leaveAt(chunk.text, abort)
  },
  ai: async ({ model, key, abort }) => {
    const provider = createOpenAI({ baseURL: `${harness.url}/v1`, apiKey: key })
    const result = streamText({ model: provider.chat(model), prompt, abortSignal: abort.signal })
    for await (const text of result.textStream) leaveAt(text, abort)
  },
}

function leaveAt(text: string | null | undefined, abort: AbortController): void {
  if (text?.includes(LAST)) abort.abort()
}

const pairs = Object.keys(clients).flatMap((client) => families.map((family) => ({ client, ...family })))

test.each(pairs)(
  '$client against $family: an aborted stream is charged for what was sent, and the upstream connection is closed',
  async (pair) => {
    const { bearer: key, userId } = await harness.addCaller()
    const before = await harness.entries()
    const leftBefore = left
    const abort = new AbortController()
    await clients[pair.client]?.({ model: pair.model, key, abort }).catch(() => undefined)
    expect(abort.signal.aborted).toBe(true)
    await harness.noticed(++aborted)
    clock.advance(300_001)
    harness.relay.tick()
    await harness.quiet()
    await waitFor(() => left > leftBefore)
    const [entry, ...more] = (await harness.entries()).slice(before.length)
    expect(more).toEqual([])
    expect(entry?.flags.split(',').toSorted()).toEqual(['client_gone', 'partial'])
    // Four output tokens, and at least as many input tokens.
    expect(entry?.amount).toBeGreaterThanOrEqual(8n)
    expect(entry?.amount).toBeLessThan(60n)
    expect(await harness.balance(userId)).toMatchObject({ reserved: 0n, used: entry?.amount })
  },
)
