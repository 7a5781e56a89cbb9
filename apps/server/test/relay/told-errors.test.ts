import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/** What callers are told of an upstream's error beside its words: what their libraries read, and when to retry. */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

beforeEach(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  ;({ bearer } = await harness.addCaller())
  await harness.setOption('ModelRatio', JSON.stringify({ told: 1 }))
})
afterEach(async () => {
  await harness.close()
  await upstream.close()
})

const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'
const QUOTA = 'type.googleapis.com/google.rpc.QuotaFailure'

const fail =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Responder =>
  (response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, status, body)
  }

const messages = fail(404, {
  type: 'error',
  error: {
    type: 'not_found_error',
    message: 'gone',
    details: { error_code: 'container_expired', unsupported: ['sent-model'], account: 'acct_778899001122' },
  },
})
const gemini = fail(400, {
  error: {
    code: 400,
    message: 'bad',
    status: 'INVALID_ARGUMENT',
    details: [
      {
        '@type': BAD_REQUEST,
        fieldViolations: [{ field: 'contents', description: 'sent-model takes none' }],
      },
      { '@type': QUOTA, violations: [{ quotaDimensions: { project: 'projects/778899001122' } }] },
    ],
  },
})
const busy = fail(429, {
  error: {
    code: 429,
    message: 'quota',
    status: 'RESOURCE_EXHAUSTED',
    details: [
      { '@type': QUOTA, violations: [{ quotaDimensions: { project: 'projects/778899001122' } }] },
      { '@type': RETRY_INFO, retryDelay: '17s' },
    ],
  },
})
const azure = fail(400, {
  error: {
    message: 'filtered',
    code: 'content_filter',
    param: 'prompt',
    innererror: { code: 'ResponsibleAIPolicyViolation', content_filter_result: { hate: { filtered: true } } },
  },
})

const callers = {
  chat: { path: '/v1/chat/completions', type: 1, body: { messages: [{ role: 'user', content: 'x' }] } },
  images: { path: '/v1/images/generations', type: 1, body: { prompt: 'x' } },
  responses: { path: '/v1/responses', type: 1, body: { input: 'x' } },
  messages: {
    path: '/v1/messages',
    type: 14,
    body: { max_tokens: 9, messages: [{ role: 'user', content: 'x' }] },
  },
  gemini: {
    path: '/v1beta/models/told:generateContent',
    type: 24,
    body: { contents: [{ parts: [{ text: 'x' }] }] },
  },
  'gemini stream': {
    path: '/v1beta/models/told:streamGenerateContent?alt=sse',
    type: 24,
    body: { contents: [{ parts: [{ text: 'x' }] }] },
  },
} as const
type ToldCaller = keyof typeof callers

function ask(name: ToldCaller, stream = false) {
  const { path, body } = callers[name]
  const isGemini = name.startsWith('gemini')
  return harness.send({ path, bearer, body: isGemini ? body : { model: 'told', stream, ...body } })
}

function addChannel(type: number, url = upstream.url, parts: object = {}): Promise<number> {
  const mapping = JSON.stringify({ told: 'sent-model' })
  return harness.addChannel(url, { type, models: 'told', model_mapping: mapping, ...parts })
}

const cases = [
  ['messages', messages, { details: { error_code: 'container_expired', unsupported: ['told'] } }],
  [
    'gemini',
    gemini,
    {
      details: [
        { reason: 'invalid_argument' },
        { '@type': BAD_REQUEST, fieldViolations: [{ description: 'told takes none' }] },
      ],
    },
  ],
  ['chat', azure, { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }],
  ['responses', azure, { innererror: { content_filter_result: { hate: { filtered: true } } } }],
  ['images', azure, { innererror: { content_filter_result: { hate: { filtered: true } } } }],
] as const

