import { channelRoutes } from '@tollgate/contract/channel'
import { groupRoutes } from '@tollgate/contract/group'
import { modelRoutes } from '@tollgate/contract/model'
import { pricingRoutes } from '@tollgate/contract/pricing'
import { writeOption } from '@tollgate/store/operations/options'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'
import { OPENAI } from './fake-upstreams.ts'

const alice = actor(7)
const staff = actor(8, { group: 'svip' })
const root = actor(1, { role: 100 })

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

async function serve(fields: Record<string, unknown>): Promise<void> {
  const key = 'sk-0123456789abcdefghijklmnop'
  const body = { name: 'main', type: OPENAI, key, models: 'gpt-4o', group: 'default', ...fields }
  await harness.call(channelRoutes.create, { as: root, body })
}

async function setOption(key: string, value: string): Promise<void> {
  const shown = { shownValue: value, shownBefore: (before: string) => before, nowMs: 0, actorId: 1 }
  await writeOption(harness.store, { key, value, ...shown })
  await harness.notices.publish('options')
}

describe('groups', () => {
  it('a user sees the public groups and the own one', async () => {
    const everybody = (await harness.call(groupRoutes.public)).data
    expect(Object.keys(everybody)).toEqual(['default', 'vip'])
    expect(everybody['default']).toMatchObject({ ratio: 1 })
    expect(Object.keys((await harness.call(groupRoutes.own, { as: staff })).data)).toContain('svip')
    expect((await harness.call(groupRoutes.list, { as: root })).data).toEqual(['default', 'svip', 'vip'])
  })

  it('groups without a ratio are not offered, and a ratio between groups is shown where there is one', async () => {
    await setOption('GroupRatio', '{"default":1,"svip":0.5}')
    await setOption('GroupGroupRatio', '{"svip":{"default":0.25}}')
    expect((await harness.call(groupRoutes.own, { as: staff })).data).toMatchObject({
      default: { ratio: 0.25 },
      svip: { ratio: 0.5 },
    })
    expect(Object.keys((await harness.call(groupRoutes.public)).data)).toEqual(['default'])
  })
})

describe('models', () => {
  it('a user sees the models of all usable groups, each once, or an empty list', async () => {
    expect((await harness.call(modelRoutes.own, { as: alice })).data).toEqual([])
    await serve({ models: 'gpt-4o,o1' })
    await serve({ models: 'gpt-4o', group: 'vip' })
    await serve({ models: 'secret-model', group: 'svip' })
    expect((await harness.call(modelRoutes.own, { as: alice })).data).toEqual(['gpt-4o', 'o1'])
    expect((await harness.call(modelRoutes.own, { as: staff })).data).toContain('secret-model')
  })

  it('models by type are arrays, never null', async () => {
    const { data } = await harness.call(modelRoutes.builtIn, { as: alice })
    expect(data).toEqual({ 1: ['gpt-4o', 'o1'], 8: ['gpt-4o'], 18: ['gpt-4o'] })
  })
})

