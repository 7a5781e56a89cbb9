import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, type TestServer, type Visitor } from '../harness.ts'
import { begin, comeBack, setOptions, userRow } from './sign-in-harness.ts'
import { type FakeGitHub, type GitHubUser, openFakeGitHub } from './fake-github.ts'
import { signedByTelegram } from './widget.ts'

const BOT_TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
const clock = new ManualClock()
let provider: FakeGitHub
let gateway: TestServer
beforeAll(async () => {
  provider = await openFakeGitHub({ clock })
  gateway = provider.gateway
  await setOptions(gateway, {
    TelegramBotToken: BOT_TOKEN,
    TelegramBotName: 'tollgate_bot',
    TelegramOAuthEnabled: 'true',
  })
})
afterAll(() => provider.close())

const unbind = (who: Visitor, provider: 'github' | 'telegram' | 'wechat') =>
  who.call(routes.oauth.unbind, { params: { provider } })
const bindGitHub = (who: Visitor, person: GitHubUser) => provider.signIn(who, person)

let lastTelegramId = 500
function bindTelegram(who: Visitor) {
  const fields = { id: String(++lastTelegramId), auth_date: String(Math.floor(clock.nowMs() / 1000)) }
  return who.call(routes.oauth.bindTelegram, { query: signedByTelegram(fields, BOT_TOKEN) })
}

describe('binding GitHub', () => {
  test('binding while signed in returns "bind", keeps the session, and allows sign-in with GitHub from then on', async () => {
    const user = await gateway.user()
    const { cookie } = user
    const person = provider.somebody()
    const { data, message } = await bindGitHub(user, person)
    expect([data, message]).toEqual([null, 'bind'])
    expect(user.cookie).toBe(cookie)
    expect((await user.call(routes.user.readSelf)).github_id).toBe(String(person.id))
    const who = gateway.visitor()
    expect((await provider.signIn(who, person)).data?.id).toBe(user.id)
  })

  test('binding the same account again changes nothing', async () => {
    const user = await gateway.user()
    const person = provider.somebody()
    await bindGitHub(user, person)
    expect((await bindGitHub(user, person)).message).toBe('bind')
  })

  test('a GitHub account of another user cannot be bound, even when that user is deactivated', async () => {
    const owner = await gateway.user()
    const person = provider.somebody()
    await bindGitHub(owner, person)
    const other = await gateway.user()
    await expect(bindGitHub(other, person)).rejects.toThrow('This GitHub account is bound to another user')
    await gateway.server.store.db
      .updateTable('users')
      .set({ deleted_ms: 1 })
      .where('id', '=', owner.id)
      .execute()
    await expect(bindGitHub(other, person)).rejects.toThrow('This GitHub account is bound to another user')
    expect((await userRow(gateway, other.id)).github_id).toBe('')
  })

  test('a GitHub account bound in an imported database cannot be bound to another user', async () => {
    const imported = await gateway.user()
    const person = provider.somebody()
    await gateway.server.store.db
      .updateTable('users')
      .set({ github_id: person.login })
      .where('id', '=', imported.id)
      .execute()
    const other = await gateway.user()
    await expect(bindGitHub(other, person)).rejects.toThrow('bound to another user')
    expect((await bindGitHub(imported, person)).message).toBe('bind')
    expect((await userRow(gateway, imported.id)).github_id).toBe(String(person.id))
  })

  test('an existing binding is not overwritten', async () => {
    const user = await gateway.user()
    const person = provider.somebody()
    await bindGitHub(user, person)
    await expect(bindGitHub(user, provider.somebody())).rejects.toThrow('bound to another GitHub account')
    expect((await userRow(gateway, user.id)).github_id).toBe(String(person.id))
  })

  test('when several users bind one account at once, one of them gets it', async () => {
    const users = [await gateway.user(), await gateway.user(), await gateway.user()]
    const person = provider.somebody()
    const outcomes = await Promise.allSettled(users.map((user) => bindGitHub(user, person)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const rows = await Promise.all(users.map(({ id }) => userRow(gateway, id)))
    expect(rows.filter(({ github_id }) => github_id === String(person.id))).toHaveLength(1)
  })

  test('when a user binds several accounts at once, one is bound', async () => {
    const user = await gateway.user()
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => bindGitHub(user, provider.somebody())))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('binding changes no other column of the user', async () => {
    const user = await gateway.user()
    const { github_id: _before, ...before } = await userRow(gateway, user.id)
    await bindGitHub(user, provider.somebody())
    const { github_id: _after, ...after } = await userRow(gateway, user.id)
    expect(after).toEqual(before)
  })

  test('binding and unbinding are recorded in the audit log with user and address', async () => {
    const user = await gateway.user()
    const person = provider.somebody()
    await bindGitHub(user, person)
    await unbind(user, 'github')
    const rows = await gateway.server.store.db
      .selectFrom('audit_log')
      .select(['action', 'after_json', 'before_json', 'address'])
      .where('entity', '=', 'identity')
      .where('actor_id', '=', user.id)
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      {
        action: 'bind',
        after_json: JSON.stringify({ provider: 'github', subject: String(person.id) }),
        before_json: null,
        address: '127.0.0.1',
      },
      { action: 'unbind', after_json: null, before_json: '{"provider":"github"}', address: '127.0.0.1' },
    ])
  })
})

