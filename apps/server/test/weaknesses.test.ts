import { routes } from '@tollgate/contract/routes'
import { type AccountId, accountId } from '@tollgate/ledger/account'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../src/config/index.ts'
import { PASSWORD, ROOT, type TestServer, type Visitor, startTestServer } from './harness.ts'

/**
 * Known faults of new-api that this gateway does not have. Faults tested beside the feature they are about
 * are not repeated here.
 */
let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
})
afterAll(() => gateway.close())

const set = (key: string, value: string) => gateway.root.call(routes.option.update, { body: { key, value } })
const idOf = (visitor: Visitor) => ({ params: { id: visitor.id } })
const balanceOf = async (visitor: Visitor) => (await visitor.call(routes.user.readSelf)).quota
const times = <Outcome>(count: number, deed: (index: number) => Promise<Outcome>) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => deed(index)))
const wins = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'fulfilled').length

let gifts = 0
function give(account: AccountId, units: bigint) {
  return gateway.server.ledger.adjust({ key: `test:gift:${++gifts}`, account, delta: units })
}

describe('credentials of users', () => {
  test('Unlike new-api: an admin sees no credential of any user in lists, searches and single users', async () => {
    const admin = await gateway.user({ role: 10 })
    const token = await gateway.root.call(routes.user.resetAccessToken)
    const seen = [
      await admin.call(routes.adminUser.list, { query: { page_size: 100 } }),
      await admin.call(routes.adminUser.search, { query: { keyword: 'root' } }),
      await gateway.root.call(routes.adminUser.get, idOf(gateway.root)),
    ]
    expect(JSON.stringify(seen)).not.toContain(token)
    for (const { items } of [seen[0], seen[1]].flatMap((page) => (page && 'items' in page ? [page] : [])))
      for (const user of items) expect(user).toMatchObject({ access_token: null, password: '' })
    await expect(admin.call(routes.adminUser.get, idOf(gateway.root))).rejects.toThrow()
    await gateway.root.call(routes.account.removeAccessToken)
  })
})

test('Unlike new-api: writing account data never restores an earlier balance', async () => {
  const user = await gateway.user()
  const setting = { notify_type: 'email', quota_warning_threshold: 1000 } as const
  const writes = times(10, async () => {
    await user.call(routes.user.resetAccessToken)
    await user.call(routes.account.affCode)
    await user.call(routes.account.updateSetting, { body: setting })
  })
  const credits = times(30, () => give(accountId('user', user.id), 1000n))
  await Promise.all([writes, credits])
  expect(await balanceOf(user)).toBe(30_000)
})

describe('changes made by an administrator apply at the next call', () => {
  const deeds: [string, (target: Visitor) => Promise<unknown>][] = [
    ['disabling', (target) => manage(target, 'disable')],
    ['deactivating', (target) => manage(target, 'delete')],
    ['promoting', (target) => manage(target, 'promote')],
    [
      'a new password',
      (target) =>
        gateway.root.call(routes.adminUser.update, { body: { id: target.id, password: 'another-pass-1' } }),
    ],
  ]
  test.each(deeds)('%s applies at the next call', async (_name, deed) => {
    const target = await gateway.user()
    await target.call(routes.user.readSelf)
    await deed(target)
    await expect(target.call(routes.user.readSelf)).rejects.toMatchObject({ status: 401 })
  })
})

test('Unlike new-api: a banned user sees the prices of a guest', async () => {
  await set('GroupRatio', '{"default":1,"vip":1,"svip":1}')
  await gateway.root.call(routes.channel.create, {
    body: {
      type: 1,
      name: 'of few',
      key: 'k',
      models: 'o1',
      group: 'svip',
      base_url: 'https://up.example',
    },
  })
  const few = await gateway.user()
  await gateway.root.call(routes.adminUser.update, { body: { id: few.id, group: 'svip' } })
  const seen = async () => (await few.call(routes.pricing.list)).map(({ model_name: name }) => name)
  expect(await seen()).toContain('o1')
  await manage(few, 'disable')
  expect(await seen()).not.toContain('o1')
})

function manage(target: Visitor, action: 'disable' | 'enable' | 'delete' | 'promote' | 'demote') {
  return gateway.root.call(routes.adminUser.manage, { body: { id: target.id, action } })
}

