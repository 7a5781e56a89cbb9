import { type UserAction, manageActions } from '@tollgate/contract/admin-user'
import { ApiError } from '@tollgate/contract/client'
import { routes } from '@tollgate/contract/routes'
import { accountId } from '@tollgate/ledger/account'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'

/** User administration over HTTP, as a console does it. */

const ADMIN = 10

let gateway: TestServer
let root: Visitor
let admin: Visitor
let user: Visitor

beforeEach(async () => {
  gateway = await startTestServer({ isInMemory: true })
  root = gateway.root
  admin = await gateway.user({ role: ADMIN })
  user = await gateway.user()
})
afterEach(() => gateway.close())

/** `undefined` when the call succeeded, otherwise its error code. */
async function refusalOf(done: Promise<unknown>): Promise<string | undefined> {
  return done.then(
    () => undefined,
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  )
}

const perform = (by: Visitor, id: number, action: UserAction) => {
  if (action === 'view') return by.call(routes.adminUser.get, { params: { id } })
  if (action === 'edit') return by.call(routes.adminUser.update, { body: { id, display_name: 'Other' } })
  if (action === 'quota') return by.call(routes.adminUser.changeQuota, { params: { id }, body: { delta: 1 } })
  return by.call(routes.adminUser.manage, { body: { id, action } })
}

const actions: readonly UserAction[] = ['view', 'edit', 'quota', ...manageActions]
/** Refused actions, with the code of the reason. */
type Refused = Readonly<Partial<Record<UserAction, string>>>
const all = (code: string): Refused => Object.fromEntries(actions.map((action) => [action, code]))

test('allowed actions succeed and forbidden ones are refused, as the row says beforehand', async () => {
  const other = await gateway.user({ role: ADMIN })
  const { view: _seen, ...ownRow } = all('user_self')
  const cases: readonly { by: Visitor; target: Visitor; refused: Refused }[] = [
    { by: root, target: user, refused: { demote: 'user_already_ordinary', enable: 'user_already_enabled' } },
    { by: root, target: admin, refused: { promote: 'user_already_admin', enable: 'user_already_enabled' } },
    {
      by: root,
      target: root,
      refused: {
        promote: 'user_already_admin',
        demote: 'user_root_demote',
        enable: 'user_self',
        disable: 'user_root_disable',
        delete: 'user_root_delete',
      },
    },
    {
      by: admin,
      target: user,
      refused: {
        promote: 'user_promote_root_only',
        demote: 'user_already_ordinary',
        enable: 'user_already_enabled',
      },
    },
    { by: admin, target: other, refused: all('user_rank') },
    { by: admin, target: admin, refused: ownRow },
    {
      by: admin,
      target: root,
      refused: {
        ...all('user_rank'),
        demote: 'user_root_demote',
        disable: 'user_root_disable',
        delete: 'user_root_delete',
      },
    },
  ]
  for (const { by, target, refused } of cases) {
    for (const action of actions) {
      const expected = refused[action]
      if (expected !== undefined)
        expect(await refusalOf(perform(by, target.id, action)), action).toBe(expected)
    }
  }
  const row = await admin.call(routes.adminUser.get, { params: { id: user.id } })
  const refusals = Object.entries(row.can).filter(([, words]) => words !== null)
  expect(refusals.map(([action]) => action).toSorted()).toEqual(['demote', 'enable', 'promote'])
  for (const action of ['view', 'edit', 'quota', 'disable', 'enable', 'delete'] as const)
    expect(await refusalOf(perform(admin, user.id, action)), action).toBeUndefined()
  expect(await refusalOf(perform(root, other.id, 'demote'))).toBeUndefined()
  expect(await refusalOf(perform(root, other.id, 'promote'))).toBeUndefined()
})

test('ordinary users cannot administrate, and a disabled or demoted user loses access at once', async () => {
  expect(await refusalOf(user.call(routes.adminUser.list, { query: {} }))).toBe('role_too_low')
  await root.call(routes.adminUser.manage, { body: { id: user.id, action: 'disable' } })
  expect((await user.fetch('/api/user/self')).status).toBe(401)
  await root.call(routes.adminUser.manage, { body: { id: admin.id, action: 'demote' } })
  expect((await admin.fetch('/api/user/')).status).toBe(401)
})

test('an update returns the row in its new state', async () => {
  await user.call(routes.user.resetAccessToken)
  const { id } = user
  const shown = () => root.call(routes.adminUser.get, { params: { id } })
  expect((await shown()).has_access_token).toBe(true)
  const renamed = await root.call(routes.adminUser.update, { body: { id, display_name: 'Bob' } })
  expect(renamed).toMatchObject({ display_name: 'Bob', has_access_token: true })
  const changed = await root.call(routes.adminUser.update, { body: { id, password: 'another-pass-1' } })
  expect(changed.has_access_token).toBe(false)
  expect(await shown()).toEqual(changed)
})

