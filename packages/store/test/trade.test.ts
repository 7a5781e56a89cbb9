import type { Insertable } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as charges from '../src/trade/charges.ts'
import * as redemptions from '../src/trade/redemptions.ts'
import * as redemptionClaims from '../src/trade/redemption-claims.ts'
import type { EntryTable } from '../src/tables/ledger.ts'
import type { Db } from '../src/tables/schema.ts'
import * as statements from '../src/trade/statements.ts'
import * as tasks from '../src/operations/tasks.ts'
import * as topUps from '../src/trade/top-ups.ts'
import * as userChanges from '../src/accounts/user-changes.ts'
import { accountRow, someUser } from './support/rows.ts'
import { type Place, engines } from './support/stores.ts'

const ALL = { offset: 0, limit: 100 }
const DAY = 86_400_000

const someCode: redemptions.NewRedemption = {
  user_id: 1,
  key_hash: 'h',
  key_sealed: 's',
  name: 'Spring',
  quota: 100n,
  created_time: 1,
  valid_from: 0,
  valid_until: 0,
  is_gift: 0,
  max_uses: -1,
}

const named = (name: string, key: string, quota = 100n) => ({ ...someCode, name, key_hash: key, quota })

const someEntry: Insertable<EntryTable> = {
  op_key: 'op',
  kind: 'credit',
  request_id: null,
  task_id: null,
  user_acct: 0,
  token_acct: null,
  channel_id: null,
  amount: 0n,
  flags: '',
  waived: 0n,
  balance_after: null,
  price_json: null,
  usage_json: null,
  note: null,
  created_ms: 0,
}

const someTask: Parameters<typeof tasks.insertFreeTask>[1] = {
  platform: 'mj',
  task_id: 't1',
  user_id: 7,
  token_id: 1,
  channel_id: 2,
  request_id: null,
  action: 'IMAGINE',
  status: 'SUBMITTED',
  progress: '0%',
  fail_reason: '',
  submit_ms: 1000,
  start_ms: 0,
  finish_ms: 0,
  deadline_ms: 0,
  secret_hash: '',
  detail: '{}',
  created_ms: 1000,
  updated_ms: 1000,
}