describe.each(cases)('a caller of %s', (name, respond, told) => {
  test.each([false, true])(
    'is told the details of its own dialect, and nothing of the account (stream: %s)',
    async (stream) => {
      upstream.respond = respond
      await addChannel(callers[name].type)
      const { error, text } = await ask(name, stream && name !== 'images')
      expect(error).toMatchObject(told)
      expect(text).not.toMatch(/778899001122|sent-model/)
    },
  )

  test('is told none of them where the operator hides errors', async () => {
    upstream.respond = respond
    await harness.setOption('global.hide_upstream_error_enabled', 'true')
    await addChannel(callers[name].type)
    const { text } = await ask(name)
    expect(text).not.toMatch(/container_expired|fieldViolations|innererror/)
  })
})

describe('the wait', () => {
  test.each(['gemini', 'gemini stream'] as const)(
    'of Google reaches a %s caller in both forms',
    async (name) => {
      upstream.respond = busy
      await addChannel(24)
      const { error, headers, text } = await ask(name)
      expect(error['details']).toContainEqual({ '@type': RETRY_INFO, retryDelay: '17s' })
      expect(headers['retry-after']).toBe('17')
      expect(text).not.toContain('778899001122')
    },
  )

  test.each(['chat', 'responses', 'messages'] as const)(
    'of Google reaches a %s caller in the header',
    async (name) => {
      upstream.respond = busy
      await addChannel(24)
      expect((await ask(name)).headers['retry-after']).toBe('17')
    },
  )

  test('of a header reaches a Gemini caller in the details', async () => {
    upstream.respond = fail(429, { error: { message: 'slow' } }, { 'retry-after': '5' })
    await addChannel(1)
    const { error } = await ask('gemini')
    expect(error['details']).toContainEqual({ '@type': RETRY_INFO, retryDelay: '5s' })
  })

  test.each([
    ['30', '4'],
    ['4', '30'],
  ])('is the shortest of the channels that were tried: %s and %s', async (first, second) => {
    const other = await openScriptedUpstream(
      fail(429, { error: { message: 'b' } }, { 'retry-after': second }),
    )
    upstream.respond = fail(429, { error: { message: 'a' } }, { 'retry-after': first })
    await harness.setOption('RetryTimes', '2')
    await addChannel(1, upstream.url, { priority: 9 })
    await addChannel(1, other.url)
    expect((await ask('chat')).headers['retry-after']).toBe('4')
    expect(other.received).toHaveLength(1)
    await other.close()
  })

  test('is told for no other failure that follows', async () => {
    const other = await openScriptedUpstream(fail(422, { error: { message: 'no' } }))
    upstream.respond = fail(429, { error: { message: 'a' } }, { 'retry-after': '3' })
    await harness.setOption('RetryTimes', '2')
    await addChannel(1, upstream.url, { priority: 9 })
    await addChannel(1, other.url)
    const { status, headers } = await ask('chat')
    expect([status, headers['retry-after']]).toEqual([422, undefined])
    await other.close()
  })
})

function askChat() {
  const { path, body } = callers.chat
  return harness.send({ path, bearer, body: { model: 'told', ...body } })
}

describe('a model without a channel', () => {
  test('that no channel lists is not asked for again', async () => {
    const { status, headers } = await askChat()
    expect([status, headers['x-should-retry']]).toEqual([503, 'false'])
  })

  test.each([{ status: 2 }, { status: 3 }])(
    'that a channel of status $status lists may come back',
    async (parts) => {
      await addChannel(1, upstream.url, parts)
      const { status, headers } = await askChat()
      expect([status, headers['x-should-retry']]).toEqual([503, undefined])
    },
  )

  test('that only a channel of another group lists is not asked for again', async () => {
    await addChannel(1, upstream.url, { group_names: 'others' })
    const { status, headers } = await askChat()
    expect([status, headers['x-should-retry']]).toEqual([503, 'false'])
  })
})

test.each(['answer', 'error', 'stream'])(
  'Messages has the id of a request where its libraries read it: %s',
  async (kind) => {
    await addChannel(1)
    if (kind === 'error') upstream.respond = fail(500, { error: { message: 'x' } })
    const { headers } = await ask('messages', kind === 'stream')
    expect(headers['request-id']).toBe(headers['x-request-id'])
    expect(headers['request-id']).toBeTruthy()
    expect(headers['access-control-expose-headers']).toMatch(/(?:^|, )request-id(?:,|$)/)
  },
)
