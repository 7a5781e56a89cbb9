import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { redemptionRoutes } from '@tollgate/contract/redemption'
import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ManualClock } from '@tollgate/kit/clock'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'

let gateway: TestServer
let admin: Visitor
const clock = new ManualClock(Date.UTC(2026, 10, 22, 12))
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
  admin = await gateway.user({ role: 10 })
})
afterAll(() => gateway.close())

const nowSeconds = () => Math.floor(clock.nowMs() / 1000)
const code = { name: 'spring', quota: 500_000, count: 1 }
const create = (body: Partial<Parameters<typeof createBody>[0]> = {}) =>
  admin.call(redemptionRoutes.create, { body: createBody(body) })
const createBody = (body: {
  name?: string
  quota?: number
  count?: number
  key?: string
  is_gift?: boolean
  max_uses?: number
  valid_from?: number
  valid_until?: number
}) => ({ ...code, ...body })
async function oneCode(body: Partial<Parameters<typeof createBody>[0]> = {}) {
  const [key = ''] = await create(body)
  const { items } = await admin.call(redemptionRoutes.list, { query: { page_size: 100 } })
  const row = items.find((item) => item.key === key)
  if (!row) throw new Error('a new code is not in the list')
  return row
}
const redeem = (who: Visitor, key: string) => who.call(redemptionRoutes.redeem, { body: { key } })
const balanceOf = async (who: Visitor) => (await who.call(routes.user.readSelf)).quota
const setStatus = (id: number, status: number) =>
  admin.call(redemptionRoutes.update, { query: { status_only: 'true' }, body: { id, status } })
const statusOf = async (id: number) => (await admin.call(redemptionRoutes.get, { params: { id } })).status
const set = (key: string, value: string) => gateway.root.call(routes.option.update, { body: { key, value } })
const atOnce = async (count: number, deed: () => Promise<unknown>) =>
  (await Promise.allSettled(Array.from({ length: count }, deed))).filter(
    ({ status }) => status === 'fulfilled',
  ).length

