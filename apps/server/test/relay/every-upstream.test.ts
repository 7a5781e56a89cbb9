import { readFileSync } from 'node:fs'
import Anthropic, { RateLimitError as MessagesRateLimitError } from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI, { RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRelayBench, type RelayBench } from './bench.ts'
import { openScriptedUpstream, sendJson, type ReceivedRequest, type ScriptedUpstream } from './upstream.ts'

/** The official clients of all four dialects before upstreams of every kind, which answer in bytes of their vendors. */

const FIXTURES = new URL('../../../../packages/providers/fixtures/', import.meta.url)
const TEXT = 'Rivers bring salt to the sea.'
const QUESTION = 'Why is the sea salty?'

const upstreams = [
  { id: 'openai', type: 1, key: 'sk-1', way: 'responses', model: 'gpt-x', onlyFor: ['responses'] },
  { id: 'gemini', type: 24, key: 'AIza-1', way: 'generate', model: 'gemini-2.5-flash' },
  {
    id: 'bedrock',
    type: 33,
    key: 'AKID|secret|us-east-1',
    way: 'messages',
    model: 'claude-sonnet-4-5-20250929',
  },
  { id: 'cohere', type: 34, key: 'co-1', way: 'own', model: 'command-r' },
  { id: 'dify', type: 37, key: 'app-1', way: 'own', model: 'my-app' },
  { id: 'hunyuan', type: 23, key: '1|AKID|secret', way: 'own', model: 'hunyuan-lite' },
  { id: 'baidu', type: 15, key: 'ak|sk', way: 'own', model: 'ERNIE-4.0-8K' },
] as const satisfies readonly Upstream[]

interface Upstream {
  readonly id: string
  readonly type: number
  readonly key: string
  readonly way: string
  readonly model: string
  /** Where another way of the same provider is preferred. */
  readonly onlyFor?: readonly string[]
}

let bench: RelayBench
let upstream: ScriptedUpstream
let clients: Clients
let exchanges = 0

beforeAll(async () => {
  bench = await openRelayBench({
    exchange: async () => {
      exchanges++
      const body = Buffer.from('{"access_token":"24.token","expires_in":2592000}')
      return { status: 200, headers: {}, body }
    },
  })
  upstream = await openScriptedUpstream((response, request) => replay(response, request))
  for (const { type, key, model } of upstreams) {
    await bench.addChannel(upstream.url, { type, key, models: model })
    await bench.setOption(
      'ModelRatio',
      JSON.stringify(Object.fromEntries(upstreams.map((each) => [each.model, 1]))),
    )
  }
  clients = openClients((await bench.addCaller({ quota: 1_000_000_000n })).bearer)
})
afterAll(async () => {
  await bench.close()
  await upstream.close()
})

/** Whose bytes are sent is told by the model or, where a body names none, by the address. */
let speaking: Upstream = upstreams[0]

function replay(response: Parameters<ScriptedUpstream['respond']>[0], request: ReceivedRequest): void {
  const isStream =
    /stream/i.test(request.path) ||
    request.body['stream'] === true ||
    request.body['Stream'] === true ||
    request.body['response_mode'] === 'streaming'
  if (!isStream)
    return sendJson(
      response,
      200,
      JSON.parse(readFileSync(new URL(`${speaking.id}/${speaking.way}.json`, FIXTURES), 'utf8')),
    )
  const isBinary = speaking.id === 'bedrock'
  response.writeHead(200, {
    'content-type': isBinary ? 'application/vnd.amazon.eventstream' : 'text/event-stream',
  })
  response.end(
    isBinary
      ? Buffer.from(
          readFileSync(new URL('bedrock/messages.hex', FIXTURES), 'utf8').replaceAll(/\s/g, ''),
          'hex',
        )
      : readFileSync(new URL(`${speaking.id}/${speaking.way}.sse`, FIXTURES)),
  )
}

interface Clients {
  readonly chat: Caller
  readonly messages: Caller
  readonly responses: Caller
  readonly content: Caller
}

interface Caller {
  readonly whole: (model: string) => Promise<string | null | undefined>
  readonly stream: (model: string) => Promise<string>
}

