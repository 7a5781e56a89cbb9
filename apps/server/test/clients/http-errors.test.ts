import Anthropic, { APIError as AnthropicError } from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import { routes } from '@tollgate/contract/routes'
import OpenAI, { APIError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendJson, type ScriptedUpstream } from '../relay/upstream.ts'
import { openClientGateway, type ClientGateway } from './gateway.ts'

/**
 * Errors that clients react to, from every vendor to callers of every dialect: a prompt that is too long, and
 * an overloaded vendor.
 */

const vendors = {
  openai: { type: 1, model: 'gpt-4o' },
  anthropic: { type: 14, model: 'claude-haiku-4-5-20251001' },
  gemini: { type: 24, model: 'gemini-2.5-flash' },
} as const
type Vendor = keyof typeof vendors

const TOO_LONG: Readonly<Record<Vendor, unknown>> = {
  openai: {
    error: {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 140012 tokens. Please reduce the length of the messages.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  },
  anthropic: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 140012 tokens > 128000 maximum' },
  },
  gemini: {
    error: {
      code: 400,
      message: 'The input token count (140012) exceeds the maximum number of tokens allowed (128000).',
      status: 'INVALID_ARGUMENT',
    },
  },
}

const OVERLOADED: Readonly<Record<Vendor, readonly [status: number, body: unknown]>> = {
  openai: [503, { error: { message: 'The engine is busy', type: 'server_error', param: null, code: null } }],
  anthropic: [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
  gemini: [503, { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }],
}

let gateway: ClientGateway
const upstreams = new Map<Vendor, ScriptedUpstream>()
let openai: OpenAI
let anthropic: Anthropic
let google: GoogleGenAI

beforeAll(async () => {
  gateway = await openClientGateway()
  for (const name of vendorNames)
    upstreams.set(name, await gateway.addVendor({ type: vendors[name].type, models: vendors[name].model }))
  const { address, key } = gateway
  openai = new OpenAI({ apiKey: key, baseURL: `${address}/v1`, maxRetries: 0 })
  anthropic = new Anthropic({ apiKey: key, baseURL: address, maxRetries: 0 })
  google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: address } })
})
afterAll(() => gateway.close())

const vendorNames = ['openai', 'anthropic', 'gemini'] as const
const hi = [{ role: 'user' as const, content: 'hi' }]

/** Makes one call with the official client, streaming or not; it rejects with the client's error. */
const callers = {
  chat: (model: string, stream: boolean) =>
    thrownBy(async () => void (await openai.chat.completions.create({ model, messages: hi, stream }))),
  responses: (model: string, stream: boolean) =>
    thrownBy(async () => void (await openai.responses.create({ model, input: 'hi', stream }))),
  messages: (model: string, stream: boolean) =>
    thrownBy(
      async () => void (await anthropic.messages.create({ model, max_tokens: 50, messages: hi, stream })),
    ),
  generate: (model: string, stream: boolean) =>
    thrownBy(async () => {
      const question = { model, contents: 'hi' }
      if (stream) for await (const _chunk of await google.models.generateContentStream(question));
      else await google.models.generateContent(question)
    }),
} as const
type Caller = keyof typeof callers
const callerNames = ['chat', 'responses', 'messages', 'generate'] as const

interface Thrown {
  readonly status: number
  /** The error object as the client exposes it. */
  readonly error: Readonly<Record<string, unknown>>
}

async function thrownBy(work: () => Promise<void>): Promise<Thrown> {
  try {
    await work()
  } catch (error) {
    if (error instanceof APIError) return { status: Number(error.status), error: recordOf(error.error) }
    if (error instanceof AnthropicError)
      return { status: Number(error.status), error: recordOf(recordOf(error.error)['error']) }
    if (error instanceof ApiError)
      return { status: error.status, error: recordOf(recordOf(JSON.parse(error.message))['error']) }
    throw error
  }
  throw new Error('the call was answered')
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

const pairs = callerNames.flatMap((caller) =>
  vendorNames.flatMap((vendor) => [false, true].map((stream) => ({ caller, vendor, stream }))),
)

describe('a prompt that is too long', () => {
  const words: Readonly<Record<Caller, object>> = {
    chat: {
      code: 'context_length_exceeded',
      type: 'invalid_request_error',
      message: expect.stringMatching(/maximum context length is 128000 tokens.* 140012 tokens/),
    },
    responses: { code: 'context_length_exceeded', type: 'invalid_request_error' },
    messages: {
      type: 'invalid_request_error',
      message: expect.stringMatching(/^prompt is too long: 140012 tokens > 128000 maximum/),
    },
    generate: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^The input token count \(140012\) exceeds the maximum .*\(128000\)/),
    },
  }

  test.each(pairs)(
    'the error of $vendor reaches $caller in the words of its own dialect (streamed: $stream)',
    async (pair) => {
      respondWith(pair.vendor, 400, TOO_LONG[pair.vendor])
      const thrown = await callers[pair.caller](vendors[pair.vendor].model, pair.stream)
      expect(thrown).toMatchObject({ status: 400, error: words[pair.caller] })
    },
  )

  test("the error of a vendor of the caller's own dialect is passed on unchanged", async () => {
    respondWith('openai', 400, TOO_LONG['openai'])
    const { error } = await callers.responses('gpt-4o', true)
    expect(error).toMatchObject({ param: 'messages', code: 'context_length_exceeded' })
    expect(String(error['message'])).toContain('your messages resulted in 140012 tokens')
  })

  test('a prompt that is too long costs nothing', async () => {
    const { db } = gateway.server.server.store
    expect(await db.selectFrom('entry').selectAll().where('kind', '=', 'consume').execute()).toEqual([])
    expect(await db.selectFrom('hold').selectAll().execute()).toEqual([])
  })
})

