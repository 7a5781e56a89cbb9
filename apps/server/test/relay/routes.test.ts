import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { CHAT } from './send.ts'
import { answerWith, openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
let userId: number

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream(answerWith())
  await harness.addChannel(upstream.url, { models: 'gpt-4o,my-own-model' })
  await harness.addChannel(upstream.url, { models: 'text-embedding-3-small,text-moderation-stable' })
  await harness.addChannel(upstream.url, { models: 'gpt-4o-mini', model_prefix: 'fast/' })
  ;({ bearer, userId } = await harness.addCaller())
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})

const get = (path: string, key = bearer) => harness.send({ method: 'GET', path, bearer: key })

test('the model list has the models that this token may call, including custom and prefixed names, and no unserved ones', async () => {
  const { json } = await get('/v1/models')
  expect(json).toMatchObject({ object: 'list', success: true })
  const models = [
    { id: 'fast/gpt-4o-mini', root: 'gpt-4o-mini' },
    { id: 'gpt-4o', object: 'model' },
    { id: 'gpt-4o-mini' },
    { id: 'my-own-model', owned_by: 'custom' },
    { id: 'text-embedding-3-small' },
    { id: 'text-moderation-stable' },
  ]
  expect(json['data']).toMatchObject(models)
})

test('a limited token sees its allowed models that are served', async () => {
  const token = { model_limits_enabled: 1, model_limits: 'gpt-4o,not-served' } as const
  const limited = await harness.addCaller({ token })
  const { json } = await get('/v1/models', limited.bearer)
  expect(json['data']).toMatchObject([{ id: 'gpt-4o' }])
})

test('a single model can be read; an unknown one is 404', async () => {
  expect(await get('/v1/models/my-own-model')).toMatchObject({ status: 200, json: { id: 'my-own-model' } })
  expect(await get('/v1/models/fast%2Fgpt-4o-mini')).toMatchObject({ status: 200 })
  expect(await get('/v1/models/nope')).toMatchObject({
    status: 404,
    error: { type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
  })
  expect((await get('/hf/v1/models')).status).toBe(200)
})

test('an unsupported OpenAI route is 501 with a token and 401 without', async () => {
  for (const [method, path] of [
    ['POST', '/v1/fine_tuning/jobs'],
    ['GET', '/v1/files'],
    ['DELETE', '/v1/models/gpt-4o'],
    ['POST', '/v1/fine-tunes/ft-1/cancel'],
  ] as const) {
    const answer = await harness.send({ method, path, bearer })
    expect(answer).toMatchObject({ status: 501, error: { code: 'api_not_implemented' } })
    expect((await harness.send({ method, path })).status).toBe(401)
  }
})

const openai = (key: string) => ({ authorization: `Bearer ${key}` })
const anthropic = (key: string) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })
const google = (key: string) => ({ 'x-goog-api-key': key })

test.each([
  ['POST', '/v1/files', openai, { code: 'api_not_implemented' }],
  ['POST', '/v1/batches', openai, { code: 'api_not_implemented' }],
  ['GET', '/v1/batches/batch_1', openai, { code: 'api_not_implemented' }],
  ['POST', '/v1/uploads', openai, { code: 'api_not_implemented' }],
  ['GET', '/v1/responses/resp_1', openai, { code: 'api_not_implemented' }],
  ['POST', '/v1/vector_stores', openai, { code: 'api_not_implemented' }],
  ['POST', '/v1/files', anthropic, { type: 'api_error' }],
  ['GET', '/v1/files/file_1/content', anthropic, { type: 'api_error' }],
  ['POST', '/v1/messages/batches', anthropic, { type: 'api_error' }],
  ['GET', '/v1/messages/batches/b/results', anthropic, { type: 'api_error' }],
  ['POST', '/v1/skills', anthropic, { type: 'api_error' }],
  ['POST', '/upload/v1beta/files', google, { status: 'UNIMPLEMENTED' }],
  ['GET', '/v1beta/files/f', google, { status: 'UNIMPLEMENTED' }],
  ['POST', '/v1beta/cachedContents', google, { status: 'UNIMPLEMENTED' }],
  ['POST', '/v1beta/models/gemini-3-pro:batchGenerateContent', google, { status: 'UNIMPLEMENTED' }],
  ['POST', '/v1beta/interactions', google, { status: 'UNIMPLEMENTED' }],
  ['POST', '/v2/chat', openai, { code: 'api_not_implemented' }],
] as const)(
  '%s %s, which is not offered, is 501 in the form of the library that asks, and 401 without its key',
  async (method, path, headers, error) => {
    expect(await harness.send({ method, path, headers: headers(bearer) })).toMatchObject({
      status: 501,
      error,
    })
    expect((await harness.send({ method, path, headers: headers('sk-wrong') })).status).toBe(401)
    expect((await harness.send({ method, path })).status).toBe(401)
  },
)

test("the key of Google's library may be in the query too", async () => {
  const answer = await harness.send({ path: `/upload/v1beta/files?key=${bearer}` })
  expect(answer).toMatchObject({ status: 501, error: { status: 'UNIMPLEMENTED' } })
})