describe('concurrent rewards and transfers', () => {
  test('Unlike new-api: of many concurrent check-ins a day one is rewarded', async () => {
    await set('CheckInQuota', '1234')
    await set('CheckInEnabled', 'true')
    const user = await gateway.user()
    expect(wins(await times(20, () => user.call(routes.account.checkIn)))).toBe(1)
    expect(await balanceOf(user)).toBe(1234)
  })

  test('Unlike new-api: concurrent transfers never exceed the earnings', async () => {
    const user = await gateway.user()
    await give(accountId('affiliate', user.id), 1_200_000n)
    const outcomes = await times(10, () =>
      user.call(routes.account.affTransfer, { body: { quota: 500_000 } }),
    )
    expect(wins(outcomes)).toBe(2)
    expect(await user.call(routes.user.readSelf)).toMatchObject({ quota: 1_000_000, aff_quota: 200_000 })
  })
})

test('Unlike new-api: managing an unknown user or with an unknown action is refused', async () => {
  const before = await gateway.root.call(routes.user.readSelf)
  for (const body of [
    { id: 0, action: 'disable' },
    { action: 'disable' },
    { id: -1, action: 'delete' },
    { id: gateway.root.id, action: 'sing' },
    { id: 999_999, action: 'disable' },
  ]) {
    const response = await gateway.root.fetch('/api/user/manage', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await response.json(), JSON.stringify(body)).toMatchObject({ success: false })
  }
  expect(await gateway.root.call(routes.user.readSelf)).toMatchObject({
    role: before.role,
    status: before.status,
  })
})

describe('an administrator’s form', () => {
  test('Unlike new-api: saving leaves members that are not sent unchanged', async () => {
    const user = await gateway.user()
    const before = await gateway.root.call(routes.adminUser.get, idOf(user))
    const body = { id: user.id, display_name: 'Renamed' }
    const after = await gateway.root.call(routes.adminUser.update, { body })
    const { username, group, quota } = before
    expect(after).toMatchObject({ username, group, quota, display_name: 'Renamed' })
  })

  test('Unlike new-api: saving does not give back quota spent since the form was loaded', async () => {
    const user = await gateway.user()
    await give(accountId('user', user.id), 1000n)
    const form = await gateway.root.call(routes.adminUser.get, idOf(user))
    await give(accountId('user', user.id), -400n)
    const body = { id: user.id, quota: form.quota + 5000, expected_quota: form.quota }
    await expect(gateway.root.call(routes.adminUser.update, { body })).rejects.toThrow('600')
    expect(await balanceOf(user)).toBe(600)
    const family = { id: user.id, username: form.username, group: form.group, quota: form.quota + 5000 }
    await expect(gateway.root.call(routes.adminUser.update, { body: family })).rejects.toThrow('600')
  })

  test('Unlike new-api: a quota change is added to the current balance, once per key', async () => {
    const user = await gateway.user()
    const body = { delta: 700, operation_key: 'form-17-once', note: 'thanks' }
    const change = () => gateway.root.call(routes.adminUser.changeQuota, { ...idOf(user), body })
    expect(await change()).toEqual({ before: 0, after: 700 })
    expect(await change()).toEqual({ before: 0, after: 700 })
    expect(await balanceOf(user)).toBe(700)
  })

  test('Unlike new-api: an unknown group is refused', async () => {
    const user = await gateway.user()
    const body = { id: user.id, group: 'nowhere' }
    await expect(gateway.root.call(routes.adminUser.update, { body })).rejects.toThrow('nowhere')
  })
})

test('Unlike new-api: actions of administrators are in the audit log with author, target, change and address', async () => {
  const target = await gateway.user()
  for (const action of ['promote', 'demote', 'disable', 'enable', 'delete'] as const)
    await manage(target, action)
  const { items } = await gateway.root.call(routes.audit.list, {
    query: { entity: 'user', entity_id: String(target.id) },
  })
  expect(items.map(({ action }) => action)).toEqual(['delete', 'enable', 'disable', 'demote', 'promote'])
  const promotion = items.at(-1)
  expect(promotion).toMatchObject({ actor_id: gateway.root.id, actor_name: ROOT.username })
  expect(promotion?.address).toMatch(/127\.0\.0\.1|::1/)
  expect(JSON.parse(promotion?.before ?? '')).toMatchObject({ role: 1 })
  expect(JSON.parse(promotion?.after ?? '')).toMatchObject({ role: 10 })
})

