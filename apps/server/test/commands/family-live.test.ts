import { createHash } from 'node:crypto'
import { routes } from '@tollgate/contract/routes'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningServer, startServer } from '../../src/app/index.ts'
import { readConfig } from '../../src/config/index.ts'
import { Visitor } from '../harness.ts'
import {
  ALL_CODES,
  CODE_QUOTA,
  FAMILY_PASSWORD,
  MODEL_RATIOS,
  codeOf,
  fitRows,
  keyOf,
  makeRows,
} from './support/family-rows.ts'
import { makeSchema } from './support/family-schema.ts'
import { SECRETS, type TargetFolder, makeTarget } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'

/** The gateway over an imported database of the newest release: what ended there has ended here. */

let source: SourceDatabase
let target: TargetFolder
let server: RunningServer
let person: Visitor
let upstream: FakeUpstream

beforeAll(async () => {
  const schema = makeSchema('2026-09')
  const tables = fitRows(await makeRows('2026-09'), schema)
  const payment = Object.entries({ PayAddress: 'https://pay.example', EpayId: '1001', EpayKey: 'epay-key' })
  const ratios = { ...JSON.parse(MODEL_RATIOS), 'gpt-4.1': 1, 'gpt-4.1-mini': 0.2 }
  const options = [
    ...(tables['options'] ?? []).filter(({ key }) => key !== 'ModelRatio'),
    { key: 'ModelRatio', value: JSON.stringify(ratios) },
    ...payment.map(([key, value]) => ({ key, value })),
  ]
  upstream = await startFakeUpstream({ keepsRequests: true })
  const own = (tables['channels'] ?? []).map((row) => ({
    ...row,
    base_url: upstream.url,
    // Dify speaks another format than the upstream.
    models: row['type'] === 1 ? `${Object.keys(PRICES).join(',')},priced-by-hour` : 'of-dify',
  }))
  const channels = [...own, ...severalKeys(upstream.url)]
  source = await sqliteSource({ schema, tables: { ...tables, options, channels } })
  target = makeTarget()
  await target.import(source.place, { creditsPlans: true })
  await target.import(source.place, { creditsPlans: true })
  const environment = {
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '1',
    EGRESS_ALLOW: '127.0.0.1',
    GLOBAL_API_RATE_LIMIT: '1000000',
  }
  server = await startServer(readConfig({ ...SECRETS, ...environment, SQLITE_PATH: target.sqlitePath }))
  person = new Visitor(server.address)
  await person.signIn({ username: 'person2', password: FAMILY_PASSWORD })
})
afterAll(async () => {
  await server.close({ drainMs: 0 })
  await upstream.close()
  target.drop()
  await source.drop()
})

/**
 * Units for an input and an output token in the source: ratio, and ratio x output ratio; of the expression, dollars
 * per million tokens by half a million units. The output ratio of both models of OpenAI is 4 there.
 */
const PRICES = {
  'gpt-4o': [1.25, 5],
  'gpt-4o-mini': [0.075, 0.3],
  'priced-by-expression': [1.5, 7.5],
} as const

/** Channels of three keys each, in both modes of the source. */
const SEVERAL = { polling: 'gpt-4.1', random: 'gpt-4.1-mini' } as const

function severalKeys(baseUrl: string) {
  return Object.entries(SEVERAL).map(([mode, models], index) => ({
    id: 11 + index,
    name: mode,
    type: 1,
    status: 1,
    group: 'default',
    base_url: baseUrl,
    auto_ban: 1,
    models,
    key: ['a', 'b', 'c'].map((letter) => `sk-${mode}-${letter}-0000000`).join('\n'),
    channel_info: JSON.stringify({ is_multi_key: true, multi_key_size: 3, multi_key_mode: mode }),
  }))
}

const balance = async (): Promise<number> => (await person.call(routes.user.readSelf)).quota
const PLAN_REST = 5_000_000 - 12_345