describe('an overloaded vendor', () => {
  const words: Readonly<Record<Caller, Thrown>> = {
    chat: { status: 503, error: {} },
    responses: { status: 503, error: {} },
    messages: { status: 529, error: { type: 'overloaded_error' } },
    generate: { status: 503, error: { code: 503, status: 'UNAVAILABLE' } },
  }

  test.each(pairs)(
    'the overload of $vendor reaches $caller in the format of its own dialect (streamed: $stream)',
    async (pair) => {
      respondWith(pair.vendor, ...OVERLOADED[pair.vendor])
      const thrown = await callers[pair.caller](vendors[pair.vendor].model, pair.stream)
      expect(thrown).toMatchObject(words[pair.caller])
    },
  )

  test('an overload error in the first event of a Messages stream becomes 529', async () => {
    const upstream = upstreams.get('anthropic')
    if (upstream !== undefined)
      upstream.respond = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`event: error\ndata: ${JSON.stringify(OVERLOADED.anthropic[1])}\n\n`)
      }
    const thrown = await callers.messages(vendors.anthropic.model, true)
    expect(thrown).toMatchObject({ status: 529, error: { type: 'overloaded_error' } })
  })
})

describe('an empty balance', () => {
  const asked = {
    chat: { path: '/v1/chat/completions', body: { model: 'gpt-4o', messages: hi } },
    responses: { path: '/v1/responses', body: { model: 'gpt-4o', input: 'hi' } },
    messages: { path: '/v1/messages', body: { model: 'gpt-4o', max_tokens: 50, messages: hi } },
    generate: {
      path: '/v1beta/models/gpt-4o:generateContent',
      body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    },
  } as const
  const forms: readonly {
    readonly caller: Caller
    readonly status: number
    readonly error: object
    readonly userAgent?: string
  }[] = [
    { caller: 'chat', status: 403, error: { code: 'insufficient_user_quota' } },
    { caller: 'responses', status: 403, error: { code: 'insufficient_user_quota' } },
    { caller: 'messages', status: 402, error: { type: 'billing_error' } },
    { caller: 'generate', status: 403, error: { code: 403, status: 'PERMISSION_DENIED' } },
    {
      caller: 'responses',
      status: 429,
      error: { code: 'insufficient_quota', type: 'insufficient_quota' },
      userAgent: 'codex_exec/0.169.0 (Debian 13.0.0; x86_64)',
    },
  ]
  let poorKey: string

  beforeAll(async () => {
    const poor = await gateway.server.user()
    const body = { name: 'poor', unlimited_quota: true }
    const { key } = await poor.call(routes.token.create, { body })
    poorKey = key.startsWith('sk-') ? key : `sk-${key}`
  })

  test.each(forms)(
    'a caller of $caller with an empty balance gets $status with an error that stops its agents from retrying',
    async (form) => {
      const { caller, status, error, userAgent = '' } = form
      const { path, body } = asked[caller]
      for (const stream of [false, true]) {
        const answer = await gateway.send({
          path,
          bearer: poorKey,
          headers: { 'user-agent': userAgent },
          body: caller === 'generate' ? body : { ...body, stream },
        })
        expect(answer, answer.text).toMatchObject({ status, error })
        expect(answer.error['message']).toContain('0 left')
        expect(answer.headers['x-should-retry']).toBe('false')
        expect(answer.headers['retry-after']).toBeUndefined()
      }
    },
  )

  test('the official clients do not retry after an empty balance', async () => {
    const { address } = gateway
    let requests = 0
    const counting: typeof fetch = (input, init) => {
      requests++
      return fetch(input, init)
    }
    const clients = { apiKey: poorKey, fetch: counting }
    const chat = new OpenAI({ ...clients, baseURL: `${address}/v1` })
    await expect(chat.chat.completions.create({ model: 'gpt-4o', messages: hi })).rejects.toThrow('403')
    const messages = new Anthropic({ ...clients, baseURL: address })
    const question = { model: 'gpt-4o', max_tokens: 50, messages: hi }
    await expect(messages.messages.create(question)).rejects.toThrow('402')
    expect(requests).toBe(2)
  })
})

function respondWith(vendor: Vendor, status: number, body: unknown): void {
  const upstream = upstreams.get(vendor)
  if (upstream !== undefined) upstream.respond = (response) => sendJson(response, status, body)
}
