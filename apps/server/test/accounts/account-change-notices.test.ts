import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PASSWORD, ROOT, type Visitor } from '../harness.ts'
import { type MailGateway, PUBLIC_ADDRESS, openMailGateway, refusal } from './mail-gateway.ts'
import type { ReceivedMail } from './mail-server.ts'

/**
 * Owners are notified when the address or credentials of their account change, and can restore a changed
 * address.
 */

let house: MailGateway
let refusesMails = false
beforeAll(async () => {
  house = await openMailGateway({ mail: { judge: () => (refusesMails ? 550 : undefined) } })
})
afterAll(() => house.close())
beforeEach(async () => {
  house.mailbox.mails.length = 0
  await house.gateway.root.signIn(ROOT)
})

const { mail, user: userRoutes, accountSafety } = routes

/**
 * Waits for the next mail to this address that contains these words; mails to other addresses may arrive in
 * between.
 */
function mailTo(address: string, words: RegExp | string = ''): Promise<ReceivedMail> {
  const { mails } = house.mailbox
  return vi.waitUntil(
    () => {
      const place = mails.findIndex(({ to, text }) => to.includes(address) && text.search(words) >= 0)
      return place < 0 ? undefined : mails.splice(place, 1)[0]
    },
    { timeout: 10_000 },
  )
}

const CODE = /[2-9A-Z]{4}-[2-9A-Z]{4}/
const UNDO = /\/user\/undo-email\?token=/

async function bind(who: Visitor, email: string): Promise<void> {
  await who.call(mail.sendCode, { query: { email } })
  const code = CODE.exec((await mailTo(email, CODE)).text)?.[0] ?? ''
  await who.call(mail.bindEmail, { query: { email, code } })
}

let people = 0
/** Creates a user with an e-mail address. */
async function owner(): Promise<{ who: Visitor; username: string; email: string }> {
  const who = await house.gateway.user()
  const email = `owner${++people}@example.com`
  await bind(who, email)
  const { username } = await who.call(userRoutes.readSelf)
  await vi.waitUntil(async () => (await noticesOf(who)).length === 1)
  await dismiss(who)
  return { who, username, email }
}

const noticesOf = (who: Visitor) => who.call(accountSafety.notices)
const dismiss = async (who: Visitor) =>
  who.call(accountSafety.dismiss, { query: { up_to: (await noticesOf(who))[0]?.id ?? 0 } })

function tokenIn(text: string): string {
  const link = new URL(/https:\S+/.exec(text)?.[0] ?? 'https://none.example')
  expect(`${link.origin}${link.pathname}`).toBe(`${PUBLIC_ADDRESS}/user/undo-email`)
  return link.searchParams.get('token') ?? ''
}

const undo = (token: string) => house.gateway.visitor().call(accountSafety.undoEmail, { body: { token } })
const LINK_REFUSED = 'The link is invalid, already used or expired'