test('a deactivated user keeps no access token', async () => {
  await user.call(routes.user.resetAccessToken)
  const gone = await root.call(routes.adminUser.manage, { body: { id: user.id, action: 'delete' } })
  expect(gone).toMatchObject({ has_access_token: false, DeletedAt: expect.any(String) })
})

test('a quota changes by the difference to the value that the form loaded, once per key', async () => {
  const { id } = user
  const change = (body: { delta: number; expected_quota?: number; operation_key?: string }) =>
    root.call(routes.adminUser.changeQuota, { params: { id }, body })
  expect(await change({ delta: 500 })).toEqual({ before: 0, after: 500 })
  const once = { delta: 100, operation_key: 'form-0001' }
  expect(await change(once)).toEqual({ before: 500, after: 600 })
  expect(await change(once)).toEqual({ before: 500, after: 600 })
  expect(await refusalOf(change({ ...once, delta: 7 }))).toBe('operation_key_used')
  expect(await refusalOf(change({ delta: 1, expected_quota: 500 }))).toBe('user_quota_moved')
  const form = { id, quota: 1_000, expected_quota: 600 }
  expect(await root.call(routes.adminUser.update, { body: form })).toMatchObject({ quota: 1_000 })
  expect(await refusalOf(root.call(routes.adminUser.update, { body: { ...form, display_name: 'X' } }))).toBe(
    'user_quota_moved',
  )
  const row = await root.call(routes.adminUser.get, { params: { id } })
  expect(row).toMatchObject({ quota: 1_000 })
  expect(row.display_name).not.toBe('X')
  expect(await change({ delta: -1_500 })).toEqual({ before: 1_000, after: -500 })
})

test('inviter and invitee are rewarded once, and rewards can be transferred to the balance', async () => {
  for (const [key, value] of Object.entries({
    QuotaForNewUser: '1000',
    QuotaForInvitee: '300',
    QuotaForInviter: '5000000',
  }))
    await root.call(routes.option.update, { body: { key, value } })
  const code = await user.call(routes.account.affCode)
  const body = { username: 'invited', password: 'user-password-1', aff_code: code }
  await gateway.visitor().call(routes.session.register, { body })
  const invited = gateway.visitor()
  const { id } = await invited.signIn({ username: 'invited', password: 'user-password-1' })
  const { ledger } = gateway.server
  await expect
    .poll(async () => (await ledger.balance(accountId('affiliate', user.id)))?.remaining)
    .toBe(5_000_000n)
  await expect.poll(async () => (await ledger.balance(accountId('user', id)))?.remaining).toBe(1_300n)
  const before = await root.call(routes.adminUser.get, { params: { id: user.id } })
  expect(before).toMatchObject({ aff_quota: 5_000_000, aff_count: 1 })
  await user.call(routes.account.affTransfer, { body: { quota: 5_000_000 } })
  const after = await root.call(routes.adminUser.get, { params: { id: user.id } })
  expect(after).toMatchObject({ aff_quota: 0, quota: before.quota + 5_000_000 })
})

test('several users are disabled and enabled together, and the refused ones are named', async () => {
  const another = await gateway.user()
  const setAll = (by: Visitor, status: 1 | 2) =>
    by.call(routes.adminUser.setStatusMany, {
      body: { ids: [user.id, another.id, admin.id, root.id, 999_999], status },
    })
  const { changed, refused } = await setAll(admin, 2)
  expect(changed).toBe(2)
  expect(refused.map(({ id, name }) => [id, name])).toEqual([
    [admin.id, expect.stringMatching(/./)],
    [root.id, expect.stringMatching(/./)],
    [999_999, ''],
  ])
  await expect(user.call(routes.user.readSelf)).rejects.toBeInstanceOf(ApiError)
  const { items } = await root.call(routes.audit.list, { query: { entity: 'user', action: 'disable' } })
  expect(items.map(({ entity_id }) => entity_id).toSorted()).toEqual(
    [String(user.id), String(another.id)].toSorted(),
  )
  expect(await setAll(admin, 1)).toMatchObject({ changed: 2 })
  await expect(setAll(user, 1)).rejects.toBeInstanceOf(ApiError)
})

const ownerOf = (text: string, by = admin) => by.call(routes.adminUser.ownerOfKey, { body: { key: text } })

test('administrators find the owner of a whole key, but not by a part of it', async () => {
  const { key } = await user.call(routes.token.create, { body: { name: 'cli' } })
  const owner = { user_id: user.id, token_name: 'cli' }
  for (const text of [key, `sk-${key}`, ` sk-${key}-7 `]) expect(await ownerOf(text)).toMatchObject(owner)
  for (const text of [key.slice(1), key.slice(0, 40), `${key.slice(0, 3)}***${key.slice(-3)}`, 'sk-', ''])
    expect(await ownerOf(text)).toBeNull()
  expect(await refusalOf(ownerOf(key, user))).toBe('role_too_low')
})
