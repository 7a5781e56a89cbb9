import { channelRoutes } from '@tollgate/contract/channel'
import { Problem } from '@tollgate/problems/problem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ServiceHarness, actor, openServiceHarness } from './service-harness.ts'
import { CUSTOM, OPENAI, SPARK } from './fake-upstreams.ts'

const admin = actor(2, { role: 10 })
const KEY = 'sk-0123456789abcdefghijklmnop'

let harness: ServiceHarness

beforeEach(async () => {
  harness = await openServiceHarness()
})
afterEach(() => harness.close())

const plain = { name: 'main', type: OPENAI, key: KEY, models: 'gpt-4o,o1', group: 'default' }

async function create(body: Record<string, unknown> = {}): Promise<number> {
  return (await harness.call(channelRoutes.create, { as: admin, body: { ...plain, ...body } })).data.id
}

async function read(id: number) {
  return (await harness.call(channelRoutes.get, { as: admin, params: { id } })).data
}

function ask(type: number) {
  const body = { type, key: KEY, base_url: 'https://x.example' }
  return harness.call(channelRoutes.fetchModelsByForm, { as: admin, body })
}

function readWords(error: unknown): string {
  return error instanceof Problem ? error.textIn('en') : ''
}

describe('the model list of an upstream', () => {
  it('the list is requested with the stored address and key', async () => {
    const id = await create({ base_url: 'https://proxy.example/' })
    const { data } = await harness.call(channelRoutes.fetchModels, { as: admin, params: { id } })
    expect(data).toEqual(['gpt-4o', 'o1'])
    expect(harness.outside.requests).toMatchObject([
      {
        url: 'https://proxy.example/v1/models',
        headers: { authorization: `Bearer ${KEY}` },
        timeoutMs: 15_000,
      },
    ])
  })

  it('the list is requested with the values of a form and its first key', async () => {
    const body = { type: OPENAI, key: `${KEY}\nsk-other`, base_url: '' }
    await harness.call(channelRoutes.fetchModelsByForm, { as: admin, body })
    expect(harness.outside.requests).toMatchObject([
      { url: 'https://api.openai.example/v1/models', headers: { authorization: `Bearer ${KEY}` } },
    ])
  })

  it('the list is requested through the channel’s proxy, saved or not, and not at all with an invalid one', async () => {
    const setting = '{"proxy":"socks5://proxy.example:1080"}'
    const id = await create({ setting })
    await harness.call(channelRoutes.fetchModels, { as: admin, params: { id } })
    await harness.call(channelRoutes.updateBalance, { as: admin, params: { id } }).catch(() => undefined)
    const body = { type: OPENAI, key: KEY }
    await harness.call(channelRoutes.fetchModelsByForm, { as: admin, body: { ...body, setting } })
    const proxies = harness.outside.requests.map(({ proxy }) => proxy)
    expect(proxies).toEqual(Array(3).fill('socks5://proxy.example:1080'))
    const wrong = { ...body, setting: '{"proxy":"ftp://proxy.example"}' }
    const refused = harness.call(channelRoutes.fetchModelsByForm, { as: admin, body: wrong })
    await expect(refused).rejects.toThrow('proxy_invalid')
    expect(harness.outside.requests).toHaveLength(3)
  })

  it.each([
    '{"error":{"message":"Invalid API key"}}',
    '{"error":"Invalid API key"}',
    '{"success":false,"message":"Invalid API key"}',
    '{"data":[],"error":{"message":"Invalid API key"}}',
  ])('a caller reads the vendor’s words where status 200 says why not: %s', async (body) => {
    harness.outside.answer = { status: 200, body }
    const refused = ask(OPENAI)
    await expect(refused).rejects.toThrow('channel_models_refused')
    expect(await refused.catch(readWords)).toContain('Invalid API key')
  })

  it.each([
    [401, '{}', 'channel_models_status'],
    [200, '<html>', 'channel_models_unreadable'],
  ])('an upstream that responds %d %s gives a readable error', async (status, body, code) => {
    harness.outside.answer = { status, body }
    const asked = harness.call(channelRoutes.fetchModelsByForm, {
      as: admin,
      body: { type: OPENAI, key: KEY },
    })
    await expect(asked).rejects.toThrow(code)
  })

  it('an empty list is returned as an empty array', async () => {
    harness.outside.answer = { status: 200, body: '{"data":null}' }
    const id = await create()
    const { data } = await harness.call(channelRoutes.fetchModels, { as: admin, params: { id } })
    expect(data).toEqual([])
  })

  it('the list is refused for an unknown type and for a type without one', async () => {
    await expect(ask(999)).rejects.toThrow('channel_type_unknown')
    await expect(ask(CUSTOM)).rejects.toThrow('channel_models_not_listed')
  })
})

