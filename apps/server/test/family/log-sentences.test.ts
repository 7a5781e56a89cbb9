import { routes } from '@tollgate/contract/routes'
import { topUpRoutes } from '@tollgate/contract/top-up'
import { ManualClock } from '@tollgate/kit/clock'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { epaySignature } from '../../src/services/top-up/gateways/epay-signature.ts'
import { PASSWORD, type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { oldConsole } from './old-client.ts'

/**
 * The usage log stores events. Clients written for new-api still get the Chinese sentences that earlier
 * versions stored, letter by letter, and this console gets sentences in the language of its reader.
 */

const clock = new ManualClock(Date.UTC(2026, 10, 22, 12))
let gateway: TestServer
let inviter: Visitor
let user: Visitor
let codes: { readonly code: number; readonly gift: number }

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
  const settings = {
    QuotaForNewUser: '1000',
    QuotaForInvitee: '2000',
    QuotaForInviter: '3000',
    RebateEnabled: 'true',
    RebatePercentage: '10',
    CheckInEnabled: 'true',
    CheckInQuota: '500',
    PayAddress: 'https://pay.example.com/',
    EpayId: '1001',
    EpayKey: 'SECRETKEY',
    ServerAddress: 'https://gw.example.com',
  }
  for (const [key, value] of Object.entries(settings)) await set(key, value)
  inviter = await gateway.user({ username: 'inviter' })
  user = await invitedBy(inviter)
  codes = { code: await redeem({ quota: 500_000 }), gift: await redeem({ is_gift: true, max_uses: 2 }) }
  await user.call(routes.account.checkIn)
  await payOnline()
  await gateway.root.call(routes.adminUser.changeQuota, {
    params: { id: user.id },
    body: { delta: -10_000_000 },
  })
})
afterAll(() => gateway.close())

const set = (key: string, value: string) => gateway.root.call(routes.option.update, { body: { key, value } })

async function invitedBy(who: Visitor): Promise<Visitor> {
  const aff_code = await who.call(routes.account.affCode)
  const visitor = gateway.visitor()
  const person = { username: 'invited', password: PASSWORD }
  await visitor.call(routes.session.register, { body: { ...person, aff_code } })
  await visitor.signIn(person)
  return visitor
}

async function redeem(body: { quota?: number; is_gift?: boolean; max_uses?: number }): Promise<number> {
  const [key = ''] = await gateway.root.call(routes.redemption.create, {
    body: { name: 'spring', quota: 250_000, count: 1, ...body },
  })
  await user.call(routes.redemption.redeem, { body: { key } })
  const { items } = await gateway.root.call(routes.redemption.list, { query: { page_size: 100 } })
  return items.find((item) => item.key === key)?.id ?? 0
}

async function payOnline(): Promise<void> {
  const whole = await user.callWhole(topUpRoutes.pay, { body: { amount: 10, payment_method: 'zfb' } })
  const {
    pid = '',
    type = '',
    out_trade_no = '',
    name = '',
    money = '',
  } = z.record(z.string(), z.string()).parse(whole.data)
  const fields = { pid, type, out_trade_no, name, money, trade_no: 'P1', trade_status: 'TRADE_SUCCESS' }
  const signed = { ...fields, sign: epaySignature(fields, 'SECRETKEY'), sign_type: 'MD5' }
  const search = new URLSearchParams(signed)
  const answer = await fetch(`${gateway.address}/api/user/epay/notify?${search.toString()}`)
  expect(await answer.text()).toBe('success')
}

const rowsSchema = z.array(z.object({ content: z.string(), type: z.int(), other: z.string() }))
const pageSchema = z.object({ items: rowsSchema })

async function sentencesOf(who: Visitor, query = ''): Promise<string[]> {
  const { data } = await oldConsole(who)('GET', `/api/log/self?p=1&page_size=100${query}`)
  return pageSchema.parse(data).items.map(({ content }) => content)
}

/** Sentences that this console gets in the given language. */
async function textsOf(who: Visitor, language: string): Promise<string[]> {
  const headers = { 'accept-language': language }
  const answer = await who.fetch('/api/log/self?p=1&page_size=100', { headers })
  const { data } = z.object({ data: pageSchema }).parse(await answer.json())
  return data.items.map(({ content }) => content)
}

async function found(keyword: string, who = user): Promise<string[]> {
  const search = new URLSearchParams({ keyword })
  const { data } = await oldConsole(who)('GET', `/api/log/self/search?${search.toString()}`)
  return rowsSchema.parse(data).map(({ content }) => content)
}

const sentences = () => [
  '管理员将用户额度从 ＄11.507000 额度修改为 -＄8.493000 额度',
  '您的邀请人获得返利 ＄1.000000 额度',
  '使用在线充值成功，充值金额: ＄10.000000 额度，支付金额：73.00',
  '签到奖励 ＄0.001000 额度',
  '您的邀请人获得返利 ＄0.050000 额度',
  `通过礼品码充值 ＄0.500000 额度，兑换码ID ${codes.gift}`,
  '您的邀请人获得返利 ＄0.100000 额度',
  `通过兑换码充值 ＄1.000000 额度，兑换码ID ${codes.code}`,
  '使用邀请码赠送 ＄0.004000 额度',
  '新用户注册赠送 ＄0.002000 额度',
]

