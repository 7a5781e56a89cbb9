import { gzipSync } from 'node:zlib'
import { answerHeaders, requestHeaders, type HeaderRow } from '@tollgate/dialects/canonical/headers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageStreamWith, messageWith } from '../relay/messages-upstream.ts'
import { answerWith, sendJson, type Responder, type ScriptedUpstream } from '../relay/upstream.ts'
import { openClientGateway, type ClientGateway } from './gateway.ts'

/**
 * Tests every row of the header table over the real application, with vendors of the same and of another
 * dialect.
 */

const CLAUDE = 'claude-haiku-4-5-20251001'
const hi = [{ role: 'user', content: 'hi' }]

const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-4o',
  output: [
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hi', annotations: [] }],
    },
  ],
  usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
}
const generated = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
}

/** A call of each operation to a vendor that supports its endpoint. */
const calls = {
  chat: { path: '/v1/chat/completions', body: { model: 'gpt-4o', messages: hi } },
  responses: { path: '/v1/responses', body: { model: 'gpt-4o', input: 'hi' } },
  messages: { path: '/v1/messages', body: { model: CLAUDE, max_tokens: 9, messages: hi } },
  generate: {
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  },
} as const
type Operation = keyof typeof calls
const operations = ['chat', 'responses', 'messages', 'generate'] as const

/** Calls of the same kind to vendors of other dialects. */
const conversions = [
  { path: calls.chat.path, body: { ...calls.chat.body, model: CLAUDE }, vendor: 'messages' },
  { path: calls.responses.path, body: { ...calls.responses.body, model: CLAUDE }, vendor: 'messages' },
  { path: calls.messages.path, body: { ...calls.messages.body, model: 'gpt-4o' }, vendor: 'chat' },
] as const

let gateway: ClientGateway
const vendors = new Map<Operation, ScriptedUpstream>()
/** Headers that every vendor sends with its response. */
let reported: Readonly<Record<string, string>> = {}
let status = 200

const bodies: Readonly<Record<Operation, unknown>> = {
  chat: undefined,
  responses: response,
  messages: undefined,
  generate: generated,
}

function responder(operation: Operation): Responder {
  return (answer, request) => {
    for (const [name, value] of Object.entries(reported)) answer.setHeader(name, value)
    if (status !== 200) return sendJson(answer, status, { error: { message: 'slow down', type: 'x' } })
    if (request.path.endsWith('/responses')) return sendJson(answer, 200, response)
    if (operation === 'chat') return answerWith()(answer, request)
    if (operation === 'messages') return messageWith()(answer, request)
    return sendJson(answer, 200, bodies[operation])
  }
}

beforeAll(async () => {
  gateway = await openClientGateway()
  const openai = await gateway.addVendor({ type: 1, models: 'gpt-4o', respond: responder('chat') })
  vendors.set('chat', openai)
  vendors.set('responses', openai)
  vendors.set(
    'messages',
    await gateway.addVendor({ type: 14, models: CLAUDE, respond: responder('messages') }),
  )
  vendors.set(
    'generate',
    await gateway.addVendor({ type: 24, models: 'gemini-2.5-flash', respond: responder('generate') }),
  )
})
afterAll(() => gateway.close())

/** A concrete header name for a row; `*` is replaced by a name. */
function named({ name }: HeaderRow): string {
  return name.replace('*', 'limit-requests')
}

const chosen = (rows: readonly HeaderRow[]) => rows.filter(({ does }) => does !== 'consumed')
const sent = Object.fromEntries(chosen(requestHeaders).map((row) => [named(row), `caller's ${named(row)}`]))

