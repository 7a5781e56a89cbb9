import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from './harness.ts'

/** What the administrator pages rely on: permissions in the rows, exports, and the history of settings. */
let gateway: TestServer
let admin: Visitor
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  admin = await gateway.user({ username: 'warden', role: 10 })
})
afterAll(() => gateway.close())

const rowOf = async (reader: Visitor, target: Visitor) => {
  const { items } = await reader.call(routes.adminUser.search, { query: { keyword: String(target.id) } })
  return items.find(({ id }) => id === target.id)
}

describe('a row says what its reader may do, and why not', () => {
  test('the row of an ordinary user allows an admin everything but promoting, and root everything', async () => {
    const user = await gateway.user()
    const may = { view: null, edit: null, quota: null, disable: null, delete: null }
    expect((await rowOf(admin, user))?.can).toMatchObject({ ...may, promote: expect.stringMatching(/./) })
    expect((await rowOf(gateway.root, user))?.can).toMatchObject({ ...may, promote: null })
  })

  test('the rows of another admin and of root allow an admin nothing', async () => {
    const peer = await gateway.user({ role: 10 })
    for (const target of [peer, gateway.root]) {
      const can = (await rowOf(admin, target))?.can
      expect(Object.values(can ?? {}).every((reason) => reason !== null)).toBe(true)
    }
  })

  test('a forbidden action is refused with the reason that the row gives', async () => {
    const peer = await gateway.user({ role: 10 })
    const reason = (await rowOf(admin, peer))?.can.disable ?? ''
    const body = { id: peer.id, action: 'disable' } as const
    await expect(admin.call(routes.adminUser.manage, { body })).rejects.toThrow(reason)
    for (const route of [routes.adminUser.get, routes.adminUser.tokens, routes.adminUser.entries])
      await expect(admin.call(route, { params: { id: peer.id } })).rejects.toThrow()
  })
})

describe('the page of one user', () => {
  test('an admin sees tokens without keys, and every ledger entry with the balance after it', async () => {
    const user = await gateway.user()
    const { key } = await user.call(routes.token.create, { body: { name: 'seen' } })
    const tokens = await admin.call(routes.adminUser.tokens, { params: { id: user.id } })
    expect(tokens.items).toMatchObject([{ name: 'seen' }])
    expect(JSON.stringify(tokens)).not.toContain(key)
    for (const delta of [500, -200, 50])
      await admin.call(routes.adminUser.changeQuota, {
        params: { id: user.id },
        body: { delta, note: 'by hand' },
      })
    const entries = await admin.call(routes.adminUser.entries, { params: { id: user.id } })
    expect(entries.items.map(({ change, balance_after }) => [change, balance_after])).toEqual([
      [50, 350],
      [-200, 300],
      [500, 500],
    ])
    const older = await admin.call(routes.adminUser.entries, {
      params: { id: user.id },
      query: { before_id: entries.items[1]?.id ?? 0 },
    })
    expect(older.items.map(({ change }) => change)).toEqual([500])
  })
})

describe('the export of users', () => {
  test('the export has one line for each matching user, opens as text in a spreadsheet, and is recorded in the audit log', async () => {
    const odd = await gateway.user()
    const body = { id: odd.id, display_name: '=1+1,"x"' }
    await gateway.root.call(routes.adminUser.update, { body })
    await gateway.server.ledger.adjust({ key: 'export', account: accountId('user', odd.id), delta: 77n })
    const response = await admin.fetch(`/api/user/export?keyword=${odd.id}`)
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; .*users-[\d-]{10}\.csv$/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const [head, line] = (await response.text()).split('\r\n')
    expect(head).toContain('id,username,display_name,email,role,status,group,quota')
    expect(line).toContain(`"'=1+1,""x"""`)
    expect(line).toContain(',default,77,')
    const { items } = await admin.call(routes.audit.list, { query: { action: 'export' } })
    expect(items[0]).toMatchObject({ actor_name: 'warden' })
  })
})

const set = (key: string, value: string) => gateway.root.call(routes.option.update, { body: { key, value } })
const historyOf = async (key: string) =>
  (await gateway.root.call(routes.optionHistory.list, { query: { key } })).items
const revert = (id: number | undefined) =>
  gateway.root.call(routes.optionHistory.revert, { body: { id: id ?? 0 } })

describe('the history of a setting', () => {
  test('the history shows who changed a setting and when, and one call reverts a change, which is recorded as a change itself', async () => {
    await set('SystemName', 'East')
    await set('SystemName', 'West')
    const [latest, first] = await historyOf('SystemName')
    expect(latest).toMatchObject({ before: 'East', after: 'West', changed_by_name: 'root', version: 2 })
    expect(first).toMatchObject({ before: null, after: 'East', can_revert: true })
    expect(await revert(latest?.id)).toEqual({ key: 'SystemName', value: 'East' })
    expect((await gateway.root.call(routes.status.read)).system_name).toBe('East')
    await revert(first?.id)
    expect((await gateway.root.call(routes.status.read)).system_name).toBe('Tollgate')
    expect((await historyOf('SystemName')).map(({ after }) => after)).toEqual([
      'Tollgate',
      'East',
      'West',
      'East',
    ])
    await expect(revert(first?.id)).rejects.toThrow()
  })

  test('the history of a secret contains no secret and cannot be reverted', async () => {
    await set('EpayKey', 'first-merchant-key')
    await set('EpayKey', 'second-merchant-key')
    const changes = await historyOf('EpayKey')
    expect(JSON.stringify(changes)).not.toContain('merchant-key')
    expect(changes.map(({ can_revert: can }) => can)).toEqual([false, false])
    await expect(revert(changes[0]?.id)).rejects.toThrow()
  })

  test('only the super admin can read the history, in the audit log too', async () => {
    await expect(admin.call(routes.optionHistory.list)).rejects.toMatchObject({ status: 403 })
    const { items } = await admin.call(routes.audit.list, { query: { entity: 'option' } })
    expect(items).toEqual([])
  })
})
