import { routes } from '@tollgate/contract/routes'
import { topUpRoutes } from '@tollgate/contract/top-up'
import { ManualClock } from '@tollgate/kit/clock'
import { accountId } from '@tollgate/ledger/account'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeOrdersJob } from '../../src/jobs/close-orders.ts'
import { epaySignature } from '../../src/services/top-up/gateways/epay-signature.ts'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'

let gateway: TestServer
let user: Visitor
const clock = new ManualClock(Date.UTC(2026, 10, 22, 12))
const MERCHANT = { PayAddress: 'https://pay.example.com/', EpayId: '1001', EpayKey: 'SECRETKEY' }
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
  user = await gateway.user()
})
afterAll(() => gateway.close())

const set = (key: string, value: string) => gateway.root.call(routes.option.update, { body: { key, value } })
const balanceOf = async (who: Visitor) => (await who.call(routes.user.readSelf)).quota
const order = (amount: number, payment_method = 'zfb', who = user) =>
  who.callWhole(topUpRoutes.pay, { body: { amount, payment_method } })
const post = (path: string, body: unknown) =>
  user.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

type Fields = Readonly<Record<string, string>>
let payments = 0
/** A signed payment notification of the payment gateway for an order. */
function reportOf(form: Fields, changed: Fields = {}, key = 'SECRETKEY'): Fields {
  const { pid = '', type = '', out_trade_no = '', name = '', money = '' } = form
  const paid = { trade_no: `P${++payments}`, trade_status: 'TRADE_SUCCESS' }
  const fields = { pid, type, out_trade_no, name, money, ...paid, ...changed }
  return { ...fields, sign: epaySignature(fields, key), sign_type: 'MD5' }
}
async function report(fields: Fields): Promise<string> {
  const response = await fetch(
    `${gateway.address}/api/user/epay/notify?${new URLSearchParams(fields).toString()}`,
  )
  expect(response.headers.get('content-type')).toContain('text/plain')
  return response.text()
}

/** The addresses to which pages may send forms. */
async function formPolicy(): Promise<string | undefined> {
  const { headers } = await fetch(gateway.address)
  return /form-action ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1]
}

describe('before payments are set up', () => {
  it('pages may send forms only to the gateway itself', async () => {
    expect(await formPolicy()).toBe("'self'")
  })

  it('orders and payment notifications are refused with an error message', async () => {
    const answer = await post('/api/user/pay', { amount: 10, payment_method: 'zfb' })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      message: 'error',
      data: 'Online top-up is not set up on this site',
    })
    expect(await report(reportOf({ out_trade_no: 'x' }, {}, ''))).toBe('fail')
  })

  it('an amount below the minimum is reported first, as by new-api', async () => {
    const answer = await post('/api/user/pay', { amount: 0, payment_method: 'zfb' })
    expect(await answer.json()).toMatchObject({ message: 'error', code: 'top_up_below_minimum' })
  })
})

