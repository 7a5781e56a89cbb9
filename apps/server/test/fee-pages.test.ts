import { logRoutes } from '@tollgate/contract/log'
import { pricingRoutes } from '@tollgate/contract/pricing'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { relayCall } from './nodes/operator.ts'
import { answerWith, type ScriptedUpstream, openScriptedUpstream } from './relay/upstream.ts'

/** What vendors take beside tokens, on the pages that show prices and charges. */

const MODELS = { 48: 'grok-4', 24: 'gemini-2.5-pro', 27: 'sonar-pro', 20: 'house/m' } as const

let upstream: ScriptedUpstream
let gateway: TestServer
let key: string

beforeAll(async () => {
  upstream = await openScriptedUpstream()
  gateway = await startTestServer({ isInMemory: true })
  for (const [type, models] of Object.entries(MODELS))
    await gateway.root.call(routes.channel.create, {
      body: {
        type: Number(type),
        key: 'sk-up',
        name: models,
        base_url: upstream.url,
        models,
        group: 'default',
      },
    })
  const ratios = JSON.stringify(Object.fromEntries(Object.values(MODELS).map((model) => [model, 1])))
  await setOption('ModelRatio', ratios)
  const token = await gateway.root.call(routes.token.create, { body: { name: 'cli', unlimited_quota: true } })
  key = token.key.startsWith('sk-') ? token.key : `sk-${token.key}`
})
beforeEach(async () => {
  await setOption('ListedFeesCharged', 'true')
})
afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()])
})

async function setOption(name: string, value: string): Promise<void> {
  await gateway.root.call(routes.option.update, { body: { key: name, value } })
}

async function search(): Promise<void> {
  upstream.respond = answerWith({ usage: { prompt_tokens: 10, completion_tokens: 5, num_sources_used: 8 } })
  const body = { model: MODELS[48], max_tokens: 10, search_parameters: {}, messages: [] }
  const messages = [{ role: 'user', content: 'hi' }]
  expect((await relayCall({ address: gateway.address, key, body: { ...body, messages } })).status).toBe(200)
}

async function listFees() {
  const rows = await gateway.root.call(pricingRoutes.list)
  return Object.fromEntries(rows.map((row) => [row.model_name, row.tool_prices]))
}

async function findCharge() {
  return (await gateway.root.call(logRoutes.list, { query: { type: 2 } })).items[0]
}

test('the price list has the fees of the vendors of each model, and none where they are counted', async () => {
  expect(await listFees()).toMatchObject({
    'grok-4': { xai_web_search: 10, x_search: 10, live_search_source: 25, xai_code_execution: 5 },
    'gemini-2.5-pro': { google_search: 35, google_maps: 25, google_enterprise_search: 45 },
    'sonar-pro': { perplexity_pro_request_low: 6, perplexity_pro_request_high: 14 },
    'house/m': { openrouter_search_result: 4 },
  })
  expect((await listFees())['sonar-pro']).not.toHaveProperty('perplexity_request_low')
  await setOption('ListedFeesCharged', 'false')
  expect((await listFees())['grok-4']).toEqual({})
})

test('the log and its file name each fee with its number', async () => {
  await search()
  await expect.poll(findCharge).toBeDefined()
  const row = await findCharge()
  expect(JSON.parse(row?.other ?? '{}')).toMatchObject({
    tool_surcharges: [{ name: 'live_search_source', count: 8, price: 25 }],
    receipt: { price: { toolPrices: { live_search_source: '25' } } },
  })
  // 8 sources at 25 for 1,000, and 15 tokens.
  expect(row?.quota).toBe(100_015)
})

test('counted fees are not charged, and the operations page tells what they would have cost', async () => {
  await setOption('ListedFeesCharged', 'false')
  await search()
  await gateway.root.call(routes.job.run, { params: { name: 'note-charges' } })
  const notes = await gateway.root.call(routes.operations.charges)
  expect(notes.filter(({ kind }) => kind === 'fee_counted')).toMatchObject([
    { channel_name: 'grok-4', model: 'grok-4', calls: 1, quota: 100_000 },
  ])
})