test.each(['/v1/rerank', '/v2/rerank'])(
  'a rerank of Cohere at %s is served, with its version of the request',
  async (path) => {
    const upstream = await openScriptedUpstream((response) =>
      sendJson(response, 200, {
        id: 'r',
        results: [{ index: 1, relevance_score: 0.9 }],
        meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
      }),
    )
    const own = await openRelayHarness()
    await own.addChannel(upstream.url, { type: 34, models: 'rerank-v3.5' })
    await own.setOption('ModelRatio', JSON.stringify({ 'rerank-v3.5': 1 }))
    const { bearer: key } = await own.addCaller()
    const body = { model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'], top_n: 1, max_tokens_per_doc: 64 }
    const { status, json } = await own.send({ path, bearer: key, body })
    expect([status, json['results']]).toEqual([200, [{ index: 1, relevance_score: 0.9 }]])
    expect(upstream.received.at(-1)?.body).toMatchObject(body)
    await own.close()
    await upstream.close()
  },
)

test('an unknown path is 404 and named in the message', async () => {
  const answer = await get('/v1/nothing?x=1')
  expect(answer).toMatchObject({ status: 404, error: { type: 'invalid_request_error', code: '', param: '' } })
  expect(answer.error['message']).toContain('Invalid URL (GET /v1/nothing)')
})

test('every origin may call the API, without credentials', async () => {
  const preflight = await harness.send({ method: 'OPTIONS', path: '/v1/chat/completions' })
  expect(preflight.status).toBe(204)
  expect(preflight.headers['access-control-allow-origin']).toBe('*')
  expect(preflight.headers['access-control-allow-headers']).toContain('authorization')
  expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
  const answer = await harness.send({ bearer, body: CHAT })
  expect(answer.headers['access-control-allow-origin']).toBe('*')
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
})

test.each([
  ['/v1/chat/completions', CHAT],
  ['/hf/v1/chat/completions', CHAT],
  ['//v1//chat/completions/', CHAT],
])('chat works at %s', async (path, body) => {
  expect((await harness.send({ path, bearer, body })).status).toBe(200)
  expect(upstream.received.at(-1)?.path).toBe('/v1/chat/completions')
})

const embedding = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], model: 'm' }

test.each([
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'hello' }],
  ['/v1/engines/text-embedding-3-small/embeddings', { input: ['hello', 'world'] }],
  ['/hf/v1/embeddings', { model: 'text-embedding-3-small', input: [[1, 2]] }],
])('embeddings at %s are charged by their usage', async (path, body) => {
  upstream.respond = (response) =>
    sendJson(response, 200, { ...embedding, usage: { prompt_tokens: 100, total_tokens: 100 } })
  const answer = await harness.send({ path, bearer, body })
  expect(answer.json['data']).toEqual(embedding.data)
  expect(upstream.received.at(-1)?.body['model']).toBe('text-embedding-3-small')
  await harness.quiet()
  const entry = (await harness.entries()).at(-1)
  // Ratio 0.01 an input token.
  expect([entry?.amount, entry?.flags]).toEqual([1n, ''])
})

test('moderations have a default model, and are counted locally because they report no usage', async () => {
  upstream.respond = (response) =>
    sendJson(response, 200, { id: 'modr-1', model: 'm', results: [{ flagged: false }] })
  await harness.setOption(
    'ModelRatio',
    '{"gpt-4o":1.25,"text-moderation-stable":0.1,"text-embedding-3-small":0.01}',
  )
  const answer = await harness.send({
    path: '/v1/moderations',
    bearer,
    body: { input: 'some text to judge' },
  })
  expect(answer.json['results']).toEqual([{ flagged: false }])
  expect(upstream.received.at(-1)?.body['model']).toBe('text-moderation-stable')
  await harness.quiet()
  expect((await harness.entries()).at(-1)?.flags).toBe('estimated')
})

test('legacy completions work', async () => {
  upstream.respond = (response) =>
    sendJson(response, 200, {
      object: 'text_completion',
      choices: [{ text: 'hello', index: 0, finish_reason: 'stop' }],
      usage: { prompt_tokens: 4, completion_tokens: 1 },
    })
  const body = { model: 'gpt-4o', prompt: 'say hello' }
  expect((await harness.send({ path: '/v1/completions', bearer, body })).json['choices']).toHaveLength(1)
  expect(upstream.received.at(-1)?.path).toBe('/v1/completions')
})

test('the playground works with a session of the user and a usable group', async () => {
  upstream.respond = answerWith()
  harness.signIn(userId)
  const path = '/pg/chat/completions'
  const before = await harness.balance(userId)
  expect((await harness.send({ path, body: { ...CHAT, group: 'default' } })).status).toBe(200)
  expect(upstream.received.at(-1)?.body).toEqual(CHAT)
  expect(upstream.received.at(-1)?.path).toBe('/v1/chat/completions')
  await harness.quiet()
  const row = (await harness.logs()).at(-1)
  expect([row?.token_id, row?.token_name]).toEqual([0, 'playground-default'])
  expect((await harness.balance(userId))?.used).toBe((before?.used ?? 0n) + 38n)
  expect(await harness.send({ path, body: { ...CHAT, group: 'secret' } })).toMatchObject({
    status: 403,
    error: { code: 'group_not_allowed' },
  })
  expect(await harness.send({ path, body: { ...CHAT, group: 'vip' } })).toMatchObject({
    status: 500,
    error: { code: 'get_playground_channel_failed' },
  })
  expect(await harness.send({ path, body: { messages: CHAT.messages } })).toMatchObject({
    status: 400,
    error: { code: 'model_required' },
  })
  expect(await harness.send({ path, body: '{' })).toMatchObject({
    status: 400,
    error: { code: 'unmarshal_request_failed' },
  })
  const answer = await harness.send({ path, body: CHAT })
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
})