describe.each(engines)('on $name', ({ place: newPlace }) => {
  let place: Place
  let db: Db
  let userId = 0

  beforeAll(async () => {
    place = await newPlace()
    ;({ db } = await place.open())
    userId = (await userChanges.insertUser(db, { ...someUser, aff_code: 'trade' })) ?? 0
  })
  afterAll(() => place.remove())

  it('redemption codes are listed, found, changed at the version that was read, disabled and deleted', async () => {
    const codes = [named('Spring', 'a'), named('spring sale', 'b'), named('100%', 'c', 2n ** 60n)]
    expect(await redemptions.insertRedemptions(db, codes)).toBe(true)
    expect(await redemptions.insertRedemptions(db, [named('again', 'a')])).toBe(false)
    const [percent, sale, spring] = await redemptions.listRedemptions(db, {}, ALL)
    expect([percent?.quota, sale?.name, spring?.name]).toEqual([2n ** 60n, 'spring sale', 'Spring'])
    expect(await redemptions.listRedemptions(db, { term: 'SPRING' }, ALL)).toHaveLength(2)
    expect(await redemptions.listRedemptions(db, { term: '100%' }, ALL)).toHaveLength(1)
    expect(await redemptions.listRedemptions(db, { term: '1_0' }, ALL)).toEqual([])
    expect(await redemptions.countRedemptions(db, { term: 'spring', status: 1 })).toBe(2)
    const id = spring?.id ?? 0
    expect(await redemptions.findRedemption(db, id)).toMatchObject({ key_hash: 'a', used_username: null })
    expect(await redemptions.findRedemptionByHash(db, 'b')).toMatchObject({ id: sale?.id })
    const change = { name: 'May', quota: 5n }
    expect(await redemptions.updateRedemption(db, { id, version: 1, change })).toBe(true)
    expect(await redemptions.updateRedemption(db, { id, version: 1, change })).toBe(false)
    expect(await redemptions.disableRedemptions(db, [id, sale?.id ?? 0, 0])).toBe(2)
    expect(await redemptions.disableRedemptions(db, [id])).toBe(0)
    const ids = [id, sale?.id ?? 0, 0]
    for (const status of [1, 2])
      expect(await redemptions.setRedemptionStatus(db, { ids, status })).toMatchObject([
        { status },
        { status },
      ])
    expect(await redemptions.listRedemptions(db, { term: 'none', keyHash: 'b' }, ALL)).toHaveLength(1)
    expect(await redemptions.countRedemptionsByName(db, { name: 'May', isRemovable: true })).toBe(1)
    expect(await redemptions.countRedemptionsByName(db, { name: 'May', isRemovable: false })).toBe(1)
    expect(await redemptions.removeRedemptions(db, { type: 'named', name: 'May' }, 5)).toBe(1)
    expect(await redemptions.removeRedemptions(db, { type: 'disabled' }, 6)).toBe(1)
    expect(await redemptions.removeRedemptions(db, { type: 'invalid', nowSeconds: 1 }, 6)).toBe(0)
    expect(await redemptions.removeRedemptions(db, { type: 'one', id: percent?.id ?? 0 }, 7)).toBe(1)
    expect(await redemptions.countRedemptions(db, {})).toBe(0)
    expect(await redemptions.insertRedemptions(db, [named('deleted, not free', 'a')])).toBe(false)
  })

  it('a code is claimed once, and a gift code once per user up to its limit', async () => {
    const gift = { ...someCode, key_hash: 'gift', is_gift: 1, max_uses: 2 } as const
    await redemptions.insertRedemptions(db, [
      { ...someCode, key_hash: 'one', valid_from: 10, valid_until: 20 },
      gift,
    ])
    const one = (await redemptions.findRedemptionByHash(db, 'one'))?.id ?? 0
    const claim = { id: one, userId, quota: 100n, nowSeconds: 15 }
    expect(await redemptionClaims.claimCode(db, { ...claim, nowSeconds: 9 })).toBe(false)
    expect(await redemptionClaims.claimCode(db, { ...claim, nowSeconds: 21 })).toBe(false)
    expect(await redemptionClaims.claimCode(db, { ...claim, quota: 99n })).toBe(false)
    expect(await redemptionClaims.claimCode(db, claim)).toBe(true)
    expect(await redemptionClaims.claimCode(db, claim)).toBe(false)
    expect(await redemptions.findRedemption(db, one)).toMatchObject({ status: 3, used_username: 'Alice' })
    const id = (await redemptions.findRedemptionByHash(db, 'gift'))?.id ?? 0
    const giftClaim = { id, userId: 1, quota: 100n, nowSeconds: 15 }
    expect(await redemptionClaims.hasRedeemedGift(db, giftClaim)).toBe(false)
    expect(await redemptionClaims.claimGift(db, giftClaim)).toBe('claimed')
    expect(await redemptionClaims.hasRedeemedGift(db, giftClaim)).toBe(true)
    const again = db.transaction().execute(async (step) => {
      if ((await redemptionClaims.claimGift(step, giftClaim)) === 'had') throw new Error('had')
    })
    await expect(again).rejects.toThrow('had')
    expect(await redemptions.findRedemption(db, id)).toMatchObject({ status: 1, used_count: 1 })
    expect(await redemptionClaims.claimGift(db, { ...giftClaim, userId: 2 })).toBe('claimed')
    expect(await redemptionClaims.claimGift(db, { ...giftClaim, userId: 3 })).toBe('refused')
    expect(await redemptions.findRedemption(db, id)).toMatchObject({ status: 3, used_count: 2 })
  })

  it('an order is paid once, also by a late payment, and a payment pays one order', async () => {
    const order: topUps.NewTopUp = {
      user_id: userId,
      trade_no: 'n1',
      gateway: 'epay',
      method: 'alipay',
      quota: 500n,
      money: '7.30',
      currency: '',
      create_time: 100,
    }
    const first = await topUps.insertTopUp(db, order)
    const second = await topUps.insertTopUp(db, { ...order, trade_no: 'n2', create_time: 200 })
    expect(await topUps.findTopUp(db, 'n1')).toMatchObject({
      id: first,
      status: 'pending',
      username: 'Alice',
    })
    await topUps.closeTopUps(db, 150)
    expect(await topUps.listTopUps(db, { userId, status: 'closed' }, ALL)).toMatchObject([{ id: first }])
    const payment = { id: first, providerTradeNo: 'p1', nowSeconds: 300 }
    expect(await topUps.markPaid(db, payment)).toBe(true)
    expect(await topUps.markPaid(db, payment)).toBe(false)
    expect(await topUps.markPaid(db, { ...payment, id: second })).toBe('taken')
    expect(await topUps.countTopUps(db, { userId, tradeNo: 'n2', beforeId: second + 1 })).toBe(1)
    expect(await topUps.countTopUps(db, { userId, status: 'success' })).toBe(1)
  })

  it('tasks are found by their owner and changed at the version that was read', async () => {
    await tasks.insertFreeTask(db, { ...someTask, request_id: 'r1' })
    await tasks.insertFreeTask(db, { ...someTask, action: 'UPSCALE', submit_ms: 2000 })
    await tasks.insertFreeTask(db, { ...someTask, platform: 'suno', user_id: 8, status: 'SUCCESS' })
    const own = { userId: 7, platform: 'mj', taskId: 't1' }
    expect(await tasks.countOpenTasks(db)).toEqual({ count: 2, oldestMs: someTask.submit_ms })
    const newest = await tasks.findOwnTask(db, own)
    expect(newest).toMatchObject({ action: 'UPSCALE', quota: 0n, version: 1 })
    expect(await tasks.findOwnTask(db, { ...own, userId: 8 })).toBeUndefined()
    expect(await tasks.findTaskOfCall(db, 'r1')).toMatchObject({ action: 'IMAGINE' })
    expect(await tasks.listOwnTasks(db, { ...own, taskIds: ['t1', 't2'] })).toHaveLength(2)
    const all = { userId: own.userId, platform: own.platform, limit: 10 }
    const page = await tasks.listTaskPage(db, { ...all, isOldestFirst: false })
    const [last, first] = page
    expect(page).toHaveLength(2)
    expect(await tasks.listTaskPage(db, { ...all, isOldestFirst: true, afterId: first?.id })).toMatchObject([
      { id: last?.id },
    ])
    expect(await tasks.listTaskPage(db, { ...all, isOldestFirst: false, afterId: last?.id })).toMatchObject([
      { id: first?.id },
    ])
    expect(await tasks.removeEndedTask(db, { id: first?.id ?? 0, version: 1 })).toBe(false)
    const [song] = await tasks.listTaskPage(db, { ...all, userId: 8, platform: 'suno', isOldestFirst: true })
    expect(await tasks.removeEndedTask(db, { id: song?.id ?? 0, version: 2 })).toBe(false)
    expect(await tasks.listTasksNamed(db, { platform: 'mj', taskId: 't1', limit: 9 })).toHaveLength(2)
    expect(await tasks.listOpenTasks(db, { afterId: 0, limit: 9 })).toHaveLength(2)
    const step = { id: newest?.id ?? 0, version: 1, change: { status: 'SUCCESS', progress: '100%' } }
    expect(await tasks.changeTask(db, step)).toBe(true)
    expect(await tasks.changeTask(db, step)).toBe(false)
    expect(await tasks.listOpenTasks(db, { afterId: 0, limit: 9 })).toHaveLength(1)
    const filter = { isDrawing: true, userId: 7, channelId: 2, taskId: 't1', platform: 'mj', fromMs: 1500 }
    const narrow = { ...filter, action: 'UPSCALE', status: 'SUCCESS', untilMs: 2500 }
    expect(await tasks.listTasks(db, narrow, ALL)).toMatchObject([{ id: newest?.id }])
    expect(await tasks.countTasks(db, { isDrawing: false }, 10)).toBe(1)
    expect(await tasks.countTasks(db, { isDrawing: true }, 1)).toBe(1)
  })

  it('statements and the prices of charges are read from the ledger', async () => {
    const account = accountRow(userId, { granted: 100n, remaining: 64n, used: 36n })
    await db.insertInto('account').values(account).execute()
    const user_acct = account.id
    const priced = { price_json: '{"version":3}', usage_json: '{}' }
    const named = { price_hash: 'h1', usage_json: '{}' }
    const lost = { price_hash: 'h2', usage_json: '{}' }
    await db.insertInto('price').values({ hash: 'h1', content: '{"version":4}' }).execute()
    const entries = [
      { op_key: 'top', amount: 100n, created_ms: 10 },
      { op_key: 'consume:c1', kind: 'consume', request_id: 'c1', amount: 30n, created_ms: 20, ...priced },
      { op_key: 'consume:c2', kind: 'consume', request_id: 'c2', amount: 10n, created_ms: DAY + 5 },
      { op_key: 'consume:c3', kind: 'consume', request_id: 'c3', amount: 0n, created_ms: DAY + 5, ...named },
      { op_key: 'consume:c4', kind: 'consume', request_id: 'c4', amount: 0n, created_ms: DAY + 5, ...lost },
      { op_key: 'correction:c2', kind: 'correction', request_id: 'c2', amount: -4n, created_ms: DAY + 6 },
    ] as const
    for (const entry of entries)
      await db
        .insertInto('entry')
        .values({ ...someEntry, user_acct, ...entry })
        .execute()
    const period = { account: user_acct, fromMs: 0, untilMs: 2 * DAY }
    expect(await statements.sumChangesFrom(db, { account: user_acct, fromMs: 0 })).toBe(64n)
    expect(await statements.sumChangesFrom(db, { account: user_acct, fromMs: 3 * DAY })).toBe(0n)
    expect(await statements.listCreditsOf(db, period, 10)).toMatchObject([{ op_key: 'top', amount: 100n }])
    expect(await statements.sumChargesByDay(db, period)).toEqual([
      { dayIndex: 0, calls: 1, spent: 30n },
      { dayIndex: 1, calls: 3, spent: 6n },
    ])
    const listed = await statements.listEntriesOf(db, period, { afterId: 0, limit: 3 })
    expect(listed.map(({ op_key }) => op_key)).toEqual(['top', 'consume:c1', 'consume:c2'])
    expect(await charges.listCharges(db, { sinceMs: 0, afterId: 0, limit: 9 })).toMatchObject([
      { op_key: 'consume:c1', amount: 30n, ...priced },
      { op_key: 'consume:c3', price_json: '{"version":4}' },
      { op_key: 'consume:c4', price_json: '' },
    ])
    expect(await charges.countCharges(db, 0)).toBe(3)
    expect(await charges.readFirstCharges(db, ['c2', 'nobody'])).toEqual(new Map([['c2', 10n]]))
    expect(await charges.readFirstPrice(db, 'c1')).toBe(priced.price_json)
    expect(await charges.readFirstPrice(db, 'c3')).toBe('{"version":4}')
    expect(await charges.readFirstPrice(db, 'nobody')).toBeUndefined()
    const kept = await db.selectFrom('price').selectAll().execute()
    expect(await charges.readPrices(db, [...kept.map(({ hash }) => hash), 'nobody'])).toEqual(
      new Map(kept.map(({ hash, content }) => [hash, content])),
    )
    expect(kept.length).toBeGreaterThan(0)
  })
})
