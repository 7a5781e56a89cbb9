import { generateKeyPairSync, verify } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import Anthropic, { RateLimitError as MessagesRateLimitError } from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI, { RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openSocketUpstream, type SocketUpstream } from './socket-upstream.ts'
import { openScriptedUpstream, sendJson, type ReceivedRequest, type ScriptedUpstream } from './upstream.ts'

/**
 * The official clients of all four dialects against upstreams of every kind, which respond with recorded
 * bytes of their vendors.
 */

const FIXTURES = new URL('../../../../packages/providers/fixtures/', import.meta.url)
const TEXT = 'Rivers bring salt to the sea.'
const QUESTION = 'Why is the sea salty?'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const ACCOUNT = JSON.stringify({
  type: 'service_account',
  project_id: 'project-1',
  private_key_id: 'k1',
  private_key: privateKey,
  client_email: 'a@project-1.iam.gserviceaccount.com',
})
const VERTEX = { type: 41, key: ACCOUNT, other: 'us-central1' }

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
  { id: 'bedrock', type: 33, key: 'AKID|secret|us-east-1', way: 'own', model: 'nova-lite-v1:0' },
  { id: 'chatglm', type: 16, key: 'id.secret', way: 'own', model: 'chatglm_turbo' },
  { id: 'coze', type: 49, key: 'pat_1', way: 'own', model: 'my-bot', other: 'bot-7' },
  { id: 'ollama', type: 4, key: 'any', way: 'own', model: 'llama3.2' },
  { id: 'palm', type: 11, key: 'AIza-2', way: 'own', model: 'PaLM-2' },
  { id: 'spark', type: 18, key: 'app|secret|key', way: 'own', model: 'SparkDesk-v3.5' },
  { ...VERTEX, id: 'gemini', way: 'generate', model: 'gemini-2.5-pro' },
  { ...VERTEX, id: 'anthropic', way: 'messages', model: 'claude-opus-4-20250514' },
] as const satisfies readonly Upstream[]

interface Upstream {
  readonly id: string
  readonly type: number
  readonly key: string
  readonly way: string
  readonly model: string
  readonly other?: string
  /** Callers to test; the others would use another endpoint of the same provider. */
  readonly onlyFor?: readonly string[]
}

let harness: RelayHarness
let upstream: ScriptedUpstream
let clients: Clients
let sockets: SocketUpstream
const exchanged: { readonly url: string; readonly body: string }[] = []

beforeAll(async () => {
  harness = await openRelayHarness({
    exchange: async ({ url, body: sent = '' }) => {
      exchanged.push({ url, body: String(sent) })
      const body = Buffer.from('{"access_token":"24.token","expires_in":2592000}')
      return { status: 200, headers: {}, body }
    },
  })
  upstream = await openScriptedUpstream((response, request) => replay(response, request))
  sockets = await openSocketUpstream(() => fixture('spark/own.ndjson').toString().trim().split('\n'))
  for (const { type, key, model, other = '' } of upstreams.map((each): Upstream => each)) {
    const { url } = type === 18 ? sockets : upstream
    await harness.addChannel(url, { type, key, models: model, other })
    await harness.setOption(
      'ModelRatio',
      JSON.stringify(Object.fromEntries(upstreams.map((each) => [each.model, 1]))),
    )
  }
  clients = openClients((await harness.addCaller({ quota: 1_000_000_000n })).bearer)
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
  await sockets.close()
})

/** The upstream whose bytes are replayed in the current test. */
let speaking: Upstream = upstreams[0]

function replay(response: Parameters<ScriptedUpstream['respond']>[0], request: ReceivedRequest): void {
  const isStream =
    /stream/i.test(request.path) ||
    request.body['stream'] === true ||
    request.body['Stream'] === true ||
    request.body['response_mode'] === 'streaming'
  const name = `${speaking.id}/${speaking.way}`
  if (!isStream) return sendJson(response, 200, JSON.parse(fixture(`${name}.json`).toString()))
  const kind = kinds.find(({ ending }) => existsSync(new URL(`${name}.${ending}`, FIXTURES))) ?? kinds[0]
  response.writeHead(200, { 'content-type': kind.type })
  const bytes = fixture(`${name}.${kind.ending}`)
  response.end(kind.ending === 'hex' ? Buffer.from(bytes.toString().replaceAll(/\s/g, ''), 'hex') : bytes)
}

const kinds = [
  { ending: 'sse', type: 'text/event-stream' },
  { ending: 'hex', type: 'application/vnd.amazon.eventstream' },
  { ending: 'ndjson', type: 'application/x-ndjson' },
] as const

function fixture(name: string): Buffer {
  return readFileSync(new URL(name, FIXTURES))
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
  const openai = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
  const anthropic = new Anthropic({ apiKey: bearer, baseURL: harness.url, maxRetries: 0 })
  const google = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: harness.url } })
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
  test('the caller gets a complete response and a stream, and each is charged once', async () => {
    speaking = each
    const before = (await harness.entries()).length
    expect(await clients[caller].whole(each.model)).toBe(TEXT)
    expect(await clients[caller].stream(each.model)).toBe(TEXT)
    await harness.quiet()
    expect(await harness.entries()).toHaveLength(before + 2)
    expect(await harness.openHolds()).toBe(0)
  })
})