describe('sentences of the usage log', () => {
  test('rows store events and no sentence', async () => {
    const rows = await gateway.server.store.db.selectFrom('logs').select(['content', 'other']).execute()
    expect(rows.length).toBeGreaterThan(10)
    for (const { content, other } of rows) {
      expect(content).toBe('')
      expect(other).toMatch(/^\{"event":"/)
    }
  })

  test('clients written for new-api get the sentences as they were stored before', async () => {
    expect(await sentencesOf(user)).toEqual(sentences())
    expect(await sentencesOf(user, `&type=${LOG_TYPE.signIn}`)).toEqual(['登录成功（password）'])
    expect(await sentencesOf(inviter)).toEqual([
      '邀请用户充值返利 ＄1.000000 额度',
      '邀请用户充值返利 ＄0.050000 额度',
      '邀请用户充值返利 ＄0.100000 额度',
      '邀请用户赠送 ＄0.006000 额度',
      '新用户注册赠送 ＄0.002000 额度',
    ])
  })

  test('amounts are in units when the site shows no currency', async () => {
    await set('DisplayInCurrencyEnabled', 'false')
    expect(await sentencesOf(user)).toContain('签到奖励 500 点额度')
    expect(await textsOf(user, 'en')).toContain('Check-in reward of 500 units')
    expect(await textsOf(user, 'zh')).toContain('签到奖励 500 点额度')
    await set('DisplayInCurrencyEnabled', 'true')
  })

  test('this console gets sentences in the language of its reader', async () => {
    expect(await textsOf(user, 'en')).toEqual([
      'Quota changed by an administrator from $11.507000 to -$8.493000',
      '$1.000000 for the person who invited you',
      '$10.000000 bought online for 73.00',
      'Check-in reward of $0.001000',
      '$0.050000 for the person who invited you',
      `$0.500000 from gift code ${codes.gift}`,
      '$0.100000 for the person who invited you',
      `$1.000000 from redemption code ${codes.code}`,
      'Signed in (password)',
      '$0.004000 for signing up with an invitation',
      '$0.002000 as a welcome gift',
    ])
    expect(await textsOf(user, 'zh')).toContain('登录成功（密码）')
  })

  test('a search matches the beginning of the sentence', async () => {
    expect(await found('签到')).toEqual(['签到奖励 ＄0.001000 额度'])
    expect(await found('通过兑换码充值 ＄1.0')).toEqual([
      `通过兑换码充值 ＄1.000000 额度，兑换码ID ${codes.code}`,
    ])
    expect(await found('通过兑换码充值 ＄2')).toEqual([])
    expect(await found('登录成功（PASS')).toEqual(['登录成功（password）'])
    expect(await found('邀请用户', inviter)).toHaveLength(4)
    expect(await found('奖励')).toEqual([])
  })

  test('an exported file is in the language of its reader and names the types', async () => {
    const file = async (language: string) => {
      const headers = { 'accept-language': language }
      return (await user.fetch('/api/log/self/export?format=csv', { headers })).text()
    }
    const [english, chinese] = [await file('en'), await file('zh')]
    expect(english).toMatch(/^id,created_at,type,type_name,user_id,/)
    expect(english).toMatch(/,5,Check-in,.*,Check-in reward of \$0\.001000,/)
    expect(english).not.toMatch(/[\u4e00-\u9fff]/)
    expect(chinese).toMatch(/,5,签到,.*,签到奖励 \$0\.001000,/)
    const lines = (await (await user.fetch('/api/log/self/export?format=jsonl')).text()).trim().split('\n')
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ content: 'Check-in reward of $0.001000', type: LOG_TYPE.checkIn }),
    )
  })

  test('rows of earlier versions and imported rows keep their stored sentence', async () => {
    const other = await invitedLater()
    expect(await sentencesOf(other)).toContain('签到奖励 ＄0.010000 额度')
    expect(await textsOf(other, 'en')).toContain('签到奖励 ＄0.010000 额度')
    const file = await (await other.fetch('/api/log/self/export?format=csv')).text()
    expect(file).toContain(',Check-in reward of $0.010000,')
  })
})

async function invitedLater(): Promise<Visitor> {
  const visitor = await gateway.user()
  const { db } = gateway.server.store
  const row = await db.selectFrom('logs').selectAll().limit(1).executeTakeFirstOrThrow()
  const { id: _id, ...copy } = row
  const old = { type: LOG_TYPE.checkIn, content: '签到奖励 ＄0.010000 额度', other: '', request_id: null }
  await db
    .insertInto('logs')
    .values({ ...copy, ...old, user_id: visitor.id })
    .execute()
  return visitor
}
