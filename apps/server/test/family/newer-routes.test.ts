import { readFileSync } from 'node:fs'
import { familyRoutes } from '@tollgate/contract/family'
import { channelKeyRoutes } from '@tollgate/contract/channel-key'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type TestServer, startTestServer } from '../harness.ts'
import { oldConsole } from './old-client.ts'

/**
 * Routes of new-api added since July 2025, which its consoles and scripts call, with the response shapes they
 * expect.
 */

let gateway: TestServer
let root: ReturnType<typeof oldConsole>
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  root = oldConsole(gateway.root)
})
afterAll(() => gateway.close())

const key = (name: string) => `sk-0123456789-${name}-abcdefghijkl`
/** A channel as the form of new-api sends it, including members that Tollgate ignores. */
const channel = {
  name: 'main',
  type: 1,
  base_url: '',
  other: '',
  openai_organization: '',
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default',
  groups: ['default'],
  priority: 0,
  weight: 0,
  auto_ban: 1,
  test_model: '',
  tag: '',
  model_mapping: '',
  status_code_mapping: '',
  setting:
    '{"force_format":false,"thinking_to_content":false,"proxy":"","pass_through_body_enabled":false,"system_prompt":""}',
  settings: '{}',
  remark: '',
  is_enterprise_account: false,
}

async function create(body: Record<string, unknown>): Promise<z.output<typeof createdSchema>> {
  const answer = await root('POST', '/api/channel/', body)
  expect(answer).toMatchObject({ success: true, message: '' })
  return createdSchema.parse(answer.data)
}
const createdSchema = z.object({ id: z.int(), ids: z.array(z.int()).optional() })

const shown = z.record(z.string(), z.unknown())
const read = async (id: number) => shown.parse((await root('GET', `/api/channel/${id}`)).data)

describe('creating a channel with the request wrapper of new-api', () => {
  test('mode single creates one channel with its key', async () => {
    const { id, ids } = await create({ mode: 'single', channel: { ...channel, key: key('one') } })
    expect(ids).toBeUndefined()
    expect(await read(id)).toMatchObject({ name: 'main', key_count: 1, models: 'gpt-4o,gpt-4o-mini' })
  })

  test('mode multi_to_single creates one channel with several keys', async () => {
    const keys = `${key('a')}\n${key('b')}`
    const { id } = await create({
      mode: 'multi_to_single',
      multi_key_mode: 'random',
      channel: { ...channel, key: keys },
    })
    expect(await read(id)).toMatchObject({ key_count: 2 })
  })

  test('mode batch creates a channel for each key, all of them or none', async () => {
    const keys = ['c', 'd', 'e'].map(key).join('\n')
    const { id, ids = [] } = await create({ mode: 'batch', channel: { ...channel, key: keys } })
    expect(ids).toHaveLength(3)
    expect(ids[0]).toBe(id)
    for (const one of ids) expect(await read(one)).toMatchObject({ name: 'main', key_count: 1 })
    const before = await root('GET', '/api/channel/')
    const many = Array.from({ length: 501 }, (_, place) => key(String(place))).join('\n')
    expect(
      await root('POST', '/api/channel/', { mode: 'batch', channel: { ...channel, key: many } }),
    ).toMatchObject({
      success: false,
      code: 'channel_keys_too_many',
    })
    expect((await root('GET', '/api/channel/')).total).toBe(before.total)
  })

  test('channels of a batch can be named by their key previews, which show no more than elsewhere', async () => {
    const { ids = [] } = await create({
      mode: 'batch',
      batch_add_set_key_prefix_2_name: true,
      channel: { ...channel, key: `${key('f')}\n${key('g')}` },
    })
    const rows = await Promise.all(ids.map(read))
    expect(rows.map((row) => row['name'])).toEqual(['main sk-012***ijkl', 'main sk-012***ijkl'])
  })

  test('a channel without a type is refused, with and without the wrapper', async () => {
    for (const body of [
      { name: 'x', key: key('h') },
      { mode: 'single', channel: { name: 'x' } },
    ])
      expect(await root('POST', '/api/channel/', body)).toMatchObject({
        success: false,
        code: 'input_invalid',
      })
    expect(await root('POST', '/api/channel/', { mode: 'other', channel })).toMatchObject({ success: false })
  })
})