describe('a channel test', () => {
  const failed = { ok: false, message: 'status code 500', durationMs: 311, keys: [] }

  it('a test returns and stores its duration, without changing status or version', async () => {
    const id = await create()
    harness.outside.probeResult = {
      ok: true,
      message: '',
      durationMs: 842,
      model: 'gpt-4o',
      usage: { inputTokens: 8, outputTokens: 1 },
      units: 13n,
      keys: [],
    }
    const { data, extra } = await harness.call(channelRoutes.test, { as: admin, params: { id } })
    expect(extra).toEqual({ success: true, time: 0.842 })
    expect(data).toEqual({ model: 'gpt-4o', prompt_tokens: 8, completion_tokens: 1, quota: 13 })
    expect(await read(id)).toMatchObject({ response_time: 842, status: 1, version: 1 })
  })

  it('a failed test returns its duration too', async () => {
    const id = await create()
    harness.outside.probeResult = { ...failed, message: 'status code 401' }
    const { message, extra } = await harness.call(channelRoutes.test, { as: admin, params: { id } })
    expect([message, extra]).toEqual(['status code 401', { success: false, time: 0.311 }])
    expect((await read(id)).response_time).toBe(311)
  })

  it('a test stores its outcome, status, reason without secrets and model at the channel', async () => {
    const id = await create()
    expect(await read(id)).toMatchObject({ test_outcome: '', test_status: 0, test_message: '' })
    const message = `status code 401: Incorrect API key provided: ${KEY}. ${'Long text. '.repeat(100)}`
    harness.outside.probeResult = { ...failed, message, status: 401, model: 'o1' }
    await harness.call(channelRoutes.test, { as: admin, params: { id } })
    const kept = await read(id)
    expect(kept).toMatchObject({ test_outcome: 'failed', test_status: 401, tested_model: 'o1', version: 1 })
    expect(kept.test_message).toMatch(/^status code 401: Incorrect API key provided: \[key\]\. Long.*…$/)
    expect(kept.test_message).toHaveLength(255)
    harness.outside.probeResult = {
      ok: true,
      message: '',
      durationMs: 9,
      keys: [],
      status: 200,
      model: 'gpt-4o',
    }
    await harness.call(channelRoutes.test, { as: admin, params: { id } })
    expect(await read(id)).toMatchObject({
      test_outcome: 'ok',
      test_status: 200,
      test_message: '',
      tested_model: 'gpt-4o',
    })
  })

  it('channels can be filtered by the outcome of their last test', async () => {
    const [bad] = [await create({ name: 'bad' }), await create({ name: 'untested' })]
    harness.outside.probeResult = failed
    await harness.call(channelRoutes.test, { as: admin, params: { id: bad } })
    const found = async (outcome: string) => {
      const query = { test_outcome: outcome }
      const { data, extra } = await harness.call(channelRoutes.list, { as: admin, query })
      return [data.map(({ name }) => name), extra['total']]
    }
    expect(await found('failed')).toEqual([['bad'], 1])
    expect(await found('ok')).toEqual([[], 0])
    expect(await found('')).toEqual([['untested', 'bad'], 2])
  })

  it('a test of an unknown channel is refused', async () => {
    const asked = harness.call(channelRoutes.test, { as: admin, params: { id: 404 } })
    await expect(asked).rejects.toThrow('not_found')
  })
})

describe('catalogues', () => {
  it('each model is listed once, and each type with what its form needs', async () => {
    await create({ models: 'o1,gpt-4o' })
    await create({ models: 'o1,extra' })
    const models = await harness.call(channelRoutes.models, { as: admin })
    expect(models.data.map(({ id, owned_by: owner }) => [id, owner])).toEqual([
      ['gpt-4o', 'openai'],
      ['o1', 'openai'],
    ])
    expect((await harness.call(channelRoutes.modelsEnabled, { as: admin })).data).toEqual([
      'extra',
      'gpt-4o',
      'o1',
    ])
    expect((await harness.call(channelRoutes.types, { as: admin })).data).toMatchObject([
      { type: OPENAI, label: 'OpenAI', can_list_models: true },
      { type: CUSTOM, base_url: '', can_list_models: false },
      { type: SPARK, other: { usual: 'v2.1' } },
    ])
    expect((await harness.call(channelRoutes.fix, { as: admin })).data).toBe(2)
  })
})
