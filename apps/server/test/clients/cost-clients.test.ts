import { createGateway } from '@ai-sdk/gateway'
import { OpenRouter } from '@openrouter/sdk'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { failWith, openScriptedUpstream, sendJson, type ScriptedUpstream } from '../relay/upstream.ts'

/** The official clients of OpenRouter and of Vercel's AI Gateway read what calls cost. */

const MODEL = 'gpt-4o-mini'
const LIMIT = 1_000_000
const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 40 },
  completion_tokens_details: { reasoning_tokens: 5 },
}
const messages = [{ role: 'user' as const, content: 'hi' }]

let gateway: TestServer
let upstream: ScriptedUpstream
let alice: Visitor
let key: string
let router: OpenRouter
let vercel: ReturnType<typeof createGateway>
let answers = 0

beforeAll(async () => {
  upstream = await openScriptedUpstream()
  gateway = await startTestServer()
  const { root } = gateway
  await root.call(routes.option.update, {
    body: { key: 'billing_setting.report_cost', value: 'usage' },
  })
  await root.call(routes.option.update, { body: { key: 'QuotaForNewUser', value: 50_000_000 } })
  await root.call(routes.channel.create, {
    body: { type: 1, name: 'one', key: 'sk-upstream-key', models: MODEL, base_url: upstream.url },
  })
  alice = await gateway.user({ username: 'alice' })
  key = await newToken(alice, { remain_quota: LIMIT })
  router = new OpenRouter({
    apiKey: key,
    serverURL: `${gateway.address}/v1`,
    retryConfig: { strategy: 'none' },
  })
  vercel = createGateway({ apiKey: key, baseURL: `${gateway.address}/v4/ai` })
})

afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

async function newToken(owner: Visitor, limits: { remain_quota?: number; unlimited_quota?: boolean }) {
  const { key: text } = await owner.call(routes.token.create, { body: { name: 'agent', ...limits } })
  return text.startsWith('sk-') ? text : `sk-${text}`
}

/** The upstream answers with an id of its own each time. */
function answer(isStream = false): void {
  const id = `gen-${++answers}`
  upstream.respond = (response) => {
    const head = { id, created: 1, model: MODEL }
    const choice = { index: 0, finish_reason: 'stop' }
    if (!isStream) {
      const message = { role: 'assistant', content: 'hello' }
      const body = { ...head, object: 'chat.completion', system_fingerprint: null, usage: USAGE }
      return sendJson(response, 200, { ...body, choices: [{ ...choice, message }] })
    }
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: null }] },
      { choices: [{ ...choice, delta: {} }] },
      { choices: [], usage: USAGE },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks)
      response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
    response.end('data: [DONE]\n\n')
  }
}

/** The charge of the newest call in the ledger, in currency. */
async function lastCharge(): Promise<number> {
  const { items } = await alice.call(routes.log.listOwn, { query: { page_size: 1 } })
  return Number(items[0]?.quota) / 500_000
}

async function ask() {
  const answered = await router.chat.send({ chatRequest: { model: MODEL, messages } })
  if (!('choices' in answered)) throw new Error('the answer is a stream')
  return answered
}

describe("OpenRouter's client", () => {
  test('reads the cost of a whole answer, and of its generation at once', async () => {
    answer()
    const { id, usage } = await ask()
    const { data } = await router.generations.getGeneration({ id })
    const charge = await lastCharge()
    expect(charge).toBeGreaterThan(0)
    expect(usage).toMatchObject({ cost: charge, isByok: false, promptTokens: 100 })
    expect(usage?.costDetails).toMatchObject({ upstreamInferenceCost: null })
    expect(data).toMatchObject({
      id,
      totalCost: charge,
      usage: charge,
      model: MODEL,
      apiType: 'completions',
      streamed: false,
      cancelled: false,
      finishReason: 'stop',
      tokensPrompt: 100,
      nativeTokensCompletion: 20,
      nativeTokensReasoning: 5,
      nativeTokensCached: 40,
      upstreamInferenceCost: 0,
    })
    expect(data.cacheDiscount).toBeGreaterThan(0)
    expect(Date.parse(data.createdAt)).toBeGreaterThan(0)
  })

  test('reads the cost of a stream in its last usage, and its generation by the id of its chunks', async () => {
    answer(true)
    const stream = await router.chat.send({
      chatRequest: { model: MODEL, messages, stream: true, streamOptions: { includeUsage: true } },
    })
    if (!(Symbol.asyncIterator in stream)) throw new Error('the answer is no stream')
    const costs: unknown[] = []
    let id = ''
    for await (const chunk of stream) {
      ;({ id } = chunk)
      if (chunk.usage !== undefined) costs.push(chunk.usage.cost)
    }
    const { data } = await router.generations.getGeneration({ id })
    expect(costs).toEqual([await lastCharge()])
    expect(data).toMatchObject({ totalCost: costs[0], streamed: true })
  })

  test('reads the limit of its key and what it spent', async () => {
    answer()
    const before = (await router.apiKeys.getCurrentKeyMetadata()).data
    await ask()
    const { data } = await router.apiKeys.getCurrentKeyMetadata()
    const charge = await lastCharge()
    expect(data).toMatchObject({ label: 'agent', limit: LIMIT / 500_000, isFreeTier: true, expiresAt: null })
    expect(data.usage - before.usage).toBeCloseTo(charge, 12)
    expect((before.limitRemaining ?? 0) - (data.limitRemaining ?? 0)).toBeCloseTo(charge, 12)
    expect([data.usageDaily, data.usageWeekly, data.usageMonthly]).toEqual([
      data.usage,
      data.usage,
      data.usage,
    ])
  })

  test('reads the credits of its key', async () => {
    const { data } = await router.credits.getCredits()
    const { data: own } = await router.apiKeys.getCurrentKeyMetadata()
    expect(data).toEqual({ totalCredits: LIMIT / 500_000, totalUsage: own.usage })
  })
})

