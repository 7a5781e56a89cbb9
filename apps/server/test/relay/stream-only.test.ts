import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import {
  answerWith,
  ChatStream,
  openScriptedUpstream,
  sendJson,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

/** Providers that answer in streams alone, and channel tests that ask each kind of model as callers do. */

let harness: RelayHarness
let server: ScriptedUpstream
let bearer: string
let channelId: number

beforeAll(async () => {
  harness = await openRelayHarness()
  await harness.setOption('ModelRatio', JSON.stringify({ 'stream-only': 1 }))
  ;({ bearer } = await harness.addCaller())
})
afterAll(() => harness.close())

beforeEach(async () => {
  server = await openScriptedUpstream()
  await harness.db.updateTable('channels').set({ status: 2 }).execute()
  channelId = await harness.addChannel(server.url, { type: 1, models: 'stream-only' })
})
afterEach(async () => {
  await harness.quiet()
  expect(await harness.openHolds()).toBe(0)
  await server.close()
})

function streamOnly(error: object, status = 400): Responder {
  return (response, request) => {
    if (request.body['stream'] !== true) return sendJson(response, status, error)
    new ChatStream(response).say('hello ').say('there').finish().usage().done()
  }
}

const messages = [{ role: 'user', content: 'hi' }]
const chat = (members: object = {}) =>
  harness.send({ bearer, body: { model: 'stream-only', messages, ...members } })

async function lastCharge(): Promise<bigint | undefined> {
  await harness.quiet()
  return (await harness.entries()).at(-1)?.amount
}

const demands: readonly (readonly [string, object])[] = [
  ['OpenAI’s form', { error: { message: 'Stream must be set to true' } }],
  ['a plain detail', { detail: 'Stream must be set to true' }],
  ['a code', { error: { message: 'no', code: 'stream_required' } }],
  ['a code and a member', { error: { message: 'no', code: 'unsupported_value', param: 'stream' } }],
  [
    'Alibaba’s words',
    {
      error: {
        message:
          'This model only support stream mode, please enable the stream parameter to access the model. ',
        code: 'invalid_parameter_error',
      },
    },
  ],
  ['a short sentence', { error: { message: 'Non-streaming requests are not supported.' } }],
]

describe.each(demands)('a provider that only streams, which says so in %s', (_form, error) => {
  test('is asked in a stream and answers whole, at once from the second call on', async () => {
    server.respond = streamOnly(error)
    for (const requests of [2, 3]) {
      const answer = await chat()
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('hello there')])
      expect(answer.headers['content-type']).toContain('application/json')
      expect(await lastCharge()).toBe(15n)
      expect(server.received).toHaveLength(requests)
    }
    const streamed = await chat({ stream: true })
    expect(streamed.text).toContain('data: [DONE]')
  })
})

test('whole answers for callers of other dialects come from its streams too', async () => {
  server.respond = streamOnly({ error: { message: 'Stream must be set to true' } })
  const asked = { model: 'stream-only', max_tokens: 50, messages }
  const answer = await harness.send({ bearer, path: '/v1/messages', body: asked })
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('hello there')])
})

test('words of a caller teach nothing', async () => {
  const message = 'Your text "Stream must be set to true" is not allowed'
  server.respond = streamOnly({ error: { message } })
  expect((await chat()).status).toBe(400)
  expect(server.received).toHaveLength(1)
})

test('the operator’s setting asks in streams from the first call on, and is not overwritten', async () => {
  const setting = '{"stream_support":"STREAM_ONLY"}'
  await harness.db.updateTable('channels').set({ status: 2 }).execute()
  await harness.addChannel(server.url, { type: 1, models: 'stream-only', setting })
  server.respond = streamOnly({ error: { message: 'no' } })
  expect((await chat()).status).toBe(200)
  expect(server.received).toHaveLength(1)
})

test('a channel test passes, and what it learned serves the next call', async () => {
  server.respond = streamOnly({ error: { message: 'Stream must be set to true' } })
  expect(await harness.relay.probe({ channelId })).toMatchObject({ ok: true })
  await harness.quiet()
  expect((await chat()).status).toBe(200)
  expect(server.received).toHaveLength(3)
})

const kinds: Readonly<Record<string, Responder>> = {
  '/v1/images/generations': (response) =>
    sendJson(response, 200, { created: 1, data: [{ b64_json: 'iVBORw0KGgo=' }] }),
  '/v1/audio/speech': (response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.end(Buffer.from('ID3'))
  },
  '/v1/embeddings': (response) =>
    sendJson(response, 200, {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.1] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  '/v1/chat/completions': answerWith(),
}

test.each([
  ['dall-e-3', '/v1/images/generations', true],
  ['gpt-image-1', '/v1/images/generations', true],
  ['black-forest-labs/flux-1.1-pro', '/v1/images/generations', true],
  ['tts-1', '/v1/audio/speech', true],
  ['gpt-4o-mini-tts', '/v1/audio/speech', true],
  ['text-embedding-3-small', '/v1/embeddings', false],
  ['gpt-4o', '/v1/chat/completions', false],
  ['fluxion-chat', '/v1/chat/completions', false],
])('a channel of %s is tested at %s', async (model, path, isCostly) => {
  server.respond = (response, request) => {
    const respond = request.path === path ? kinds[path] : undefined
    return respond === undefined
      ? sendJson(response, 404, { error: { message: 'not here' } })
      : respond(response, request)
  }
  const id = await harness.addChannel(server.url, { type: 1, models: model })
  expect(await harness.relay.probe({ channelId: id })).toMatchObject({ ok: true, message: '' })
  expect(server.received.map((request) => request.path)).toEqual([path])
  expect(harness.relay.isCostlyProbe(id)).toBe(isCostly)
})
