import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { addressesWith, countUsers, setOptions, userRow } from './sign-in-harness.ts'
import { signedByTelegram } from './widget.ts'

const BOT_TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
const clock = new ManualClock()
let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ clock, providers: addressesWith({}) })
  await setOptions(gateway, {
    TelegramBotToken: BOT_TOKEN,
    TelegramBotName: 'tollgate_bot',
    TelegramOAuthEnabled: 'true',
  })
})
afterAll(() => gateway.close())

let lastId = 9_000_000_000
const nextId = () => String(++lastId)
const nowSeconds = () => Math.floor(clock.nowMs() / 1000)

function message(id: string, fields: Record<string, string> = {}, token = BOT_TOKEN) {
  const all = { id, first_name: 'Ada', username: 'ada', auth_date: String(nowSeconds()), ...fields }
  return signedByTelegram(all, token)
}

const bind = (who: Visitor, query: Record<string, string>) =>
  who.callWhole(routes.oauth.bindTelegram, { query })

async function enter(query: Record<string, string>, who = gateway.visitor()) {
  const self = await who.call(routes.oauth.telegram, { query })
  who.id = self.id
  return self
}

async function boundUser() {
  const user = await gateway.user()
  const id = nextId()
  await bind(user, message(id))
  clock.advance(1000)
  return { user, id }
}

const refused = 'The data from Telegram is invalid'

describe('a message of the Telegram widget', () => {
  test('a message binds the account, and a later one signs in', async () => {
    const { user, id } = await boundUser()
    expect((await userRow(gateway, user.id)).telegram_id).toBe(id)
    const who = gateway.visitor()
    expect(await enter(message(id, { photo_url: 'https://t.me/i/ada.jpg', lang: 'zh' }), who)).toMatchObject({
      id: user.id,
      telegram_id: id,
    })
    expect((await who.call(routes.user.readSelf)).id).toBe(user.id)
  })

  test('a message of an unbound Telegram account creates no user', async () => {
    const users = await countUsers(gateway)
    await expect(enter(message(nextId()))).rejects.toThrow('This Telegram account is not bound to any user')
    expect(await countUsers(gateway)).toBe(users)
  })

  test('Unlike new-api: a message expires after five minutes', async () => {
    const { id } = await boundUser()
    const old = message(id, { auth_date: String(nowSeconds() - 301) })
    await expect(enter(old)).rejects.toThrow(refused)
    await enter(message(id, { auth_date: String(nowSeconds() - 299) }))
    await expect(enter(message(id, { auth_date: String(nowSeconds() + 120) }))).rejects.toThrow(refused)
  })

  test('Unlike new-api: a message works once, for signing in or for binding', async () => {
    const { id } = await boundUser()
    const once = message(id)
    await enter(once)
    await expect(enter(once)).rejects.toThrow(refused)
    const thief = await gateway.user()
    await expect(bind(thief, once)).rejects.toThrow(refused)
  })

  test('Unlike new-api: a message works once even when it arrives several times concurrently', async () => {
    const { id } = await boundUser()
    const once = message(id)
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => enter(once)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a message with a changed, added or missing field, or signed by another bot, is refused', async () => {
    const { id } = await boundUser()
    const good = message(id)
    const { first_name: _name, ...less } = good
    const { id: _id, ...withoutId } = good
    for (const bad of [
      { ...good, id: nextId() },
      { ...good, first_name: 'Eve' },
      { ...good, added: 'x' },
      less,
      withoutId,
      { ...good, hash: '0'.repeat(64) },
      { ...good, hash: good.hash.slice(1) },
      { ...good, hash: '' },
      { ...good, hash: good.hash.toUpperCase() },
      message(id, {}, '1:other'),
      signedByTelegram({ auth_date: String(nowSeconds()) }, BOT_TOKEN),
      signedByTelegram({ id: 'ada', auth_date: String(nowSeconds()) }, BOT_TOKEN),
      signedByTelegram({ id, auth_date: 'soon' }, BOT_TOKEN),
      {},
    ])
      await expect(enter(bad)).rejects.toThrow(refused)
    await enter(good)
  })

  test('a message of unreasonable size is refused before its signature is checked', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${index}`, 'x']))
    await expect(enter(message(nextId(), many))).rejects.toThrow('Invalid input')
    await expect(enter(message(nextId(), { photo_url: 'x'.repeat(2000) }))).rejects.toThrow('Invalid input')
  })
})

describe('binding a Telegram account', () => {
  test('binding without a session is refused with 401', async () => {
    const query = new URLSearchParams(message(nextId()))
    const response = await gateway.visitor().fetch(`/api/oauth/telegram/bind?${query.toString()}`)
    expect(response.status).toBe(401)
  })

  test('binding needs the user header and is refused from another site', async () => {
    const user = await gateway.user()
    const path = `/api/oauth/telegram/bind?${new URLSearchParams(message(nextId())).toString()}`
    const cookie = { cookie: user.cookie, origin: gateway.address }
    expect((await fetch(gateway.address + path, { headers: cookie })).status).toBe(401)
    expect((await user.fetch(path, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
  })

  test('a Telegram account of another user cannot be bound', async () => {
    const { id } = await boundUser()
    const other = await gateway.user()
    await expect(bind(other, message(id))).rejects.toThrow('bound to another user')
    expect((await userRow(gateway, other.id)).telegram_id).toBe('')
  })

  test('an existing binding is not overwritten', async () => {
    const { user, id } = await boundUser()
    await expect(bind(user, message(nextId()))).rejects.toThrow('bound to another Telegram account')
    expect((await userRow(gateway, user.id)).telegram_id).toBe(id)
  })
})

test('a banned user gets no session', async () => {
  const { user, id } = await boundUser()
  await gateway.server.store.db.updateTable('users').set({ status: 2 }).where('id', '=', user.id).execute()
  const who = gateway.visitor()
  await expect(enter(message(id), who)).rejects.toThrow('This user is disabled')
  expect(who.cookie).toBe('')
})

test('sign-in with Telegram is refused while it is switched off', async () => {
  const { id } = await boundUser()
  await setOptions(gateway, { TelegramOAuthEnabled: 'false' })
  await expect(enter(message(id))).rejects.toThrow('Sign-in with Telegram is switched off')
  await setOptions(gateway, { TelegramOAuthEnabled: 'true' })
})

test('the content security policy allows the widget only while sign-in with Telegram is switched on', async () => {
  const policy = async () => (await gateway.visitor().fetch('/')).headers.get('content-security-policy')
  expect(await policy()).toContain("script-src 'self' https://telegram.org;")
  await setOptions(gateway, { TelegramOAuthEnabled: 'false' })
  expect(await policy()).not.toContain('telegram')
})