describe('the price list', () => {
  it('the list is empty without channels', async () => {
    expect((await harness.call(pricingRoutes.list)).data).toEqual([])
  })

  it('the list shows only models and groups that the viewer may use', async () => {
    await serve({ models: 'gpt-4o', group: 'default,svip' })
    await serve({ models: 'o1', group: 'svip' })
    const guest = await harness.call(pricingRoutes.list)
    expect(guest.data.map((row) => [row.model_name, row.enable_groups])).toEqual([['gpt-4o', ['default']]])
    expect(guest.extra).toMatchObject({
      group_ratio: { default: 1, vip: 1 },
      usable_group: { default: expect.any(String), vip: expect.any(String) },
    })
    expect(guest.extra).not.toHaveProperty('group_ratio.svip')
    const member = await harness.call(pricingRoutes.list, { as: staff })
    expect(member.data.map((row) => [row.model_name, row.enable_groups])).toEqual([
      ['gpt-4o', ['default', 'svip']],
      ['o1', ['svip']],
    ])
  })

  it('the list shows the price with which a call is admitted, by usage or by call', async () => {
    await setOption('ModelPrice', '{"draw":0.1}')
    await setOption('ModelRatio', '{"gpt-4o":1.25}')
    await serve({ models: 'gpt-4o,draw' })
    const { data } = await harness.call(pricingRoutes.list)
    expect(data).toMatchObject([
      { model_name: 'draw', quota_type: 1, model_price: 0.1, model_ratio: 0 },
      { model_name: 'gpt-4o', quota_type: 0, model_price: 0, model_ratio: 1.25, owner_by: 'openai' },
    ])
  })

  it('the list shows no tool prices for a model without tools', async () => {
    await setOption('ToolPrices', '{"web_search":10}')
    await setOption('ModelRatio', '{"gpt-4o":1.25,"text-embedding-3-small":0.01}')
    await setOption('ModelPrice', '{"viduq1":0.1,"viduq1@1080p":0.2}')
    await serve({ models: 'gpt-4o,text-embedding-3-small,viduq1' })
    const { data } = await harness.call(pricingRoutes.list)
    expect(data.map(({ tool_prices: prices }) => prices)).toEqual([
      {
        web_search: 10,
        web_search_preview: 25,
        file_search: 2.5,
        image_generation: 150,
        code_interpreter: 30,
        hosted_shell: 30,
      },
      {},
      {},
    ])
  })

  it('the list shows tool prices only for models of the tool’s vendor', async () => {
    await setOption('ToolPrices', '{"web_search":10,"file_search":2.5,"google_search":14,"own_tool":1}')
    const models = 'gpt-4o,claude-3-5-sonnet-20241022,gemini-2.5-pro,my-model'
    await setOption('ModelRatio', JSON.stringify(Object.fromEntries(models.split(',').map((id) => [id, 1]))))
    await serve({ models })
    const { data } = await harness.call(pricingRoutes.list)
    const tools = data.map((row) => [row.model_name, Object.keys(row.tool_prices)])
    const listed = ['web_search_preview', 'image_generation', 'code_interpreter', 'hosted_shell']
    expect(Object.fromEntries(tools)).toEqual({
      'gpt-4o': ['web_search', 'file_search', 'own_tool', ...listed],
      'claude-3-5-sonnet-20241022': ['web_search', 'own_tool'],
      'gemini-2.5-pro': ['web_search', 'own_tool'],
      'my-model': ['web_search', 'file_search', 'own_tool', ...listed],
    })
  })

  it('the list shows what the vendor documents about a model, and nothing for an unknown one', async () => {
    await serve({ models: 'gpt-4o,my-model' })
    await setOption('ModelRatio', '{"gpt-4o":1,"my-model":1}')
    const { data } = await harness.call(pricingRoutes.list)
    expect(Object.fromEntries(data.map((row) => [row.model_name, row.facts]))).toEqual({
      'gpt-4o': {
        context_tokens: 128_000,
        output_tokens_max: 16_384,
        input: ['text', 'image', 'file'],
        output: ['text'],
        shutdown_date: '2027-01-14',
      },
      'my-model': {},
    })
  })

  it('the list shows the parameters that a model accepts on its channels', async () => {
    const setting = '{"model_traits":{"gpt-5.2":{"efforts":["low"]}}}'
    await serve({ models: 'gpt-5.2', setting })
    await serve({ models: 'claude-opus-5,my-model,gpt-4o' })
    await serve({ models: 'gpt-4o', setting: '{"model_traits":{"gpt-4o":{"efforts":["low"]}}}' })
    await setOption('ModelRatio', '{"gpt-5.2":1,"claude-opus-5":1,"my-model":1,"gpt-4o":1}')
    const { data } = await harness.call(pricingRoutes.list)
    expect(Object.fromEntries(data.map((row) => [row.model_name, row.traits]))).toMatchObject({
      'gpt-5.2': { efforts: ['low'], reasons: true },
      'claude-opus-5': { refuses: ['temperature', 'top_p', 'top_k'], thinking_budget: false },
      'my-model': {},
      // The channels of this model differ.
      'gpt-4o': { efforts: [] },
    })
  })

  it('the list shows prices of tools, one-hour cache writes and long calls', async () => {
    await setOption('ToolPrices', '{"web_search":10,"web_search:gpt-4o*":25,"file_search":0}')
    await setOption('CreateCacheRatio', '{"gpt-4o":1.5}')
    await setOption('ContextTierRatio', '{"gpt-4o*":[{"above":200000,"input":2,"output":1.5}]}')
    await serve({ models: 'gpt-4o,o1' })
    const { data } = await harness.call(pricingRoutes.list)
    expect(data).toMatchObject([
      { model_name: 'gpt-4o', owner_name: 'OpenAI', tool_prices: { web_search: 25 } },
      { model_name: 'o1', tool_prices: { web_search: 10 } },
    ])
    expect(data[0]).toMatchObject({ cache_creation_ratio: 1.5, cache_creation_1h_ratio: 2.4 })
    const longer = [{ above: 200_000, input: 2, output: 1.5, cache: 2 }]
    expect(data.map((row) => row.context_tiers)).toEqual([longer, []])
    expect(data[0]?.tool_prices).not.toHaveProperty('file_search')
  })

  it('the list shows the price of a video by its options', async () => {
    await setOption('ModelPrice', '{"viduq1":0.1,"viduq1@pro+1080p":0.4}')
    await setOption('ModelRatio', '{"viduq1@flex":3}')
    await serve({ models: 'viduq1' })
    const { data } = await harness.call(pricingRoutes.list)
    expect(data[0]?.quality_prices).toEqual([
      { quality: '1080p+pro', quota_type: 1, model_price: 0.4, model_ratio: 0 },
      { quality: 'flex', quota_type: 0, model_price: 0, model_ratio: 3 },
    ])
  })

  it('the list omits a model without a price, whose calls would be refused', async () => {
    await serve({ models: 'gpt-4o,nobody-knows-this' })
    const { data } = await harness.call(pricingRoutes.list)
    expect(data.map((row) => row.model_name)).toEqual(['gpt-4o'])
  })

  it('the ratios can be reset to the built-in ones, with a history row', async () => {
    await setOption('ModelRatio', '{"gpt-4o":999}')
    const { message } = await harness.call(pricingRoutes.resetModelRatio, { as: root })
    expect(message).not.toBe('')
    await serve({ models: 'gpt-4o' })
    expect((await harness.call(pricingRoutes.list)).data[0]?.model_ratio).toBe(1.25)
    const changes = await harness.store.selectFrom('option_changes').selectAll().execute()
    expect(changes).toHaveLength(2)
  })
})