describe('an order', () => {
  beforeAll(async () => {
    for (const [key, value] of Object.entries(MERCHANT)) await set(key, value)
    await set('ServerAddress', 'https://gw.example.com')
  })

  it('pages may send forms to the payment gateway, which may redirect to a wallet', async () => {
    expect(await formPolicy()).toBe("'self' https://pay.example.com https:")
  })

  it('an order is quoted and created in the format of new-api', async () => {
    const quote = await (await post('/api/user/amount', { amount: 10, top_up_code: '' })).json()
    expect(quote).toEqual({ message: 'success', data: '73.00' })
    const answer = await (await post('/api/user/pay', { amount: 10, payment_method: 'zfb' })).json()
    expect(answer).toEqual({
      message: 'success',
      url: 'https://pay.example.com/submit.php',
      data: {
        pid: '1001',
        type: 'alipay',
        out_trade_no: expect.stringMatching(
          new RegExp(`^USR${user.id}NO[0-9A-Za-z]{6}${clock.nowMs() / 1000}$`),
        ),
        notify_url: 'https://gw.example.com/api/user/epay/notify',
        name: 'TUC10',
        money: '73.00',
        device: 'pc',
        sign_type: 'MD5',
        return_url: 'https://gw.example.com/topup',
        sign: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    })
    expect(await (await post('/api/user/amount', { amount: 0 })).json()).toMatchObject({ message: 'error' })
    expect((await order(1, 'anything')).data).toMatchObject({ type: 'wxpay' })
  })

  it('a pending order can be paid later, by its owner only', async () => {
    const buyer = await gateway.user()
    const { data: form } = await order(2, 'zfb', buyer)
    const params = { trade_no: form['out_trade_no'] ?? '' }
    const again = await buyer.call(topUpRoutes.payOrder, { params })
    expect(again).toEqual({ url: 'https://pay.example.com/submit.php', fields: form })
    await expect(user.call(topUpRoutes.payOrder, { params })).rejects.toMatchObject({ code: 'not_found' })
    expect(await report(reportOf(again.fields))).toBe('success')
    await expect(buyer.call(topUpRoutes.payOrder, { params })).rejects.toMatchObject({
      code: 'top_up_not_waiting',
    })
    expect(await balanceOf(buyer)).toBe(1_000_000)
  })

  it('an order is credited once, however many notifications arrive, by query or by form', async () => {
    const buyer = await gateway.user()
    const fields = reportOf((await order(2, 'zfb', buyer)).data)
    const form = fetch(`${gateway.address}/api/user/epay/notify`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    const answers = await Promise.all([
      form.then((one) => one.text()),
      ...Array.from({ length: 8 }, () => report(fields)),
    ])
    expect(new Set(answers)).toEqual(new Set(['success']))
    expect(await balanceOf(buyer)).toBe(1_000_000)
    const { items } = await buyer.call(topUpRoutes.listOwn)
    expect(items).toMatchObject([
      { status: 'success', quota: 1_000_000, complete_time: clock.nowMs() / 1000 },
    ])
    const logs = await buyer.call(routes.log.listOwn, { query: { type: 1 } })
    expect(logs.items).toHaveLength(1)
  })

  it('a credit is queued in the outbox together with the paid order', async () => {
    const buyer = await gateway.user()
    const fields = reportOf((await order(2, 'zfb', buyer)).data)
    expect(await report(fields)).toBe('success')
    const queued = await gateway.server.store.db.selectFrom('outbox').select('cause').execute()
    const { items } = await buyer.call(topUpRoutes.listOwn)
    expect(queued.map(({ cause }) => cause)).toContain(`credit:topup:${items[0]?.id}`)
  })

  it.each([
    ['another sum', { money: '0.01' }],
    ['another merchant', { pid: '1002' }],
    ['another way of paying', { type: 'wxpay' }],
    ['another order', { out_trade_no: 'USR1NOabcdef1' }],
    ['no payment', { trade_status: 'TRADE_CLOSED' }],
    ['no sum', { money: '' }],
  ])('a signed notification with %s is not credited', async (_what, changed) => {
    const buyer = await gateway.user()
    const { data } = await order(3, 'zfb', buyer)
    expect(await report(reportOf(data, changed))).toBe('fail')
    expect(await balanceOf(buyer)).toBe(0)
    expect(await report(reportOf(data))).toBe('success')
    expect(await balanceOf(buyer)).toBe(1_500_000)
  })

  it('an unsigned or wrongly signed notification is not credited', async () => {
    const { data } = await order(3)
    expect(await report({ ...reportOf(data), sign: '' })).toBe('fail')
    expect(await report(reportOf(data, {}, 'OTHERKEY'))).toBe('fail')
    expect(await report({})).toBe('fail')
  })

  it('one payment pays one order', async () => {
    const buyer = await gateway.user()
    const [first, second] = [await order(1, 'zfb', buyer), await order(1, 'zfb', buyer)]
    expect(await report(reportOf(first.data, { trade_no: 'once' }))).toBe('success')
    expect(await report(reportOf(second.data, { trade_no: 'once' }))).toBe('fail')
    expect(await balanceOf(buyer)).toBe(500_000)
    expect(await report(reportOf(first.data, { trade_no: 'another' }))).toBe('fail')
  })

  it('the ordered quota is credited, even if the value of a unit has changed', async () => {
    const buyer = await gateway.user()
    const { data } = await order(1, 'zfb', buyer)
    await set('QuotaPerUnit', '100')
    expect(await report(reportOf(data))).toBe('success')
    await set('QuotaPerUnit', '500000')
    expect(await balanceOf(buyer)).toBe(500_000)
  })

  it('an order is exact to the unit when quota is not shown as currency', async () => {
    const buyer = await gateway.user()
    await set('DisplayInCurrencyEnabled', 'false')
    const { data } = await order(1_200_000, 'zfb', buyer)
    await set('DisplayInCurrencyEnabled', 'true')
    expect(data['money']).toBe('17.52')
    expect(await report(reportOf(data))).toBe('success')
    expect(await balanceOf(buyer)).toBe(1_200_000)
  })

  it('an order beyond 32 bits is credited', async () => {
    const buyer = await gateway.user()
    const { data } = await order(100_000, 'zfb', buyer)
    expect(await report(reportOf(data))).toBe('success')
    expect(await balanceOf(buyer)).toBe(50_000_000_000)
  })

  it('an order closes after a day, is still credited when paid late, and at most 20 may be pending', async () => {
    const buyer = await gateway.user()
    const { data } = await order(1, 'zfb', buyer)
    for (let more = 1; more < 20; more++) await order(1, 'zfb', buyer)
    await expect(order(1, 'zfb', buyer)).rejects.toMatchObject({ code: 'top_up_too_many_pending' })
    clock.advance(25 * 3_600_000)
    await closeOrdersJob({ db: gateway.server.store.db, clock }).run()
    const { items } = await buyer.call(topUpRoutes.listOwn, { query: { page_size: 100 } })
    expect(items.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 'closed'))
    expect(await report(reportOf(data))).toBe('success')
    expect(await balanceOf(buyer)).toBe(500_000)
  })

  it('an order is listed to its owner only, and to administrators by number, status and user', async () => {
    const { data } = await order(7)
    const stranger = await gateway.user()
    expect((await stranger.call(topUpRoutes.listOwn)).total).toBe(0)
    const found = await gateway.root.call(topUpRoutes.list, {
      query: { keyword: data['out_trade_no'], status: 'pending', user_id: user.id },
    })
    expect(found.items).toMatchObject([{ user_id: user.id, money: '51.10', status: 'pending' }])
  })
})

describe('a statement', () => {
  it('the sums of a statement agree, and its CSV has every entry once', async () => {
    const owner = await gateway.user()
    const account = accountId('user', owner.id)
    const { ledger } = gateway.server
    await ledger.credit({ key: `test:${owner.id}:old`, account, amount: 1000n, note: 'before' })
    clock.advance(10 * 24 * 3_600_000)
    const month = new Date(clock.nowMs()).toISOString().slice(0, 7)
    await ledger.credit({ key: `test:${owner.id}:new`, account, amount: 500n, note: 'within' })
    for (const [holdId, amount] of [
      ['one', 30n],
      ['two', 12n],
    ] as const) {
      await ledger.reserve({ holdId, userAccount: account, amount: 100n, ceiling: 100n, priceJson: '{}' })
      await ledger.settle({ holdId, amount, flags: [], usageJson: '{}' })
    }
    const day = new Date(clock.nowMs()).toISOString().slice(0, 10)
    expect(await owner.call(routes.statement.read, { query: { month } })).toMatchObject({
      opening: 1000,
      received: 500,
      spent: 42,
      closing: 1458,
      credits: [{ note: 'within', change: 500 }],
      days: [{ day, calls: 2, spent: 42 }],
    })
    const file = await owner.call(routes.statement.csv, { query: { month } })
    expect(file).toMatchObject({ rows: 3, next_after_id: 0, file_name: `statement-${month}.csv` })
    expect(file.csv.split('\r\n')[2]).toContain(',consume,-30,-0.00006,')
  })
})