test('a channel is copied with its key, disabled, and with the suffix in its name', async () => {
  const { id } = await create({ mode: 'single', channel: { ...channel, name: 'source', key: key('copied') } })
  const copied = await root('POST', `/api/channel/copy/${id}?suffix=_2&reset_balance=true`)
  expect(copied).toMatchObject({ success: true, message: '', data: { id: expect.any(Number) } })
  expect(await read(createdSchema.parse(copied.data).id)).toMatchObject({
    name: 'source_2',
    status: 2,
    key_count: 1,
  })
  const again = await root('POST', `/api/channel/copy/${id}`)
  expect(await read(createdSchema.parse(again.data).id)).toMatchObject({ name: 'source_复制' })
  expect(await root('POST', '/api/channel/copy/99999')).toMatchObject({ success: false, code: 'not_found' })
})

describe('the keys of a channel', () => {
  let id: number
  const manage = (action: string, more: object = {}) =>
    root('POST', '/api/channel/multi_key/manage', { channel_id: id, action, ...more })
  const statuses = async () => {
    const { data } = await manage('get_key_status')
    return z
      .object({ keys: z.array(z.object({ status: z.int() })) })
      .parse(data)
      .keys.map(({ status }) => status)
  }

  beforeAll(async () => {
    const keys = ['a', 'b', 'c'].map(key).join('\n')
    ;({ id } = await create({ mode: 'multi_to_single', channel: { ...channel, key: keys } }))
  })

  test('keys are listed in pages with index and status, without the keys themselves', async () => {
    const { data, success } = await manage('get_key_status', { page: 2, page_size: 2 })
    expect(success).toBe(true)
    expect(data).toEqual({
      keys: [{ index: 2, status: 1, key_preview: 'sk-012***ijkl' }],
      total: 3,
      page: 2,
      page_size: 2,
      total_pages: 2,
      enabled_count: 3,
      manual_disabled_count: 0,
      auto_disabled_count: 0,
    })
  })

  test('keys are enabled and disabled one by one and all together', async () => {
    expect(await manage('disable_key', { key_index: 1 })).toMatchObject({ success: true })
    expect(await statuses()).toEqual([1, 2, 1])
    const { data } = await manage('get_key_status', { status: 2 })
    const one = { index: 1, status: 2, reason: '', disabled_time: expect.any(Number) }
    expect(data).toMatchObject({ total: 1, manual_disabled_count: 1, keys: [one] })
    await manage('enable_key', { key_index: 1 })
    await manage('disable_all_keys')
    expect(await statuses()).toEqual([2, 2, 2])
    await manage('enable_all_keys')
    expect(await statuses()).toEqual([1, 1, 1])
  })

  test('a key is deleted by its index, except for the last one', async () => {
    expect(await manage('delete_key', { key_index: 0 })).toMatchObject({ success: true })
    expect(await statuses()).toHaveLength(2)
    expect(await manage('delete_disabled_keys')).toMatchObject({ success: true, data: 0 })
    await manage('delete_key', { key_index: 0 })
    expect(await manage('delete_key', { key_index: 0 })).toMatchObject({ code: 'channel_last_key' })
  })

  test('an unknown key index or action is refused', async () => {
    expect(await manage('disable_key', { key_index: 7 })).toMatchObject({ code: 'channel_key_unknown' })
    expect(await manage('disable_key')).toMatchObject({ code: 'channel_key_unknown' })
    expect(await manage('show_key', { key_index: 0 })).toMatchObject({ code: 'input_invalid' })
    expect(await manage('enable_key', { key_index: -1 })).toMatchObject({ code: 'input_invalid' })
  })
})