describe("Vercel's client", () => {
  test('reads a generation by the id of its request, and the credits', async () => {
    answer()
    const response = await fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages }),
    })
    await response.text()
    const id = response.headers.get('x-request-id') ?? ''
    const info = await vercel.getGenerationInfo({ id })
    expect(info).toMatchObject({
      id,
      totalCost: Number(response.headers.get('x-tollgate-cost')),
      upstreamInferenceCost: 0,
      isByok: false,
      promptTokens: 100,
      cachedTokens: 40,
      finishReason: 'stop',
    })
    const { balance, total_used: used } = { total_used: '', ...(await vercel.getCredits()) }
    expect(Number(balance)).toBeGreaterThan(0)
    expect(used).toBeDefined()
  })
})

async function get(id: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) {
  const response = await fetch(`${gateway.address}/v1/generation?id=${encodeURIComponent(id)}`, { headers })
  const body: unknown = await response.json()
  return { status: response.status, body }
}

describe('a generation', () => {
  test('of another user is not found, in the dialect of whoever asks', async () => {
    answer()
    const { id } = await ask()
    const mallory = await newToken(await gateway.user({ username: 'mallory' }), { unlimited_quota: true })
    const bearer = { authorization: `Bearer ${mallory}` }
    expect(await get(id, bearer)).toMatchObject({
      status: 404,
      body: { error: { code: 'generation_not_found' } },
    })
    expect(await get(id, { ...bearer, 'anthropic-version': '2023-06-01' })).toMatchObject({
      status: 404,
      body: { type: 'error', error: { type: 'not_found_error' } },
    })
    expect(await get(id, { ...bearer, 'x-goog-api-key': mallory })).toMatchObject({
      status: 404,
      body: { error: { status: 'NOT_FOUND' } },
    })
    const second = await newToken(alice, { unlimited_quota: true })
    expect(await get(id, { authorization: `Bearer ${second}` })).toMatchObject({ status: 200 })
  })

  test.each(['', '%', '_', "' or 1=1 --", 'x'.repeat(10_000), '"answer_id"', 'a\nb'])(
    'with the id %j is refused or not found',
    async (id) => {
      const { status, body } = await get(id)
      expect([400, 404]).toContain(status)
      expect(JSON.stringify(body).length).toBeLessThan(500)
    },
  )

  test('of a failed call costs nothing', async () => {
    upstream.respond = failWith(400)
    const response = await fetch(`${gateway.address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, messages }),
    })
    await response.text()
    expect(response.headers.get('x-tollgate-cost')).toBe('0')
    expect(await get(response.headers.get('x-request-id') ?? '')).toMatchObject({
      status: 200,
      body: { data: { total_cost: 0, finish_reason: 'error' } },
    })
  })

  test.each(['/v1/generation?id=x', '/v1/key', '/v1/credits'])('%s needs a key', async (path) => {
    expect((await fetch(gateway.address + path)).status).toBe(401)
  })
})

test('an unlimited key does not show the balance of its owner, unless the site shows it', async () => {
  const unlimited = await newToken(alice, { unlimited_quota: true })
  const credits = async () => {
    const client = new OpenRouter({ apiKey: unlimited, serverURL: `${gateway.address}/v1` })
    return (await client.credits.getCredits()).data
  }
  expect(await credits()).toEqual({ totalCredits: 100_000_000, totalUsage: 0 })
  await gateway.root.call(routes.option.update, { body: { key: 'DisplayTokenStatEnabled', value: false } })
  expect((await credits()).totalCredits).toBe(100)
})