test('Unlike new-api: a page has ten rows by default and at most a hundred', async () => {
  await times(12, () => gateway.user())
  const page = await gateway.root.call(routes.adminUser.list)
  expect(page).toMatchObject({ page: 1, page_size: 10 })
  expect(page.items).toHaveLength(10)
  const large = await gateway.root.call(routes.adminUser.list, { query: { page_size: 1_000_000 } })
  expect(large.page_size).toBe(100)
})

const asked = async (path: string, who: Visitor) => {
  const response = await who.fetch(path)
  return { status: response.status, body: await response.json() }
}

describe('responses', () => {
  test('Unlike new-api: a refused call has an error status', async () => {
    const user = await gateway.user()
    expect(await asked('/api/user/', user)).toMatchObject({ status: 403, body: { success: false } })
    expect(await asked('/api/user/self', gateway.visitor())).toMatchObject({ status: 401 })
  })

  test('Unlike new-api: a deletion returns a body, on success and on failure', async () => {
    const user = await gateway.user()
    const remove = async () => {
      const response = await gateway.root.fetch(`/api/user/${user.id}`, { method: 'DELETE' })
      return response.json()
    }
    expect(await remove()).toMatchObject({ success: true })
    expect(await remove()).toMatchObject({ success: false })
  })

  test('Unlike new-api: a 404 response is not cached', async () => {
    const response = await gateway.root.fetch('/api/nope')
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('Unlike new-api: an empty list is an array', async () => {
    const user = await gateway.user()
    expect(await user.call(routes.model.own)).toEqual([])
  })
})

describe('names and invitation codes at registration', () => {
  test.each(['', '   ', '\u200b', 'a b'])('Unlike new-api: the name %j is refused', async (username) => {
    const body = { username, password: PASSWORD }
    await expect(gateway.visitor().call(routes.session.register, { body })).rejects.toThrow()
  })

  test('Unlike new-api: a name is trimmed, and an invitation code has at least eight characters', async () => {
    await gateway
      .visitor()
      .call(routes.session.register, { body: { username: '  tidy ', password: PASSWORD } })
    const visitor = gateway.visitor()
    expect(await visitor.signIn({ username: 'tidy', password: PASSWORD })).toMatchObject({ username: 'tidy' })
    expect((await visitor.call(routes.account.affCode)).length).toBeGreaterThanOrEqual(8)
  })
})

test('Unlike new-api: RELAY_TIMEOUT is applied, and ENABLE_PPROF is ignored', () => {
  const base = { SESSION_SECRET: 'session secret of the tests', CRYPTO_SECRET: 'crypto secret of the tests' }
  const config = readConfig({ ...base, SQLITE_PATH: ':memory:', RELAY_TIMEOUT: '7', ENABLE_PPROF: 'true' })
  expect(config.relayTimeoutMs).toBe(7000)
})

test('Unlike new-api: the log row of a check-in has the name of the user', async () => {
  await set('CheckInQuota', '1000')
  await set('CheckInEnabled', 'true')
  const user = await gateway.user()
  await user.call(routes.account.checkIn)
  const { username } = await user.call(routes.user.readSelf)
  const { items } = await gateway.root.call(routes.log.list, { query: { username, type: 5 } })
  expect(items).toMatchObject([{ username, user_id: user.id, type: 5 }])
})

test('Unlike new-api: an invitation is counted even without a reward', async () => {
  await set('QuotaForInviter', '0')
  const inviter = await gateway.user()
  const code = await inviter.call(routes.account.affCode)
  const body = { username: 'invited', password: PASSWORD, aff_code: code }
  await gateway.visitor().call(routes.session.register, { body })
  expect(await inviter.call(routes.user.readSelf)).toMatchObject({ aff_count: 1, aff_quota: 0 })
})

test('Unlike new-api: the export interval cannot be 0, and a map in a dotted setting is replaced instead of merged', async () => {
  await expect(set('DataExportInterval', '0')).rejects.toThrow('DataExportInterval')
  await set('gemini.version_settings', '{"default":"v1"}')
  const listed = await gateway.root.call(routes.option.list)
  const value = listed.find(({ key }) => key === 'gemini.version_settings')?.value ?? ''
  expect(JSON.parse(value)).toEqual({ default: 'v1' })
})

test('Unlike new-api: a token of a deactivated owner is refused', async () => {
  const owner = await gateway.user()
  const { key } = await owner.call(routes.token.create, { body: { name: 'left behind' } })
  await manage(owner, 'delete')
  const response = await fetch(`${gateway.address}/v1/models`, {
    headers: { authorization: `Bearer sk-${key}` },
  })
  expect([401, 403]).toContain(response.status)
})