describe('redeeming', () => {
  it.each([{}, { is_gift: true, max_uses: 5 }])(
    'an administrator cannot redeem a code of their own, and the attempt is in the audit log: %o',
    async (kind) => {
      const row = await oneCode(kind)
      const before = await balanceOf(admin)
      await expect(redeem(admin, row.key)).rejects.toMatchObject({ code: 'redemption_own' })
      expect(await balanceOf(admin)).toBe(before)
      const { items } = await gateway.root.call(routes.audit.list, {
        query: { entity: 'redemption', entity_id: String(row.id), action: 'refuse' },
      })
      expect(items).toMatchObject([{ after: expect.stringContaining('500000') as unknown }])
      const colleague = await gateway.user({ role: 10 })
      expect(await redeem(colleague, row.key)).toMatchObject({ quota: 500_000 })
    },
  )

  it('the super admin can redeem a code of their own', async () => {
    const [key = ''] = await gateway.root.call(redemptionRoutes.create, { body: createBody({}) })
    expect(await redeem(gateway.root, key)).toMatchObject({ quota: 500_000 })
  })

  it('a code is credited once, however many concurrent requests redeem it', async () => {
    const [key = ''] = await create()
    const users = await Promise.all([gateway.user(), gateway.user(), gateway.user()])
    const before = await Promise.all(users.map(balanceOf))
    let turn = 0
    expect(await atOnce(9, () => redeem(users[turn++ % 3] ?? admin, key))).toBe(1)
    const after = await Promise.all(users.map(balanceOf))
    expect(after.map((quota, index) => quota - (before[index] ?? 0)).toSorted((a, b) => a - b)).toEqual([
      0, 0, 500_000,
    ])
  })

  it('a gift code is credited once to each user and never more often than its uses', async () => {
    const { key, id } = await oneCode({ is_gift: true, max_uses: 2 })
    const users = await Promise.all([gateway.user(), gateway.user(), gateway.user()])
    expect(await atOnce(4, () => redeem(users[0] ?? admin, key))).toBe(1)
    await expect(redeem(users[0] ?? admin, key)).rejects.toMatchObject({ code: 'redemption_gift_had' })
    expect(await Promise.all(users.map((user) => atOnce(1, () => redeem(user, key))))).toContain(0)
    expect(await admin.call(redemptionRoutes.get, { params: { id } })).toMatchObject({
      used_count: 2,
      status: 3,
      used_user_id: 0,
      redeemed_time: 0,
    })
  })

  it('redeeming a code makes an account count as paid; a gift and a removal of quota do not', async () => {
    const user = await gateway.user()
    const { id } = await user.call(routes.user.readSelf)
    const hasPaid = async () => {
      const own = (await user.call(routes.user.readSelf)).has_paid
      const shown = (await admin.call(adminUserRoutes.get, { params: { id } })).has_paid
      expect(shown).toBe(own)
      return own
    }
    const change = (delta: number) =>
      admin.call(adminUserRoutes.changeQuota, { params: { id }, body: { delta } })
    expect(await hasPaid()).toBe(false)
    await redeem(user, (await oneCode({ is_gift: true, max_uses: 1 })).key)
    await change(-1)
    expect(await hasPaid()).toBe(false)
    await redeem(user, (await oneCode()).key)
    expect(await hasPaid()).toBe(true)
    const other = await gateway.user()
    const { id: otherId } = await other.call(routes.user.readSelf)
    await admin.call(adminUserRoutes.changeQuota, { params: { id: otherId }, body: { delta: 1 } })
    expect((await other.call(routes.user.readSelf)).has_paid).toBe(true)
    expect((await admin.call(routes.user.readSelf)).has_paid).toBe(true)
  })

  it('a redeemed code shows its user and leaves one row in the user’s log', async () => {
    const user = await gateway.user()
    const row = await oneCode()
    expect(await redeem(user, ` ${row.key}\n`)).toEqual({ quota: 500_000, is_gift: false })
    expect(await admin.call(redemptionRoutes.get, { params: { id: row.id } })).toMatchObject({
      status: 3,
      used_user_id: user.id,
      redeemed_time: nowSeconds(),
    })
    const logs = await user.call(routes.log.listOwn, { query: { type: 1 } })
    expect(logs.items.map(({ content }) => content)).toEqual([`$1.000000 from redemption code ${row.id}`])
  })

  it('the credit is queued in the outbox together with the redemption', async () => {
    const user = await gateway.user()
    const row = await oneCode()
    const { db } = gateway.server.store
    await redeem(user, row.key)
    const work = await db
      .selectFrom('outbox')
      .selectAll()
      .where('cause', '=', `credit:redeem:${row.id}`)
      .executeTakeFirstOrThrow()
    expect(work.kind).toBe('credit')
    expect(await gateway.server.ledger.balance(accountId('user', user.id))).toMatchObject({
      granted: 500_000n,
    })
  })

  it('disabled codes, disabled gifts and codes outside their dates are refused', async () => {
    const user = await gateway.user()
    const gift = await oneCode({ is_gift: true })
    const plain = await oneCode()
    await admin.call(redemptionRoutes.disableMany, { body: { ids: [gift.id, plain.id] } })
    const later = await oneCode({ valid_from: nowSeconds() + 60 })
    const short = await oneCode({ valid_until: nowSeconds() + 5 })
    await expect(redeem(user, gift.key)).rejects.toMatchObject({ code: 'redemption_disabled' })
    await expect(redeem(user, plain.key)).rejects.toMatchObject({ code: 'redemption_disabled' })
    await expect(redeem(user, later.key)).rejects.toMatchObject({ code: 'redemption_too_early' })
    clock.advance(10_000)
    await expect(redeem(user, short.key)).rejects.toMatchObject({ code: 'redemption_expired' })
    expect(await balanceOf(user)).toBe(0)
  })

  it('redeeming is blocked after ten wrong codes, and codes are case-sensitive', async () => {
    const user = await gateway.user()
    const row = await oneCode({ key: 'Summer' })
    await expect(redeem(user, 'summer')).rejects.toMatchObject({ code: 'redemption_unknown' })
    for (let wrong = 0; wrong < 9; wrong++)
      await expect(redeem(user, `guess-${wrong}`)).rejects.toMatchObject({ code: 'redemption_unknown' })
    await expect(redeem(user, row.key)).rejects.toMatchObject({ code: 'too_many_requests' })
  })

  it('the inviter gets a share once', async () => {
    await set('RebatePercentage', '12.5')
    await set('RebateEnabled', 'true')
    const inviter = await gateway.user()
    const aff_code = await inviter.call(routes.account.affCode)
    const invited = gateway.visitor()
    const person = { username: 'invited', password: 'user-password-1' }
    await invited.call(routes.session.register, { body: { ...person, aff_code } })
    await invited.signIn(person)
    const [key = ''] = await create({ quota: 1001 })
    await redeem(invited, key)
    expect(await balanceOf(inviter)).toBe(125)
    await set('RebateEnabled', 'false')
  })
})