function openClients(bearer: string): Clients {
  const openai = new OpenAI({ apiKey: bearer, baseURL: `${bench.url}/v1`, maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey: bearer, baseURL: bench.url, maxRetries: 0 })
  const google = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: bench.url } })
  const messages = [{ role: 'user' as const, content: QUESTION }]
  return {
    chat: {
      whole: async (model) =>
        (await openai.chat.completions.create({ model, messages })).choices[0]?.message.content,
      stream: async (model) => {
        const stream = openai.chat.completions.stream({
          model,
          messages,
          stream_options: { include_usage: true },
        })
        expect((await stream.totalUsage()).completion_tokens).toBeGreaterThan(0)
        return (await stream.finalContent()) ?? ''
      },
    },
    messages: {
      whole: async (model) =>
        textIn((await anthropic.messages.create({ model, messages, max_tokens: 100 })).content),
      stream: async (model) =>
        textIn(
          (await anthropic.messages.stream({ model, messages, max_tokens: 100 }).finalMessage()).content,
        ),
    },
    responses: {
      whole: async (model) => (await openai.responses.create({ model, input: QUESTION })).output_text,
      stream: async (model) =>
        (await openai.responses.stream({ model, input: QUESTION }).finalResponse()).output_text,
    },
    content: {
      whole: async (model) => (await google.models.generateContent({ model, contents: QUESTION })).text,
      stream: async (model) => {
        let text = ''
        for await (const fragment of await google.models.generateContentStream({ model, contents: QUESTION }))
          text += fragment.text ?? ''
        return text
      },
    },
  }
}

function textIn(content: Anthropic.Message['content']): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('')
}

const pairs = upstreams.flatMap((each: Upstream) =>
  (['chat', 'messages', 'responses', 'content'] as const)
    .filter((caller) => each.onlyFor?.includes(caller) ?? true)
    .map((caller) => ({ caller, id: each.id, each })),
)

describe.each(pairs)('a caller of $caller over $id', ({ caller, each }) => {
  test('gets a whole answer and a stream, and each is paid once', async () => {
    speaking = each
    const before = (await bench.entries()).length
    expect(await clients[caller].whole(each.model)).toBe(TEXT)
    expect(await clients[caller].stream(each.model)).toBe(TEXT)
    await bench.quiet()
    expect(await bench.entries()).toHaveLength(before + 2)
    expect(await bench.openHolds()).toBe(0)
  })
})

test('a key that is exchanged is exchanged once, and never sent itself', () => {
  expect(exchanges).toBe(1)
  const sent = upstream.received.filter(({ path }) => path.includes('access_token='))
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.every(({ path }) => path.includes('access_token=24.token'))).toBe(true)
  expect(JSON.stringify(upstream.received)).not.toContain('ak|sk')
})

test('requests are signed over the bytes that leave', () => {
  const bedrock = upstream.received.find(({ path }) => path.startsWith('/model/'))
  expect(bedrock?.path).toBe('/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke')
  expect(bedrock?.headers['authorization']).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/bedrock\/aws4_request/,
  )
  const hunyuan = upstream.received.find(({ headers }) => headers['x-tc-action'] !== undefined)
  expect(hunyuan?.headers['authorization']).toMatch(/^TC3-HMAC-SHA256 Credential=AKID\//)
})

test("a vendor's error is the error of the caller's own client", async () => {
  speaking = upstreams[1]
  const respond = upstream.respond
  upstream.respond = (response) =>
    sendJson(response, 429, JSON.parse(readFileSync(new URL('gemini/error.json', FIXTURES), 'utf8')))
  const model = upstreams[1].model
  await expect(clients.chat.whole(model)).rejects.toThrow(RateLimitError)
  await expect(clients.messages.whole(model)).rejects.toThrow(MessagesRateLimitError)
  await expect(clients.responses.whole(model)).rejects.toThrow(RateLimitError)
  const refused = clients.content.whole(model).catch((error: unknown) => error)
  expect(await refused).toMatchObject({ status: 429 })
  expect(await refused).toBeInstanceOf(ApiError)
  upstream.respond = respond
})

test("Gemini's list of models is the caller's list, in its own shape", async () => {
  const { bearer } = await bench.addCaller()
  const response = await fetch(`${bench.url}/v1beta/models?key=${bearer}`)
  expect(await response.json()).toMatchObject({
    models: expect.arrayContaining([
      {
        name: 'models/gemini-2.5-flash',
        displayName: 'gemini-2.5-flash',
        supportedGenerationMethods: expect.any(Array),
      },
    ]),
  })
})