describe('unbinding', () => {
  test('an unbound account cannot sign in any more and may be bound to another user', async () => {
    const user = await gateway.user()
    const person = provider.somebody()
    await bindGitHub(user, person)
    expect(await unbind(user, 'github')).toBe(null)
    expect((await userRow(gateway, user.id)).github_id).toBe('')
    const other = await gateway.user()
    expect((await bindGitHub(other, person)).message).toBe('bind')
  })

  test('unbinding a provider that is not bound or does not exist is refused', async () => {
    const user = await gateway.user()
    await expect(unbind(user, 'telegram')).rejects.toThrow('Your account is not bound to Telegram')
    const response = await user.fetch('/api/oauth/myspace', { method: 'DELETE' })
    expect(await response.json()).toMatchObject({ success: false })
  })

  test('the last way to sign in cannot be unbound until there is another', async () => {
    const who = gateway.visitor()
    await provider.signIn(who, provider.somebody())
    await expect(unbind(who, 'github')).rejects.toThrow('you could no longer sign in')
    await bindTelegram(who)
    await unbind(who, 'github')
    await expect(unbind(who, 'telegram')).rejects.toThrow('you could no longer sign in')
    await who.call(routes.user.updateSelf, { body: { password: 'a-new-password-1' } })
    await unbind(who, 'telegram')
  })

  test('a provider that is switched off does not count as another way to sign in', async () => {
    const who = gateway.visitor()
    await provider.signIn(who, provider.somebody())
    await bindTelegram(who)
    await setOptions(gateway, { TelegramOAuthEnabled: 'false' })
    await expect(unbind(who, 'github')).rejects.toThrow('you could no longer sign in')
    await setOptions(gateway, { TelegramOAuthEnabled: 'true' })
    await unbind(who, 'github')
  })

  test('of two concurrent requests to unbind the last two providers, one succeeds', async () => {
    const who = gateway.visitor()
    await provider.signIn(who, provider.somebody())
    await bindTelegram(who)
    const outcomes = await Promise.allSettled([unbind(who, 'github'), unbind(who, 'telegram')])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('unbinding needs a recent sign-in and is refused for access tokens', async () => {
    const user = await gateway.user()
    await bindGitHub(user, provider.somebody())
    const token = await user.call(routes.user.resetAccessToken)
    const withToken = await fetch(`${gateway.address}/api/oauth/github`, {
      method: 'DELETE',
      headers: { authorization: token, 'tollgate-user': String(user.id) },
    })
    expect(await withToken.json()).toMatchObject({ success: false })
    clock.advance(13 * 3_600_000)
    await expect(unbind(user, 'github')).rejects.toMatchObject({ status: 200 })
    await expect(bindTelegram(user)).rejects.toMatchObject({ status: 200 })
    expect((await userRow(gateway, user.id)).github_id).not.toBe('')
  })
})

describe('the last way to sign in for the super admin', () => {
  const refused = 'Nobody could sign in any more'
  beforeAll(() => gateway.root.signIn(ROOT))

  test('password sign-in cannot be switched off while no super admin has another way', async () => {
    await expect(setOptions(gateway, { PasswordLoginEnabled: 'false' })).rejects.toThrow(refused)
  })

  test('with a bound provider password sign-in can be switched off, and then the provider cannot', async () => {
    const root = gateway.visitor()
    await root.signIn({ username: 'root', password: 'root-password-1' })
    const person = provider.somebody()
    await bindGitHub(root, person)
    await setOptions({ ...gateway, root }, { PasswordLoginEnabled: 'false' })
    const status = await gateway.visitor().call(routes.status.read)
    expect(status).toMatchObject({ password_login_enabled: false, github_oauth: true })
    for (const change of [
      { GitHubOAuthEnabled: 'false' },
      { GitHubClientId: '' },
      { GitHubClientSecret: '' },
    ])
      await expect(setOptions({ ...gateway, root }, change)).rejects.toThrow(refused)
    await expect(unbind(root, 'github')).rejects.toThrow('you could no longer sign in')
    expect((await provider.signIn(gateway.visitor(), person)).data?.role).toBe(100)
    await setOptions({ ...gateway, root }, { PasswordLoginEnabled: 'true' })
  })
})

test('a binding started in a session that has ended is refused', async () => {
  const user = await gateway.user()
  const { authorizeUrl } = await begin(user, 'github')
  const back = { ...provider.github.approve(authorizeUrl, provider.somebody()) }
  await gateway.server.store.db.deleteFrom('sessions').where('user_id', '=', user.id).execute()
  await expect(comeBack(user, 'github', back)).rejects.toMatchObject({ status: 403 })
  expect((await userRow(gateway, user.id)).github_id).toBe('')
})