describe('managing codes', () => {
  it.each([
    ['no name', { name: ' ' }, 'redemption_name_length'],
    ['a long name', { name: '春'.repeat(21) }, 'redemption_name_length'],
    ['no quota', { quota: 0 }, 'redemption_quota_out_of_range'],
    ['less than nothing', { quota: -5 }, 'redemption_quota_out_of_range'],
    ['a gift for nobody', { is_gift: true, max_uses: 0 }, 'redemption_max_uses_invalid'],
    ['none', { count: 0 }, 'redemption_count_missing'],
    ['too many', { count: 101 }, 'redemption_count_exceeded'],
    [
      'dates the wrong way round',
      { valid_from: 4_000_000_001, valid_until: 4_000_000_000 },
      'redemption_dates_reversed',
    ],
    ['an end in the past', { valid_until: 5 }, 'redemption_already_over'],
    ['an end in milliseconds', { valid_until: 1_801_418_400_000 }, 'redemption_date_invalid'],
    ['a start in milliseconds', { valid_from: 1_801_418_400_000 }, 'redemption_date_invalid'],
    ['a long key', { key: 'k'.repeat(33) }, 'redemption_key_too_long'],
  ])('a code is refused with %s', async (_what, body, problem) => {
    await expect(create(body)).rejects.toMatchObject({ code: problem })
  })

  it('a custom code is created once, and not again after its deletion', async () => {
    const { id } = await oneCode({ key: ' welcome ' })
    await expect(create({ key: 'welcome' })).rejects.toMatchObject({ code: 'redemption_key_taken' })
    await admin.call(redemptionRoutes.remove, { params: { id } })
    await expect(create({ key: 'welcome' })).rejects.toMatchObject({ code: 'redemption_key_taken' })
  })

  it('creating codes writes an audit row with the author', async () => {
    await create({ name: 'minted', quota: 7, count: 3 })
    const { items } = await gateway.root.call(routes.audit.list, { query: { entity: 'redemption' } })
    expect(items.find(({ entity_id }) => entity_id === 'minted')).toMatchObject({
      actor_id: admin.id,
      action: 'create',
    })
  })

  it('used codes cannot be changed by any route', async () => {
    const user = await gateway.user()
    const row = await oneCode({ name: 'kept' })
    await redeem(user, row.key)
    await expect(setStatus(row.id, 1)).rejects.toMatchObject({ code: 'redemption_used_stays' })
    const change = admin.call(redemptionRoutes.update, { body: { id: row.id, quota: 9 } })
    await expect(change).rejects.toMatchObject({ code: 'redemption_used_stays' })
    expect(await admin.call(redemptionRoutes.disableMany, { body: { ids: [row.id] } })).toBe(0)
    expect(await admin.call(redemptionRoutes.removeByName, { query: { name: 'kept' } })).toBe(0)
    await expect(setStatus(row.id, 7)).rejects.toMatchObject({ code: 'redemption_used_stays' })
    expect(await admin.call(redemptionRoutes.get, { params: { id: row.id } })).toMatchObject({ status: 3 })
  })

  it('an update changes the sent members, and the second of two editors is refused', async () => {
    const row = await oneCode({ valid_until: nowSeconds() + 100 })
    const { id, version } = row
    const changed = await admin.call(redemptionRoutes.update, { body: { id, version, quota: 9 } })
    expect(changed).toMatchObject({ quota: 9, name: 'spring', valid_until: row.valid_until })
    const late = admin.call(redemptionRoutes.update, { body: { id, version, name: 'late' } })
    await expect(late).rejects.toMatchObject({ code: 'redemption_changed' })
    await expect(setStatus(id, 3)).rejects.toMatchObject({ code: 'redemption_status_unknown' })
    expect(await setStatus(id, 2)).toMatchObject({ status: 2 })
    expect(await setStatus(id, 1)).toMatchObject({ status: 1 })
  })

  it('an expired code can still be edited, if its end stays or is in the future', async () => {
    const { id, valid_until } = await oneCode({ valid_until: nowSeconds() + 5 })
    clock.advance(10_000)
    const change = (body: { name?: string; valid_from?: number; valid_until?: number }) =>
      admin.call(redemptionRoutes.update, { body: { id, ...body } })
    expect(await change({ name: 'over', valid_from: 1_000, valid_until })).toMatchObject({ name: 'over' })
    await expect(change({ valid_until: valid_until - 1 })).rejects.toMatchObject({
      code: 'redemption_already_over',
    })
    expect(await change({ valid_until: nowSeconds() + 60 })).toMatchObject({ status: 1 })
  })

  it('codes are counted and deleted by name, and disabled ones can be deleted', async () => {
    await create({ name: 'batch', count: 3 })
    const { key } = await oneCode({ name: 'batch' })
    await redeem(await gateway.user(), key)
    const counted = await admin.callWhole(redemptionRoutes.countByName, { query: { name: 'batch' } })
    expect(counted).toMatchObject({ data: 4, extra: { removable: 3 } })
    expect(await admin.call(redemptionRoutes.removeByName, { query: { name: 'batch' } })).toBe(3)
    const { id } = await oneCode({ name: 'off' })
    await setStatus(id, 2)
    expect(await admin.call(redemptionRoutes.removeDisabled)).toBeGreaterThan(0)
    await expect(admin.call(redemptionRoutes.get, { params: { id } })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('only an enabled unused code can be edited', async () => {
    const { id } = await oneCode()
    await setStatus(id, 2)
    const rename = () => admin.call(redemptionRoutes.update, { body: { id, name: 'later', quota: 9 } })
    await expect(rename()).rejects.toMatchObject({ code: 'redemption_only_unused' })
    expect(await admin.call(redemptionRoutes.get, { params: { id } })).toMatchObject({ quota: 500_000 })
    await setStatus(id, 1)
    expect(await rename()).toMatchObject({ name: 'later', quota: 9 })
  })

  it('codes are enabled and disabled together, and the used ones are named', async () => {
    const [one, used] = [await oneCode({ name: 'together' }), await oneCode({ name: 'taken' })]
    await redeem(await gateway.user(), used.key)
    const setAll = (status: 1 | 2) =>
      admin.call(redemptionRoutes.setStatusMany, { body: { ids: [one.id, used.id, 999_999], status } })
    expect(await setAll(2)).toMatchObject({
      changed: 1,
      refused: [
        { id: used.id, name: 'taken' },
        { id: 999_999, name: '' },
      ],
    })
    expect([await statusOf(one.id), await statusOf(used.id)]).toEqual([2, 3])
    expect(await setAll(1)).toMatchObject({ changed: 1 })
    expect(await statusOf(one.id)).toBe(1)
  })

  it('pages are limited to a hundred rows, and a search takes wildcards literally', async () => {
    await create({ name: '100%off', count: 2 })
    await create({ name: '100 more' })
    const found = (keyword: string) => admin.call(redemptionRoutes.search, { query: { keyword, p: 0 } })
    expect((await found('100%')).items.map(({ name }) => name)).toEqual(['100%off', '100%off'])
    expect((await found('100')).total).toBe(3)
    const [first] = (await found('100 M')).items
    expect((await found(String(first?.id))).items).toContainEqual(first)
    expect((await found(first?.key ?? '')).items).toEqual([first])
    expect((await found(first?.key.slice(0, 20) ?? '')).items).toEqual([])
    expect((await admin.call(redemptionRoutes.list, { query: { page_size: 5000 } })).page_size).toBe(100)
  })
})