describe('request headers of callers', () => {
  test.each(operations)('request headers reach a vendor of %s as the table says', async (operation) => {
    const answer = await gateway.send({ ...calls[operation], bearer: gateway.key, headers: sent })
    expect(answer.status, answer.text).toBe(200)
    const received = vendors.get(operation)?.received.at(-1)?.headers ?? {}
    for (const row of chosen(requestHeaders)) {
      const isForwarded = row.between?.some((each) => each === operation) === true
      if (isForwarded) expect(received[named(row)], row.name).toBe(sent[named(row)])
      else expect(received[named(row)], row.name).not.toBe(sent[named(row)])
    }
  })

  test('request headers reach no vendor of another dialect', async () => {
    for (const { vendor, ...call } of conversions) {
      const answer = await gateway.send({ ...call, bearer: gateway.key, headers: sent })
      expect(answer.status, answer.text).toBe(200)
      const received = Object.values(vendors.get(vendor)?.received.at(-1)?.headers ?? {})
      expect(received.filter((value) => String(value).startsWith("caller's"))).toEqual([])
    }
  })

  test('headers that the gateway itself reads are not forwarded', async () => {
    const headers = {
      'x-api-key': gateway.key,
      'content-encoding': 'gzip',
      'accept-language': 'zh',
      cookie: 'session=caller',
      origin: 'https://page.example',
      'x-forwarded-for': '9.9.9.9',
      'x-unknown': 'anything',
    }
    const { path, body } = calls.messages
    const answer = await gateway.send({ path, headers, body: gzipSync(JSON.stringify(body)) })
    expect(answer.status, answer.text).toBe(200)
    const received = vendors.get('messages')?.received.at(-1)?.headers ?? {}
    expect(received).toMatchObject({ 'x-api-key': 'vendor-key', 'content-type': 'application/json' })
    const others = ['content-encoding', 'accept-language', 'cookie', 'origin', 'x-forwarded-for', 'x-unknown']
    for (const name of others) expect(received[name]).toBeUndefined()
    expect(JSON.stringify(received)).not.toContain(gateway.key)
  })
})

describe('response headers of vendors', () => {
  const values = Object.fromEntries(
    answerHeaders
      .filter(({ name }) => !/^(?:content-type|retry-after)/.test(name))
      .map((row) => [named(row), `vendor's ${named(row)}`]),
  )

  test.each(operations.flatMap((operation) => [200, 429].map((code) => [operation, code] as const)))(
    'response headers of %s reach a caller of the same dialect as the table says, with status %i',
    async (operation, code) => {
      reported = { ...values, 'retry-after': '7' }
      status = code
      const answer = await gateway.send({ ...calls[operation], bearer: gateway.key })
      status = 200
      reported = {}
      expect(answer.status, answer.text).toBe(code)
      for (const row of chosen(answerHeaders)) {
        const isForwarded =
          row.between?.some((each) => each === operation) === true &&
          (row.status === undefined || row.status === code)
        if (isForwarded) expect(answer.headers[named(row)], row.name).toBe(values[named(row)])
        else expect(String(answer.headers[named(row)]), row.name).not.toContain("vendor's")
      }
      expect(answer.headers['retry-after']).toBe(code === 429 ? '7' : undefined)
    },
  )

  test('response headers of another dialect are dropped, except for retry-after', async () => {
    reported = { ...values, 'retry-after-ms': '1500' }
    status = 429
    for (const { vendor: _vendor, ...call } of conversions) {
      const answer = await gateway.send({ ...call, bearer: gateway.key })
      expect(answer.status).toBe(429)
      expect(answer.headers['retry-after']).toBe('2')
      expect(JSON.stringify(answer.headers)).not.toContain("vendor's")
    }
    reported = {}
    status = 200
  })

  test('response headers are also sent with a stream', async () => {
    const vendor = vendors.get('responses')
    const frames = [
      {
        type: 'response.created',
        sequence_number: 0,
        response: { ...response, status: 'in_progress', output: [] },
      },
      { type: 'response.completed', sequence_number: 1, response },
    ].map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`)
    if (vendor !== undefined)
      vendor.respond = (answer) => {
        answer.writeHead(200, { 'content-type': 'text/event-stream', 'x-codex-turn-state': 'turn 1' })
        answer.end(frames.join(''))
      }
    const { path, body } = calls.responses
    const answer = await gateway.send({ path, body: { ...body, stream: true }, bearer: gateway.key })
    expect(answer.headers['x-codex-turn-state']).toBe('turn 1')
    const messages = vendors.get('messages')
    if (messages !== undefined) messages.respond = messageStreamWith([{ type: 'text', text: 'hi' }])
    const converted = { ...body, model: CLAUDE, stream: true }
    const other = await gateway.send({ path, body: converted, bearer: gateway.key })
    expect(other.headers['x-codex-turn-state']).toBeUndefined()
  })
})
