import type { RouteDefinition } from '@tollgate/contract/route'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, ROOT, type Visitor } from '../harness.ts'
import { type MailGateway, openMailGateway, refusal } from './mail-gateway.ts'

/** What an attacker can try with a stolen access token or somebody else's session. */

let house: MailGateway
beforeAll(async () => {
  house = await openMailGateway()
})
afterAll(() => house.close())

const NEW_PASSWORD = 'thief-password-1'
const NEEDS_SIGN_IN = 'Sign in again first: this needs a sign-in within the last 12 hours'
const NEEDS_FRESH = 'Sign in again, then change it within 15 minutes'

/** Calls the API as a script does: with an access token and nothing else. */
async function byToken(
  token: string,
  who: Visitor,
  { method, path }: RouteDefinition,
  body?: unknown,
): Promise<{ success: boolean; message: string; code?: string }> {
  const response = await fetch(house.gateway.address + path, {
    method,
    headers: {
      authorization: token,
      'tollgate-user': String(who.id),
      'accept-language': 'en',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the envelope of every route
  return (await response.json()) as { success: boolean; message: string; code?: string }
}

const canSignIn = async (username: string, password: string) =>
  (await refusal(house.gateway.visitor().signIn({ username, password }))) === 'accepted'

/** Backdates the user's sign-in by `agoMs`. */
function signedInAgo(who: Visitor, agoMs: number) {
  return house.gateway.server.store.db
    .updateTable('sessions')
    .set({ proven_ms: house.clock.nowMs() - agoMs })
    .where('user_id', '=', who.id)
    .execute()
}

async function nameOf(who: Visitor): Promise<string> {
  return (await who.call(routes.user.readSelf)).username
}

const HOURS_MS = 3_600_000
const MINUTES_MS = 60_000

const changePassword = (who: Visitor, body: { password: string; original_password?: string }) =>
  who.callWhole(routes.user.updateSelf, { body })

/** Creates a user without a password who signed in through a sign-in provider `agoMs` ago. */
async function comer(agoMs: number): Promise<Visitor> {
  const user = await house.gateway.user()
  const { db } = house.gateway.server.store
  await db.updateTable('users').set({ password_hash: '' }).where('id', '=', user.id).execute()
  await db.updateTable('sessions').set({ proven_by: 'GitHub' }).where('user_id', '=', user.id).execute()
  await signedInAgo(user, agoMs)
  return user
}

describe('the access token of the super admin', () => {
  test("the super admin's access token cannot set a password, neither its owner's nor another user's", async () => {
    const { root } = house.gateway
    const user = await house.gateway.user()
    const token = await root.call(routes.user.resetAccessToken)
    for (const id of [root.id, user.id]) {
      const body = { id, password: NEW_PASSWORD }
      const answer = await byToken(token, root, routes.adminUser.update, body)
      expect(answer).toMatchObject({ success: false, code: 'recent_sign_in_needed' })
    }
    expect(await canSignIn('root', NEW_PASSWORD)).toBe(false)
    expect(await canSignIn(await nameOf(user), NEW_PASSWORD)).toBe(false)
    const renamed = { id: user.id, display_name: 'By a script', password: '' }
    expect(await byToken(token, root, routes.adminUser.update, renamed)).toMatchObject({ success: true })
  })

  test("the super admin's access token cannot change mail or sign-in settings, not even by reverting the settings history", async () => {
    const { root } = house.gateway
    const token = await root.call(routes.user.resetAccessToken)
    for (const [key, value] of [
      ['SMTPServer', 'mail.evil.example'],
      ['ServerAddress', 'https://evil.example'],
      ['oidc.token_endpoint', 'https://evil.example/token'],
      ['TelegramBotToken', '1:thief'],
      ['TurnstileCheckEnabled', 'false'],
      ['EpayKey', 'thief'],
    ])
      expect(await byToken(token, root, routes.option.update, { key, value })).toMatchObject({
        success: false,
        code: 'recent_sign_in_needed',
      })
    await house.set('ServerAddress', 'https://other.example')
    await house.set('ServerAddress', 'https://gate.example')
    const { items } = await root.call(routes.optionHistory.list, { query: { key: 'ServerAddress' } })
    const revert = { id: items[0]?.id }
    expect(await byToken(token, root, routes.optionHistory.revert, revert)).toMatchObject({
      success: false,
      code: 'recent_sign_in_needed',
    })
    const name = { key: 'SystemName', value: 'Zollhaus' }
    expect(await byToken(token, root, routes.option.update, name)).toMatchObject({ success: true })
  })
})

test('the super admin can change the own password only where the old one is required', async () => {
  const { root } = house.gateway
  await root.signIn(ROOT)
  const byEdit = root.call(routes.adminUser.update, { body: { id: root.id, password: NEW_PASSWORD } })
  expect(await refusal(byEdit)).toBe('Change your own password on your personal page')
  expect(await canSignIn('root', ROOT.password)).toBe(true)
})

describe('a session from an old sign-in', () => {
  test('an old session cannot take over the account by binding an e-mail address', async () => {
    const user = await house.gateway.user()
    const query = { email: 'owner@example.com', code: 'AAAA-2222' }
    await signedInAgo(user, 13 * HOURS_MS)
    expect(await refusal(user.call(routes.mail.sendCode, { query }))).toBe(NEEDS_SIGN_IN)
    expect(await refusal(user.call(routes.mail.bindEmail, { query }))).toBe(NEEDS_SIGN_IN)
    expect(house.mailbox.mails).toEqual([])
  })

  test('an old session of an administrator cannot set the password of a user', async () => {
    const admin = await house.gateway.user({ role: 10 })
    const user = await house.gateway.user()
    await signedInAgo(admin, 13 * HOURS_MS)
    const change = () =>
      admin.call(routes.adminUser.update, { body: { id: user.id, password: NEW_PASSWORD } })
    expect(await refusal(change())).toBe(NEEDS_SIGN_IN)
    await admin.call(routes.account.prove, { body: { password: PASSWORD } })
    expect(await refusal(change())).toBe('accepted')
  })

  test('an old session cannot change a setting that decides where users sign in', async () => {
    const { root } = house.gateway
    await signedInAgo(root, 13 * HOURS_MS)
    expect(await refusal(house.set('GitHubClientId', 'thief'))).toBe(NEEDS_SIGN_IN)
    await root.signIn(ROOT)
    expect(await refusal(house.set('GitHubClientId', 'owner'))).toBe('accepted')
  })
})

describe('changing the own password', () => {
  test('a changed password ends the access token and every other session, and the response says so', async () => {
    const here = await house.gateway.user()
    const username = await nameOf(here)
    const there = house.gateway.visitor()
    await there.signIn({ username, password: PASSWORD })
    const token = await here.call(routes.user.resetAccessToken)
    const { message } = await changePassword(here, { password: NEW_PASSWORD, original_password: PASSWORD })
    expect(message).toBe('The password is changed. Every other session and the access token have ended.')
    await expect(there.call(routes.user.readSelf)).rejects.toMatchObject({ status: 401 })
    expect(await byToken(token, here, routes.user.readSelf)).toMatchObject({ success: false })
    expect(await here.call(routes.user.readSelf)).toMatchObject({ has_access_token: false })
  })

  test('an access token cannot change the password, with or without the old one', async () => {
    const user = await house.gateway.user()
    const token = await user.call(routes.user.resetAccessToken)
    for (const original_password of [PASSWORD, ''])
      expect(
        await byToken(token, user, routes.user.updateSelf, { password: NEW_PASSWORD, original_password }),
      ).toMatchObject({ success: false, code: 'fresh_sign_in_needed' })
    expect(await canSignIn(await nameOf(user), PASSWORD)).toBe(true)
    const renamed = { display_name: 'By a script' }
    expect(await byToken(token, user, routes.user.updateSelf, renamed)).toMatchObject({ success: true })
  })

  test('a password change needs the old password, or a password sign-in in the last quarter of an hour', async () => {
    const user = await house.gateway.user()
    await signedInAgo(user, 16 * MINUTES_MS)
    expect(await refusal(changePassword(user, { password: NEW_PASSWORD }))).toBe(NEEDS_FRESH)
    expect(
      await refusal(changePassword(user, { password: NEW_PASSWORD, original_password: 'wrong-one-1' })),
    ).toBe('The current password is missing or wrong')
    await user.call(routes.account.prove, { body: { password: PASSWORD } })
    expect(await refusal(changePassword(user, { password: NEW_PASSWORD }))).toBe('accepted')
    await signedInAgo(user, 16 * MINUTES_MS)
    const again = { password: 'another-pass-2', original_password: NEW_PASSWORD }
    expect(await refusal(changePassword(user, again))).toBe('accepted')
  })

  test('a fresh sign-in through a provider does not allow replacing the password', async () => {
    const user = await house.gateway.user()
    await house.gateway.server.store.db
      .updateTable('sessions')
      .set({ proven_by: 'GitHub' })
      .where('user_id', '=', user.id)
      .execute()
    expect(await refusal(changePassword(user, { password: NEW_PASSWORD }))).toBe(NEEDS_FRESH)
  })
})

describe('the first password of an account created through a sign-in provider', () => {
  test('an access token cannot set the first password', async () => {
    const user = await comer(0)
    const token = await user.call(routes.user.resetAccessToken)
    const body = { password: NEW_PASSWORD }
    expect(await byToken(token, user, routes.user.updateSelf, body)).toMatchObject({
      success: false,
      code: 'fresh_sign_in_needed',
    })
    expect(await canSignIn(await nameOf(user), NEW_PASSWORD)).toBe(false)
  })

  test('the first password needs a fresh sign-in through the provider', async () => {
    expect(await refusal(changePassword(await comer(16 * MINUTES_MS), { password: NEW_PASSWORD }))).toBe(
      NEEDS_FRESH,
    )
    expect(await refusal(changePassword(await comer(14 * MINUTES_MS), { password: NEW_PASSWORD }))).toBe(
      'accepted',
    )
  })
})
