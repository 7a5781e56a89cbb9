import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'
import { relayCall } from './nodes/operator.ts'
import { answerWith, type ScriptedUpstream, openScriptedUpstream, sendJson } from './relay/upstream.ts'

/** The operations page and its alerts say what was unusual about charges. */

let upstream: ScriptedUpstream
let gateway: TestServer
let key: string

/** A second channel, whose vendor tells what calls cost. */
async function addRouter(): Promise<void> {
  await gateway.root.call(routes.channel.create, {
    body: {
      type: 20,
      key: 'sk-r',
      name: 'two',
      base_url: upstream.url,
      models: 'gpt-4o-mini',
      group: 'default',
    },
  })
}

beforeAll(async () => {
  upstream = await openScriptedUpstream()
  gateway = await startTestServer({ isInMemory: true })
  await gateway.root.call(routes.channel.create, {
    body: { type: 1, key: 'sk-up', name: 'one', base_url: upstream.url, models: 'gpt-4o', group: 'default' },
  })
  await gateway.root.call(routes.option.update, { body: { key: 'AlertsEnabled', value: 'true' } })
  const token = await gateway.root.call(routes.token.create, { body: { name: 'cli', unlimited_quota: true } })
  key = token.key.startsWith('sk-') ? token.key : `sk-${token.key}`
})
afterAll(async () => {
  await Promise.all([gateway.close(), upstream.close()])
})

async function callWith(usage: Record<string, unknown>, model = 'm'): Promise<void> {
  const figures = { prompt_tokens: 10, completion_tokens: 5, ...usage }
  upstream.respond =
    model === 'm'
      ? answerWith({ usage: figures })
      : (response) =>
          sendJson(response, 200, {
            id: 'x',
            model,
            choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
            usage: figures,
          })
  const body = { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }
  expect((await relayCall({ address: gateway.address, key, body })).status).toBe(200)
}

const read = async () => {
  await gateway.root.call(routes.job.run, { params: { name: 'note-charges' } })
  return gateway.root.call(routes.operations.charges)
}

test('unusual charges are listed by kind, channel and model, with their number and amount', async () => {
  await callWith({})
  expect(await read()).toEqual([])
  await callWith({ mystery_tokens: 3 })
  await callWith({ mystery_tokens: 3, oracle_tokens: 2 })
  await callWith({ prompt_tokens_details: { cached_tokens: 100 } })
  await callWith({ completion_tokens: 50_000 })
  await callWith({}, 'o1-pro')
  const rows = await expect
    .poll(async () => (await read()).toSorted((one, other) => one.kind.localeCompare(other.kind)))
    .toMatchObject([
      { kind: 'served_other', channel_name: 'one', model: 'gpt-4o', detail: 'o1-pro', calls: 1 },
      { kind: 'usage_mended', channel_name: 'one', model: 'gpt-4o', calls: 1 },
      {
        kind: 'usage_unknown',
        model: 'gpt-4o',
        detail: 'mystery_tokens, oracle_tokens',
        calls: 2,
        quota: 76,
      },
      { kind: 'waived', model: 'gpt-4o', calls: 1, quota: expect.toSatisfy((units) => units > 200_000) },
    ])
  return rows
})

const watch = () => gateway.root.call(routes.job.run, { params: { name: 'watch-alerts' } })

test('each of them is one alert a day, with channel, model, number, amount and what to do', async () => {
  await watch()
  const alerts = async () => {
    await watch()
    return gateway.root.call(routes.alert.list)
  }
  await expect
    .poll(async () => (await alerts()).map(({ rule }) => rule).toSorted())
    .toEqual(['served_other', 'usage_mended', 'usage_unknown', 'waived'])
  const [unknown] = (await alerts()).filter(({ rule }) => rule === 'usage_unknown')
  expect(unknown?.title.en).toMatch(
    /^Channel one \(#1\), gpt-4o: 2 calls .* mystery_tokens, oracle_tokens .*\$0\.0002/,
  )
  expect(unknown?.title.en).toContain('price list')
  expect(unknown?.title.zh).toContain('mystery_tokens')
  await callWith({ mystery_tokens: 3 })
  await read()
  expect(await alerts()).toHaveLength(4)
})

const readDoubted = async () => (await read()).filter(({ kind }) => kind === 'cost_doubted')

test('a told cost is the cost of the call on its row, and one that is far from ours is an alarm', async () => {
  await addRouter()
  const send = async (cost: number) => {
    upstream.respond = answerWith({ usage: { prompt_tokens: 1_000, completion_tokens: 100, cost } })
    const messages = [{ role: 'user', content: 'word '.repeat(1_000) }]
    const body = { model: 'gpt-4o-mini', max_tokens: 200, messages }
    expect((await relayCall({ address: gateway.address, key, body })).status).toBe(200)
  }
  // 1,000 and 100 tokens at 0.15 and 0.6 dollars a million cost 0.00021 dollars.
  await send(0.0004)
  await send(0.5)
  await expect
    .poll(readDoubted)
    .toMatchObject([{ channel_name: 'two', model: 'gpt-4o-mini', detail: '$0.5', calls: 1 }])
  const logs = await gateway.root.call(routes.log.list, { query: { model_name: 'gpt-4o-mini' } })
  expect(logs.items.map(({ cost }) => cost)).toEqual([null, 200])
  expect(logs.items.map(({ other }) => JSON.parse(other).admin_info)).toMatchObject([
    { told_cost: 0.5, is_cost_doubted: true },
    { told_cost: 0.0004 },
  ])
})

test('a tool of the vendor that nobody knows is passed on and listed with its type', async () => {
  upstream.respond = answerWith({ usage: { prompt_tokens: 10, completion_tokens: 5 } })
  const ask = { model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] }
  for (const type of ['deep_crawl', 'news_search'])
    expect(
      (await relayCall({ address: gateway.address, key, body: { ...ask, tools: [{ type }] } })).status,
    ).toBe(200)
  expect(upstream.received.at(-1)?.body['tools']).toEqual([{ type: 'news_search' }])
  const rows = await read()
  expect(rows.filter(({ kind }) => kind === 'tool_unknown')).toMatchObject([
    { channel_name: 'one', model: 'gpt-4o', calls: 2, detail: 'deep_crawl, news_search' },
  ])
})

test('a price that is at least the vendor’s cost raises a charge to it, and its entry can be recomputed', async () => {
  const value = JSON.stringify({ 'gpt-4o-mini': 1.5 })
  await gateway.root.call(routes.option.update, { body: { key: 'VendorCostRatio', value } })
  upstream.respond = answerWith({ usage: { prompt_tokens: 1_000, completion_tokens: 100, cost: 0.0004 } })
  const messages = [{ role: 'user', content: 'word '.repeat(1_000) }]
  const body = { model: 'gpt-4o-mini', max_tokens: 2_000, messages }
  const { status, requestId } = await relayCall({ address: gateway.address, key, body })
  expect(status).toBe(200)
  const find = async () =>
    (await gateway.root.call(routes.log.list, { query: { request_id: requestId } })).items[0]
  // 0.0004 dollars are 200 units, of which the usage alone would cost 105.
  await expect.poll(async () => (await find())?.quota).toBe(300)
  const row = await find()
  expect(JSON.parse(row?.other ?? '{}').receipt.parts).toMatchObject([
    { kind: 'vendor_cost', usage: { turns: 195 } },
  ])
  expect(row?.cost).toBe(200)
})