describe('after an import', () => {
  it('the rest of a plan was credited once', async () => {
    expect(await balance()).toBe(1_000_000 + PLAN_REST)
  })

  it.each(['ended', 'used', 'off'] as const)('a code that is %s gives nothing', async (name) => {
    const before = await balance()
    await expect(
      person.call(routes.redemption.redeem, { body: { key: codeOf(ALL_CODES[name]) } }),
    ).rejects.toThrow()
    expect(await balance()).toBe(before)
  })

  it.each(['open', 'endless'] as const)('a code that is %s gives its quota, once', async (name) => {
    const before = await balance()
    const body = { key: codeOf(ALL_CODES[name]) }
    await person.call(routes.redemption.redeem, { body })
    await expect(person.call(routes.redemption.redeem, { body })).rejects.toThrow()
    expect(await balance()).toBe(before + CODE_QUOTA)
  })

  it.each([
    ['open', 200],
    ['ended', 401],
    ['off', 401],
    ['limited', 403],
    ['spent', 401],
  ] as const)('a call with the key %s answers %i', async (name, status) => {
    const headers = { authorization: `Bearer sk-${keyOf(name)}` }
    expect((await fetch(`${server.address}/v1/models`, { headers })).status).toBe(status)
  })

  it.each(Object.entries(PRICES))(
    'a call of %s costs what the source would charge',
    async (model, [input, output]) => {
      const before = await balance()
      const calls = upstream.book.length
      const response = await callModel('open', model)
      expect(response.status).toBe(200)
      const { usage } = usageSchema.parse(await response.json())
      const charge = Math.round(usage.prompt_tokens * input + usage.completion_tokens * output)
      await expect.poll(async () => before - (await balance())).toBe(charge)
      // Keys that were switched off one by one are not used.
      const sent = upstream.book.slice(calls).map(({ request }) => request?.headers['authorization'])
      expect(sent).toHaveLength(1)
      expect(['Bearer sk-plain-key-of-the-channel', 'Bearer sk-first-key-0000']).toContain(sent[0])
    },
  )

  it('a call of a model whose price could not be kept is refused and costs nothing', async () => {
    const before = await balance()
    const calls = upstream.book.length
    expect((await callModel('open', 'priced-by-hour')).status).toBeGreaterThanOrEqual(400)
    expect([await balance(), upstream.book.length]).toEqual([before, calls])
  })

  it.each(['ended', 'off', 'limited', 'spent'] as const)(
    'a call with the key %s reaches no provider',
    async (name) => {
      const calls = upstream.book.length
      expect((await callModel(name, 'gpt-4o')).status).toBeGreaterThanOrEqual(400)
      expect(upstream.book).toHaveLength(calls)
    },
  )

  it.each(Object.entries(SEVERAL))(
    'the keys of a channel of mode %s are taken in turn, each as often as the others',
    async (mode, model) => {
      const calls = upstream.book.length
      for (let call = 0; call < 9; call++) expect((await callModel('open', model)).status).toBe(200)
      const sent = upstream.book.slice(calls).map(({ request }) => request?.headers['authorization'])
      const keys = ['a', 'b', 'c'].map((letter) => `Bearer sk-${mode}-${letter}-0000000`)
      expect(sent).toEqual([...keys, ...keys, ...keys])
    },
  )

  it.each(['T3', 'T4'])(
    'the order %s of another gateway cannot be paid, by form or by notice',
    async (tradeNo) => {
      const before = await balance()
      await expect(person.call(routes.topUp.payOrder, { params: { trade_no: tradeNo } })).rejects.toThrow()
      for (const type of ['stripe', 'creem', 'alipay']) {
        const fields = {
          money: tradeNo === 'T3' ? '0.57' : '1.50',
          name: 'TUC',
          out_trade_no: tradeNo,
          pid: '1001',
          trade_no: `P-${tradeNo}-${type}`,
          trade_status: 'TRADE_SUCCESS',
          type,
        }
        expect(await (await fetch(`${server.address}/api/user/epay/notify?${signed(fields)}`)).text()).toBe(
          'fail',
        )
      }
      expect(await balance()).toBe(before)
    },
  )

  it('a pending order of Epay is paid with what the source would have credited', async () => {
    const before = await balance()
    const fields = {
      money: '36.50',
      name: 'TUC5',
      out_trade_no: 'T2',
      pid: '1001',
      trade_no: 'P-T2',
      trade_status: 'TRADE_SUCCESS',
      type: 'wxpay',
    }
    const notice = `${server.address}/api/user/epay/notify?${signed(fields)}`
    expect(await (await fetch(notice)).text()).toBe('success')
    expect(await (await fetch(notice)).text()).toBe('success')
    expect(await balance()).toBe(before + 2_500_000)
  })

  it('paid orders are shown with their quota and credited no second time', async () => {
    const orders = await person.call(routes.topUp.listOwn, { query: {} })
    const paid = orders.items.filter(({ status, trade_no }) => status === 'success' && trade_no !== 'T2')
    expect(paid.map(({ trade_no, quota, gateway }) => [trade_no, quota, gateway])).toEqual([
      ['T5', 250_000, 'creem'],
      ['T1', 5_000_000, 'epay'],
    ])
  })

  it('keys that were switched off one by one are off', async () => {
    const root = new Visitor(server.address)
    await root.signIn({ username: 'root', password: FAMILY_PASSWORD })
    const keys = await root.call(routes.channelKey.list, { params: { id: 2 }, query: {} })
    expect(keys.map(({ status, reason }) => [status, reason])).toEqual([
      [1, ''],
      [3, '401 invalid key'],
      [2, ''],
    ])
  })
})

const usageSchema = z.object({ usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }) })

function callModel(name: Parameters<typeof keyOf>[0], model: string): Promise<Response> {
  return fetch(`${server.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${keyOf(name)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'What is left after a move?' }] }),
  })
}

function signed(fields: Readonly<Record<string, string>>): string {
  const text = Object.entries(fields)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  const sign = createHash('md5').update(`${text}epay-key`).digest('hex')
  return new URLSearchParams({ ...fields, sign, sign_type: 'MD5' }).toString()
}