test('a channel key that is exchanged for a token is exchanged once and never sent itself', () => {
  expect(exchanged.map(({ url }) => new URL(url).host).toSorted()).toEqual([
    'aip.baidubce.com',
    'www.googleapis.com',
  ])
  const sent = upstream.received.filter(({ path }) => path.includes('access_token='))
  expect(sent.length).toBeGreaterThan(0)
  expect(sent.every(({ path }) => path.includes('access_token=24.token'))).toBe(true)
  expect(JSON.stringify(upstream.received)).not.toContain('ak|sk')
})

test("a service account's key signs the token request, and only the token is sent to the region", () => {
  const { body = '' } = exchanged.find(({ url }) => url.includes('googleapis')) ?? {}
  const [header = '', claims = '', signature = ''] = (new URLSearchParams(body).get('assertion') ?? '').split(
    '.',
  )
  const signed = Buffer.from(`${header}.${claims}`)
  expect(verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    iss: 'a@project-1.iam.gserviceaccount.com',
    aud: 'https://www.googleapis.com/oauth2/v4/token',
  })
  const sent = upstream.received.filter(({ path }) => path.includes('/projects/'))
  expect(new Set(sent.map(({ path }) => path))).toEqual(
    new Set([
      '/v1/projects/project-1/locations/us-central1/publishers/google/models/gemini-2.5-pro:generateContent',
      '/v1/projects/project-1/locations/us-central1/publishers/google/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
      '/v1/projects/project-1/locations/us-central1/publishers/anthropic/models/claude-opus-4@20250514:rawPredict',
      '/v1/projects/project-1/locations/us-central1/publishers/anthropic/models/claude-opus-4@20250514:streamRawPredict?alt=sse',
    ]),
  )
  expect(new Set(sent.map(({ headers }) => headers['authorization']))).toEqual(new Set(['Bearer 24.token']))
  expect(JSON.stringify(upstream.received)).not.toContain('PRIVATE KEY')
})

test('a call over a signed WebSocket opens one connection, and a refused handshake is an upstream error', async () => {
  expect(sockets.received).toHaveLength(8)
  for (const { url, message } of sockets.received) {
    expect(url).toMatch(/^\/v3\.5\/chat\?host=127\.0\.0\.1%3A\d+&date=[^&]+GMT&authorization=/)
    expect(JSON.parse(message)).toMatchObject({
      header: { app_id: 'app' },
      parameter: { chat: { domain: 'generalv3.5' } },
    })
  }
  sockets.refusal = { status: 401, body: '{"message":"HMAC signature cannot be verified"}' }
  const refused = clients.chat.whole('SparkDesk-v3.5')
  await expect(refused).rejects.toMatchObject({
    status: 401,
    message: expect.stringContaining('HMAC signature cannot be verified'),
  })
})

test('request signatures cover the bytes that are sent', () => {
  const bedrock = upstream.received.find(({ path }) => path.startsWith('/model/'))
  expect(bedrock?.path).toBe('/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke')
  expect(bedrock?.headers['authorization']).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/us-east-1\/bedrock\/aws4_request/,
  )
  const hunyuan = upstream.received.find(({ headers }) => headers['x-tc-action'] !== undefined)
  expect(hunyuan?.headers['authorization']).toMatch(/^TC3-HMAC-SHA256 Credential=AKID\//)
})

test("a vendor's error becomes the error of the caller's own client", async () => {
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

test("a Gemini client gets the caller's model list in Gemini's format", async () => {
  const { bearer } = await harness.addCaller()
  const response = await fetch(`${harness.url}/v1beta/models?key=${bearer}`)
  expect(await response.json()).toMatchObject({
    models: expect.arrayContaining([
      expect.objectContaining({
        name: 'models/gemini-2.5-flash',
        displayName: 'gemini-2.5-flash',
        inputTokenLimit: 1_048_576,
        supportedGenerationMethods: expect.any(Array),
      }),
    ]),
  })
})

test('embeddings reach the official client in the requested encoding and are charged', async () => {
  await harness.addChannel(upstream.url, { type: 34, key: 'co-2', models: 'embed-v4.0' })
  await harness.setOption('ModelRatio', '{"embed-v4.0":1}')
  const { respond } = upstream
  upstream.respond = (response) =>
    sendJson(response, 200, JSON.parse(fixture('cohere/embeddings.json').toString()))
  const { bearer } = await harness.addCaller()
  const openai = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
  const { data, usage } = await openai.embeddings.create({ model: 'embed-v4.0', input: 'the sea' })
  upstream.respond = respond
  expect([...(data[0]?.embedding ?? [])]).toEqual([...new Float32Array([0.1, -0.2, 0.3])])
  expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 })
  await harness.quiet()
  expect((await harness.entries()).at(-1)?.amount).toBe(3n)
})
