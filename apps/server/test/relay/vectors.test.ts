import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/**
 * Embeddings for callers of both formats, compaction of conversations, and the billing routes of old clients.
 */

let harness: RelayHarness
let google: ScriptedUpstream
let openai: ScriptedUpstream

const GEMINI = 'gemini-embedding-001'
const OPENAI = 'text-embedding-3-small'

beforeAll(async () => {
  harness = await openRelayHarness()
  google = await openScriptedUpstream((response, { body }) => {
    const values = [0.5, -1]
    const requests = body['requests']
    if (!Array.isArray(requests)) return sendJson(response, 200, { embedding: { values } })
    sendJson(response, 200, { embeddings: requests.map(() => ({ values })) })
  })
  openai = await openScriptedUpstream((response, { path, body }) => {
    const usage = { prompt_tokens: 4, total_tokens: 4 }
    if (path.endsWith('/compact')) {
      const output = [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' }]
      return sendJson(response, 200, {
        id: 'resp_1',
        object: 'response.compaction',
        output,
        usage: { input_tokens: 100, output_tokens: 20, total_tokens: 120 },
      })
    }
    const input = Array.isArray(body['input']) ? body['input'] : [body['input']]
    sendJson(response, 200, {
      object: 'list',
      data: input.map((_text, index) => ({ object: 'embedding', index, embedding: [1, 2] })),
      usage,
    })
  })
  await harness.addChannel(google.url, { type: 24, models: GEMINI, model_mapping: `{"${GEMINI}":"mapped"}` })
  await harness.addChannel(openai.url, { models: `${OPENAI},gpt-4o` })
  await harness.setOption('ModelRatio', JSON.stringify({ [GEMINI]: 1, [OPENAI]: 1, 'gpt-4o': 1.25 }))
})
afterAll(async () => {
  await harness.close()
  await google.close()
  await openai.close()
})

describe('embeddings', () => {
  test('Gemini embeddings for a Gemini client', async () => {
    const { bearer, userId } = await harness.addCaller()
    const client = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: harness.url } })
    const answer = await client.models.embedContent({ model: GEMINI, contents: ['a', 'b'] })
    expect(answer.embeddings?.map(({ values }) => values)).toEqual([
      [0.5, -1],
      [0.5, -1],
    ])
    expect(google.received.at(-1)).toMatchObject({
      path: '/v1beta/models/mapped:batchEmbedContents',
      body: { requests: [{ model: 'models/mapped' }, { model: 'models/mapped' }] },
    })
    await harness.quiet()
    expect((await harness.balance(userId))?.used).toBeGreaterThan(0n)
  })

  test('a single Gemini embedding request is forwarded unchanged', async () => {
    const { bearer } = await harness.addCaller()
    const body = '{ "content": {"parts":[{"text":"a"}]}, "taskType": "RETRIEVAL_QUERY" }'
    const path = `/v1beta/models/${GEMINI}:embedContent`
    const { json } = await harness.send({ path, headers: { 'x-goog-api-key': bearer }, body })
    expect(json).toEqual({ embedding: { values: [0.5, -1] } })
    expect(google.received.at(-1)).toMatchObject({ path: '/v1beta/models/mapped:embedContent', text: body })
  })

  test('Gemini embeddings of several texts for an OpenAI client', async () => {
    const { bearer } = await harness.addCaller()
    const client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1` })
    const { data, usage } = await client.embeddings.create({ model: GEMINI, input: ['a', 'b'] })
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [0.5, -1],
      [0.5, -1],
    ])
    expect(usage.prompt_tokens).toBeGreaterThan(0)
  })

  test('OpenAI embeddings for a Gemini client are charged by the reported usage', async () => {
    const { bearer, userId } = await harness.addCaller()
    const client = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: harness.url } })
    const answer = await client.models.embedContent({ model: OPENAI, contents: 'a' })
    expect(answer.embeddings?.[0]?.values).toEqual([1, 2])
    await harness.quiet()
    expect((await harness.balance(userId))?.used).toBe(4n)
  })

  test('token arrays for Gemini are refused in the caller’s format and cost nothing', async () => {
    const { bearer, userId } = await harness.addCaller()
    const { status, error } = await harness.send({
      path: '/v1/embeddings',
      bearer,
      body: { model: GEMINI, input: [1, 2] },
    })
    expect([status, error['code']]).toEqual([400, 'not_expressible'])
    await harness.quiet()
    expect((await harness.balance(userId))?.used).toBe(0n)
  })
})

test('a conversation is compacted by its own vendor, at the price of the model', async () => {
  const { bearer, userId } = await harness.addCaller()
  const body = { model: 'gpt-4o', input: [{ role: 'user', content: 'hi' }] }
  const { status, json } = await harness.send({ path: '/v1/responses/compact', bearer, body })
  expect([status, json['object']]).toEqual([200, 'response.compaction'])
  expect(openai.received.at(-1)).toMatchObject({ path: '/v1/responses/compact', text: JSON.stringify(body) })
  await harness.quiet()
  // 100 input and 20 output tokens, output times four, all times 1.25.
  expect((await harness.balance(userId))?.used).toBe(225n)
})

const ask = async (bearer: string, kind: string) =>
  (await harness.send({ method: 'GET', path: `/dashboard/billing/${kind}`, bearer })).json

describe('billing routes of old clients', () => {
  test('the figures are those of the token, in currency', async () => {
    const token = { expired_time: 4_000_000_000 }
    const { bearer } = await harness.addCaller({ quota: 5_000_000n, tokenQuota: 1_000_000n, token })
    expect(await ask(bearer, 'subscription')).toEqual({
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: 2,
      hard_limit_usd: 2,
      system_hard_limit_usd: 2,
      access_until: 4_000_000_000,
    })
    await harness.send({ path: '/v1/embeddings', bearer, body: { model: OPENAI, input: 'a' } })
    await harness.quiet()
    expect(await ask(bearer, 'usage')).toEqual({ object: 'list', total_usage: 0.0008 })
    expect(await ask(bearer, 'subscription')).toMatchObject({ hard_limit_usd: 2 })
  })

  test('an unlimited token shows the limit that new-api shows, or the balance of its owner', async () => {
    const { bearer } = await harness.addCaller({ quota: 5_000_000n })
    expect(await ask(bearer, 'subscription')).toMatchObject({ hard_limit_usd: 100_000_000, access_until: 0 })
    await harness.setOption('DisplayTokenStatEnabled', 'false')
    await harness.setOption('DisplayInCurrencyEnabled', 'false')
    expect(await ask(bearer, 'subscription')).toMatchObject({ hard_limit_usd: 5_000_000, access_until: 0 })
    await harness.setOption('DisplayTokenStatEnabled', 'true')
    await harness.setOption('DisplayInCurrencyEnabled', 'true')
  })

  test('Unlike new-api: an unknown key gets an error with status 401 instead of 200', async () => {
    const { status, error } = await harness.send({
      method: 'GET',
      path: '/v1/dashboard/billing/usage',
      bearer: 'sk-x',
    })
    expect(status).toBe(401)
    expect(error['message']).toContain('Invalid API token')
  })
})