test('the models of a tag are those of its channel with the most models', async () => {
  for (const models of ['gpt-4o', 'gpt-4o,o1,o3', 'o1'])
    await create({ mode: 'single', channel: { ...channel, tag: 'team', models, key: key(models) } })
  expect(await root('GET', '/api/channel/tag/models?tag=team')).toMatchObject({
    success: true,
    data: 'gpt-4o,o1,o3',
  })
  expect(await root('GET', '/api/channel/tag/models?tag=nobody')).toMatchObject({ success: true, data: '' })
  expect(await root('GET', '/api/channel/tag/models')).toMatchObject({ code: 'channel_tag_missing' })
})

test('used, disabled and expired redemption codes are deleted together', async () => {
  const { db } = gateway.server.store
  const keys = (name: string, more: object = {}) =>
    gateway.root.call(routes.redemption.create, { body: { name, quota: 100, count: 1, ...more } })
  await keys('kept')
  await keys('kept until tomorrow', { valid_until: Math.floor(Date.now() / 1000) + 86_400 })
  for (const name of ['used', 'disabled', 'late']) await keys(name)
  const set = (name: string, change: { status: number } | { valid_until: number }) =>
    db.updateTable('redemptions').set(change).where('name', '=', name).execute()
  await set('used', { status: 3 })
  await set('disabled', { status: 2 })
  await set('late', { valid_until: 1_700_000_000 })
  expect(await root('DELETE', '/api/redemption/invalid')).toMatchObject({
    success: true,
    message: '',
    data: 3,
  })
  const { items } = await gateway.root.call(routes.redemption.list, {})
  expect(items.map(({ name }) => name).toSorted()).toEqual(['kept', 'kept until tomorrow'])
})

const set = (name: string, value: string) =>
  gateway.root.call(routes.option.update, { body: { key: name, value } })

describe('the daily check-in', () => {
  test('a check-in is refused while check-ins are switched off', async () => {
    expect(await root('GET', '/api/user/checkin')).toMatchObject({ success: false, code: 'check_in_closed' })
    expect(await root('POST', '/api/user/checkin')).toMatchObject({ success: false, code: 'check_in_closed' })
    expect((await root('GET', '/api/status')).data).toMatchObject({ checkin_enabled: false })
  })

  test('a user can check in once a day under both route names, and the totals are returned', async () => {
    for (const name of ['CheckInQuota', 'CheckInMaxQuota']) await set(name, '500')
    await set('CheckInEnabled', 'true')
    expect((await root('GET', '/api/status')).data).toMatchObject({ checkin_enabled: true })
    const user = oldConsole(await gateway.user())
    const today = new Date().toISOString().slice(0, 10)
    const empty = {
      total_quota: 0,
      total_checkins: 0,
      checkin_count: 0,
      checked_in_today: false,
      records: [],
    }
    expect((await user('GET', '/api/user/checkin')).data).toEqual({
      enabled: true,
      min_quota: 500,
      max_quota: 500,
      stats: empty,
    })
    expect(await user('POST', '/api/user/checkin?turnstile=')).toMatchObject({
      success: true,
      message: '签到成功',
      data: { quota_awarded: 500, checkin_date: today },
    })
    expect(await user('POST', '/api/user/check_in')).toMatchObject({ success: false, code: 'check_in_done' })
    const records = [{ checkin_date: today, quota_awarded: 500 }]
    const stats = { total_quota: 500, total_checkins: 1, checkin_count: 1, checked_in_today: true, records }
    expect(await user('GET', `/api/user/checkin?month=${today.slice(0, 7)}`)).toMatchObject({
      data: { stats },
    })
    expect(await user('GET', '/api/user/checkin?month=2020-02')).toMatchObject({
      data: { stats: { ...stats, checkin_count: 0, records: [] } },
    })
    expect(await user('GET', '/api/user/checkin?month=never')).toMatchObject({ code: 'input_invalid' })
  })
})