describe('a changed address', () => {
  test('a change is reported to the previous address, which can restore it; sessions and the access token then end', async () => {
    const { who, username, email } = await owner()
    const accessToken = await who.call(userRoutes.resetAccessToken)
    await bind(who, 'thief1@evil.example')
    const reported = await mailTo(email, UNDO)
    expect(reported).toMatchObject({ to: [email], subject: 'Zollhaus e-mail address changed' })
    expect(reported.text).toContain('t***@evil.example')
    expect(reported.text).toContain('127.0.0.1')
    expect(await undo(tokenIn(reported.text))).toEqual({ email })
    await expect(who.call(userRoutes.readSelf)).rejects.toMatchObject({ status: 401 })
    const headers = { authorization: accessToken, 'tollgate-user': String(who.id) }
    expect((await fetch(`${house.gateway.address}/api/user/self`, { headers })).status).toBe(401)
    const back = house.gateway.visitor()
    expect(await back.signIn({ username, password: PASSWORD })).toMatchObject({ email })
    const [notice] = await vi.waitUntil(async () => {
      const notices = await noticesOf(back)
      return notices.length > 0 && notices
    })
    expect(notice).toMatchObject({ event: 'email_restored', email: expect.stringContaining('@example.com') })
    expect(await refusal(undo(tokenIn(reported.text)))).toBe(LINK_REFUSED)
  })

  test('the address can be restored even after the thief chose a password and changed the address again', async () => {
    const { who, email } = await owner()
    await bind(who, 'thief2@evil.example')
    const first = tokenIn((await mailTo(email, UNDO)).text)
    await bind(who, 'thief3@evil.example')
    const ofTheThief = await mailTo('thief2@evil.example', UNDO)
    await who.call(userRoutes.updateSelf, {
      body: { password: 'thief-password-1', original_password: PASSWORD },
    })
    await mailTo('thief3@evil.example', 'The password of your account')
    expect(await undo(first)).toEqual({ email })
    expect(await refusal(undo(tokenIn(ofTheThief.text)))).toBe(LINK_REFUSED)
    await house.gateway.visitor().call(mail.sendResetLink, { query: { email } })
    const reset = new URL(
      /https:\S+/.exec((await mailTo(email, 'choose a new password for')).text)?.[0] ?? '',
    )
    const body = { email, token: reset.searchParams.get('token') ?? '', password: 'owners-password-1' }
    await house.gateway.visitor().call(mail.resetPassword, { body })
    await house.gateway.visitor().signIn({ username: email, password: 'owners-password-1' })
  })

  test('the link of the first change still works after the link of a later change was used', async () => {
    const { who, email } = await owner()
    await bind(who, 'between@example.com')
    const first = tokenIn((await mailTo(email, UNDO)).text)
    await bind(who, 'last@example.com')
    const second = tokenIn((await mailTo('between@example.com', UNDO)).text)
    expect(await undo(second)).toEqual({ email: 'between@example.com' })
    expect(await undo(first)).toEqual({ email })
  })

  test('an address that was removed can be restored as well', async () => {
    const { who, email } = await owner()
    await who.call(mail.unbindEmail)
    const reported = await mailTo(email, UNDO)
    expect(reported.subject).toBe('Zollhaus e-mail address removed')
    expect(await undo(tokenIn(reported.text))).toEqual({ email })
  })

  test('a restore link works for a day, once, and by POST only', async () => {
    const { who, email } = await owner()
    await who.call(mail.unbindEmail)
    const token = tokenIn((await mailTo(email, UNDO)).text)
    expect(token).toMatch(/^[\w-]{43}$/)
    const byGet = await house.gateway.visitor().fetch(`/api/user/email/undo?token=${token}`)
    expect(byGet.status).toBe(404)
    house.clock.advance(24 * 3_600_000)
    expect(await refusal(undo(token))).toBe(LINK_REFUSED)
    expect(await refusal(undo(''))).toBe(LINK_REFUSED)
    house.clock.advance(-1)
    const outcomes = await Promise.all([undo(token), undo(token), undo(token)].map(refusal))
    expect(outcomes.toSorted()).toEqual([LINK_REFUSED, LINK_REFUSED, 'accepted'])
    expect(await house.gateway.visitor().signIn({ username: email, password: PASSWORD })).toMatchObject({
      email,
    })
  })

  test('an address that another user bound meanwhile stays with them, and the link remains usable', async () => {
    const { who, email } = await owner()
    await who.call(mail.unbindEmail)
    const token = tokenIn((await mailTo(email, UNDO)).text)
    const other = await house.gateway.user()
    await bind(other, email)
    expect(await refusal(undo(token))).toBe('The e-mail address already belongs to an account')
    await other.call(mail.unbindEmail)
    expect(await undo(token)).toEqual({ email })
  })

  test('the address of a deactivated account cannot be restored', async () => {
    const { who, email } = await owner()
    await who.call(mail.unbindEmail)
    const token = tokenIn((await mailTo(email, UNDO)).text)
    await who.call(routes.account.remove, { body: {} })
    expect(await refusal(undo(token))).toBe(LINK_REFUSED)
  })

  test('the token of the restore link is not stored in clear text', async () => {
    const { who, email } = await owner()
    await who.call(mail.unbindEmail)
    const token = tokenIn((await mailTo(email, UNDO)).text)
    const { db } = house.gateway.server.store
    const rows = [
      await db.selectFrom('email_undos').selectAll().execute(),
      await db.selectFrom('outbox').selectAll().execute(),
      await db.selectFrom('audit_log').selectAll().execute(),
    ]
    expect(rows[0]?.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('an owner with an address gets a mail about', () => {
  test('a changed password, whether the owner or an administrator changed it', async () => {
    const { who, username, email } = await owner()
    const body = { password: 'another-pass-1', original_password: PASSWORD }
    await who.call(userRoutes.updateSelf, { body })
    expect((await mailTo(email)).subject).toBe('Zollhaus password changed')
    await house.gateway.root.call(routes.adminUser.update, { body: { id: who.id, password: 'third-pass-1' } })
    const byAdministrator = await mailTo(email)
    expect(byAdministrator.text).toContain(
      `An administrator changed the password of your account ${username}.`,
    )
    expect(byAdministrator.text).not.toContain('127.0.0.1')
    await house.gateway.visitor().call(mail.sendResetLink, { query: { email } })
    const link = new URL(/https:\S+/.exec((await mailTo(email)).text)?.[0] ?? '')
    const reset = { email, token: link.searchParams.get('token') ?? '', password: 'fourth-pass-1' }
    await house.gateway.visitor().call(mail.resetPassword, { body: reset })
    expect((await mailTo(email)).text).toContain('by the link that was mailed to you')
  })

  test('a new access token, at the address of the account and in the language of its owner', async () => {
    const { who, email } = await owner()
    const setting = JSON.stringify({ language: 'zh', notification_email: 'else@example.com' })
    const { db } = house.gateway.server.store
    await db.updateTable('users').set({ setting }).where('id', '=', who.id).execute()
    await who.call(userRoutes.resetAccessToken)
    const reported = await mailTo(email)
    expect(reported.subject).toBe('Zollhaus 已生成新的访问令牌')
    expect(reported.text).toContain(`${PUBLIC_ADDRESS}/reset`)
  })
})

describe('a notice in the console', () => {
  test('a notice is shown to an owner without an address until they dismiss it', async () => {
    const who = await house.gateway.user()
    await who.call(userRoutes.resetAccessToken)
    const [notice] = await vi.waitUntil(async () => {
      const notices = await noticesOf(who)
      return notices.length > 0 && notices
    })
    expect(notice).toMatchObject({ event: 'access_token_made', by: 'owner', address: '127.0.0.1' })
    const other = await house.gateway.user()
    await other.call(accountSafety.dismiss, { query: { up_to: 999_999 } })
    expect(await noticesOf(who)).toHaveLength(1)
    await dismiss(who)
    expect(await noticesOf(who)).toEqual([])
  })

  test('a notice is shown to an owner whose site has no mail server or whose mail the server refuses', async () => {
    const { who, email } = await owner()
    await house.set('SMTPServer', '')
    await who.call(userRoutes.resetAccessToken)
    await vi.waitUntil(async () => (await noticesOf(who)).length === 1)
    await house.set('SMTPServer', 'localhost')
    refusesMails = true
    await who.call(userRoutes.resetAccessToken)
    await vi.waitUntil(async () => (await noticesOf(who)).length === 2)
    refusesMails = false
    expect(house.mailbox.mails.filter(({ to }) => to.includes(email))).toEqual([])
  })
})
