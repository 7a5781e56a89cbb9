import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { type Counterpart, type ServerAnswer, answering } from './counterpart.ts'
import { addressesWith, countUsers, setOptions, userRow } from './sign-in-harness.ts'

const TOKEN = 'canary-wechat-token'
/** WeChat ids by the codes that the operator's WeChat server gave out. */
const CODES: Readonly<Record<string, string>> = {
  '111111': 'wx-ada',
  'a b&c=d/é': 'wx-odd',
  '222222': 'wx-bob',
  '333333': 'wx-old',
}

let helper: Counterpart
let gateway: TestServer
let broken: ServerAnswer | undefined
const asked: string[] = []
beforeAll(async () => {
  helper = await answering(({ path, query, headers }) => {
    if (broken) return broken
    asked.push(`${headers.authorization} ${path}`)
    const id = CODES[query.get('code') ?? '']
    if (headers.authorization !== TOKEN) return { status: 401, body: { success: false, message: 'token' } }
    return {
      body: id ? { success: true, message: '', data: id } : { success: false, message: 'evil.example' },
    }
  })
  gateway = await startTestServer({ providers: addressesWith({}) })
  await setOptions(gateway, {
    WeChatServerAddress: helper.address,
    WeChatServerToken: TOKEN,
    WeChatAuthEnabled: 'true',
  })
})
afterAll(async () => {
  await gateway.close()
  await helper.close()
})
beforeEach(() => {
  broken = undefined
})

async function signIn(who: Visitor, code: string, aff?: string) {
  const self = await who.call(routes.oauth.wechat, { query: { code, ...(aff !== undefined && { aff }) } })
  who.id = self.id
  return self
}

describe('a code from the operator’s WeChat account', () => {
  test('a code creates an account, and a second one opens the same account', async () => {
    const first = await signIn(gateway.visitor(), ' 111111 ')
    expect(first).toMatchObject({ wechat_id: 'wx-ada', display_name: 'WeChat User' })
    expect(first.username).toMatch(/^wechat_\d+$/)
    expect((await signIn(gateway.visitor(), '111111')).id).toBe(first.id)
    expect(asked[0]).toBe(`${TOKEN} /api/wechat/user`)
  })

  test('a code is URL-encoded in the request to the WeChat server', async () => {
    expect((await signIn(gateway.visitor(), 'a b&c=d/é')).wechat_id).toBe('wx-odd')
  })

  test('the code of an inviter is applied', async () => {
    const inviter = await gateway.user()
    const { aff_code } = await inviter.call(routes.user.readSelf)
    expect((await signIn(gateway.visitor(), '222222', aff_code)).inviter_id).toBe(inviter.id)
  })

  test('a code opens an account bound in an imported database', async () => {
    const imported = await gateway.user()
    const { db } = gateway.server.store
    await db.updateTable('users').set({ wechat_id: 'wx-old' }).where('id', '=', imported.id).execute()
    expect((await signIn(gateway.visitor(), '333333')).id).toBe(imported.id)
  })

  test.each(['', '   ', '000000', "1' or '1'='1"])('the code %j is refused', async (code) => {
    const users = await countUsers(gateway)
    await expect(signIn(gateway.visitor(), code)).rejects.toThrow(
      'The verification code is wrong or has expired',
    )
    expect(await countUsers(gateway)).toBe(users)
  })

  test.each<[string, ServerAnswer, string]>([
    ['breaks down', { status: 500, body: { success: true, data: 'wx-ada' } }, 'returned no user id'],
    ['answers nonsense', { body: 'welcome' }, 'returned no user id'],
    ['answers with nobody', { body: { success: true, message: '', data: '' } }, 'wrong or has expired'],
    ['answers with a list', { body: { success: true, data: ['wx-ada'] } }, 'returned no user id'],
  ])('a sign-in with a server that %s is refused', async (_name, reported, words) => {
    broken = reported
    await expect(signIn(gateway.visitor(), '111111')).rejects.toThrow(words)
  })

  test('a code sent from another site signs nobody in', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: '' }]) {
      const response = await gateway.visitor().fetch('/api/oauth/wechat?code=111111', { headers })
      expect(response.status).toBe(403)
    }
  })
})

test('a WeChat server at a private address is reported as unreachable', async () => {
  await setOptions(gateway, { WeChatServerAddress: 'http://10.1.2.3' })
  await expect(signIn(gateway.visitor(), '111111')).rejects.toThrow('WeChat cannot be reached')
  await setOptions(gateway, { WeChatServerAddress: helper.address })
})

describe('binding a WeChat account', () => {
  test('binding without a session is refused with 401', async () => {
    const response = await gateway.visitor().fetch('/api/oauth/wechat/bind?code=111111')
    expect(response.status).toBe(401)
  })

  test('binding needs the user header and is refused from another site', async () => {
    const user = await gateway.user()
    const path = '/api/oauth/wechat/bind?code=111111'
    const cookie = { cookie: user.cookie, origin: gateway.address }
    expect((await fetch(gateway.address + path, { headers: cookie })).status).toBe(401)
    expect((await user.fetch(path, { headers: { origin: 'https://evil.example' } })).status).toBe(403)
    expect((await userRow(gateway, user.id)).wechat_id).toBe('')
  })

  test('an account is bound once; a bound one is refused to another user and not overwritten', async () => {
    const owner = await gateway.user()
    await owner.call(routes.oauth.unbind, { params: { provider: 'wechat' } }).catch(() => undefined)
    const { db } = gateway.server.store
    await db.deleteFrom('identities').where('subject', '=', 'wx-odd').execute()
    await db.updateTable('users').set({ wechat_id: '' }).where('wechat_id', '=', 'wx-odd').execute()
    const query = { code: 'a b&c=d/é' }
    const { data, message } = await owner.callWhole(routes.oauth.bindWechat, { query })
    expect([data, message]).toEqual([null, ''])
    expect((await userRow(gateway, owner.id)).wechat_id).toBe('wx-odd')
    const other = await gateway.user()
    await expect(other.call(routes.oauth.bindWechat, { query })).rejects.toThrow('bound to another user')
    const different = owner.call(routes.oauth.bindWechat, { query: { code: '222222' } })
    await expect(different).rejects.toThrow('bound to another user')
  })
})

test('signing in and binding are refused while sign-in with WeChat is switched off', async () => {
  await setOptions(gateway, { WeChatAuthEnabled: 'false' })
  const user = await gateway.user()
  await expect(signIn(gateway.visitor(), '111111')).rejects.toThrow('Sign-in with WeChat is switched off')
  const bound = user.call(routes.oauth.bindWechat, { query: { code: '111111' } })
  await expect(bound).rejects.toThrow('Sign-in with WeChat is switched off')
})
