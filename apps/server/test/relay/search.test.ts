import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { failWith, openScriptedUpstream, sendJson, type ScriptedUpstream } from './upstream.ts'

/** The stand-alone web search: selected by a model's name and charged as one call of the search tool. */

const MODEL = 'gpt-5.4'
const body = {
  id: 'search-1',
  model: MODEL,
  input: 'toll gates',
  commands: { search_query: [{ q: 'toll gates', recency: 7 }], response_length: 'short' },
  settings: { search_context_size: 'low', allowed_callers: ['direct'] },
}
const answer = { encrypted_output: 'sealed', output: 'Gates.\nhttps://a.example', results: [] }

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string
let userId: number

beforeAll(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1.25 }))
  await harness.setOption('GroupRatio', JSON.stringify({ default: 2 }))
  await harness.addChannel(upstream.url, {
    models: MODEL,
    model_mapping: JSON.stringify({ [MODEL]: 'gpt-5.4-mini' }),
  })
  ;({ bearer, userId } = await harness.addCaller({ quota: 1_000_000n }))
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.respond = (response) => sendJson(response, 200, answer)
})

const search = (members: object = {}, by = bearer) =>
  harness.send({ path: '/v1/alpha/search', bearer: by, body: { ...body, ...members } })

async function lastCharge() {
  await harness.quiet()
  const [entry, row] = [(await harness.entries()).at(-1), (await harness.logs()).at(-1)]
  return { amount: entry?.amount, flags: entry?.flags, usage: JSON.parse(entry?.usage_json ?? '{}'), row }
}

test('a search is forwarded with the mapped model name and costs one tool call', async () => {
  expect(await search()).toMatchObject({ status: 200, json: answer })
  expect(upstream.received.at(-1)).toMatchObject({
    path: '/v1/alpha/search',
    body: { ...body, model: 'gpt-5.4-mini' },
  })
  const { row, ...charge } = await lastCharge()
  // 10 per thousand, x 2 x 500,000.
  expect(charge).toEqual({ amount: 10_000n, flags: '', usage: { toolCalls: { web_search: 1 } } })
  expect(row).toMatchObject({ prompt_tokens: 0, completion_tokens: 0, quota: 10_000n, model_name: MODEL })
  expect(JSON.parse(row?.other ?? '{}')).toMatchObject({
    tool_surcharges: [{ name: 'web_search', count: 1, price: 10 }],
  })
})

test('a search costs the minimum when the tool has no price', async () => {
  await harness.setOption('ToolPrices', JSON.stringify({ web_search: 10, 'web_search:gpt-5*': 0 }))
  await search()
  expect((await lastCharge()).amount).toBe(1n)
  await harness.setOption('ToolPrices', JSON.stringify({ web_search: 10 }))
})

test('the price of a search is held before it is made', async () => {
  expect((await search({}, (await harness.addCaller({ quota: 10_000n })).bearer)).status).toBe(200)
  const { bearer: poor } = await harness.addCaller({ quota: 9_999n })
  const before = upstream.received.length
  expect(await search({}, poor)).toMatchObject({ status: 403, error: { code: 'insufficient_user_quota' } })
  expect(upstream.received.length).toBe(before)
})

test.each([
  [failWith(429), 429],
  [(response: Parameters<typeof sendJson>[0]) => sendJson(response, 200, { object: 'page' }), 502],
  [(response: Parameters<typeof sendJson>[0]) => sendJson(response, 200, { error: { message: 'no' } }), 502],
])('a failed search costs nothing: %#', async (respond, status) => {
  await harness.quiet()
  const before = (await harness.balance(userId))?.remaining
  upstream.respond = respond
  expect((await search()).status).toBe(status)
  await harness.quiet()
  expect((await harness.balance(userId))?.remaining).toBe(before)
  expect(await harness.openHolds()).toBe(0)
})

test('a search needs a model name and no sensitive words', async () => {
  expect(await search({ model: undefined })).toMatchObject({ status: 400, error: { code: 'model_required' } })
  await harness.setOption('SensitiveWords', 'forbidden')
  const refused = await search({ commands: { search_query: [{ q: 'forbidden' }] } })
  expect(refused).toMatchObject({ status: 400, error: { code: 'sensitive_words_detected' } })
})