test('a wallet page gets the payment methods, and payments accept the method names of newer releases', async () => {
  const user = oldConsole(await gateway.user())
  const info = async () => (await user('GET', '/api/user/topup/info')).data
  expect(await info()).toMatchObject({
    enable_online_topup: false,
    pay_methods: [],
    amount_options: [],
    discount: {},
  })
  for (const [name, value] of [
    ['PayAddress', 'https://pay.example'],
    ['EpayId', '7'],
    ['EpayKey', 'merchant key'],
    ['MinTopUp', '2'],
  ])
    await gateway.root.call(routes.option.update, { body: { key: String(name), value: String(value) } })
  expect(await info()).toMatchObject({
    enable_online_topup: true,
    enable_stripe_topup: false,
    pay_methods: [{ type: 'alipay' }, { type: 'wxpay' }],
    min_topup: 2,
  })
  for (const method of ['alipay', 'wxpay'])
    expect(await user('POST', '/api/user/pay', { amount: 2, payment_method: method })).toMatchObject({
      data: { type: method },
    })
})

test('the hourly usage of users includes their names and is for administrators only', async () => {
  const user = await gateway.user({ username: 'spender' })
  const at = 1_760_000_400
  const row = {
    ...emptyLog,
    user_id: user.id,
    username: 'spender',
    created_at: at,
    type: 2,
    model_name: 'gpt-4o',
    quota: 70n,
    prompt_tokens: 10,
    completion_tokens: 4,
  }
  const rows = [row, { ...row, created_at: at + 60, model_name: 'o1' }, { ...row, created_at: at + 3600 }]
  await gateway.server.store.db.insertInto('logs').values(rows).execute()
  const path = `/api/data/users?start_timestamp=${at - 3600}&end_timestamp=${at + 7200}`
  const hour = { user_id: user.id, username: 'spender', model_name: '', created_at: at - (at % 3600) }
  expect((await root('GET', path)).data).toEqual([
    { ...hour, id: 1, count: 2, quota: 140, token_used: 28 },
    { ...hour, id: 2, created_at: hour.created_at + 3600, count: 1, quota: 70, token_used: 14 },
  ])
  expect(await oldConsole(user)('GET', path)).toMatchObject({ status: 403, code: 'role_too_low' })
  expect(await root('GET', '/api/data/users?start_timestamp=1&end_timestamp=1760000000')).toMatchObject({
    code: 'usage_span_too_long',
  })
})

const emptyLog = {
  content: '',
  token_id: 0,
  token_name: '',
  use_time: 0,
  duration_ms: 0,
  first_byte_ms: 0,
  is_stream: 0,
  channel_id: 0,
  group_name: 'default',
  ip: '',
  other: '',
} as const

test('the default logo that consoles request is a PNG file', () => {
  const file = readFileSync(new URL('../../../console/public/logo.png', import.meta.url))
  expect(file.subarray(1, 4).toString()).toBe('PNG')
})

test('a route under another name has the access rules of the original route', () => {
  const pairs = [
    [familyRoutes.copyChannel, routes.channel.copy],
    [familyRoutes.manageKeys, channelKeyRoutes.setStatus],
    [familyRoutes.removeInvalidCodes, routes.redemption.removeDisabled],
    [familyRoutes.checkIn, routes.account.checkIn],
    [familyRoutes.checkInStatus, routes.account.checkInCalendar],
    [familyRoutes.topUpInfo, routes.topUp.listOwn],
    [familyRoutes.hoursOfUsers, routes.usage.hours],
  ] as const
  for (const [alias, original] of pairs)
    for (const rule of ['access', 'owner', 'rate', 'signIn', 'changesState', 'bodyBytesMax'] as const)
      expect(alias[rule], `${alias.path} ${rule}`).toBe(original[rule])
})
