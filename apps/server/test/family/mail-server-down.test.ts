import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type MailGateway, openMailGateway } from '../accounts/mail-gateway.ts'
import { oldConsole } from './old-client.ts'

/**
 * While mail cannot be sent, every request for a mail gets the same error, whether or not an account has the
 * address.
 */

let house: MailGateway
let isDown = false
const onConnect = (_session: unknown, callback: (error?: Error) => void) =>
  callback(isDown ? new Error('down for maintenance') : undefined)
beforeAll(async () => {
  house = await openMailGateway({ mail: { options: { onConnect } } })
  const { db } = house.gateway.server.store
  const owner = await house.gateway.user()
  await db.updateTable('users').set({ email: 'owner@example.com' }).where('id', '=', owner.id).execute()
})
afterAll(() => house.close())

const ADDRESSES = ['owner@example.com', 'nobody@example.com']
const WAYS = ['/api/verification', '/api/reset_password']
const refused = {
  status: 200,
  success: false,
  code: 'mail_unavailable',
  message: '暂时无法发送邮件，请稍后再试',
}

async function answers() {
  const ask = oldConsole(house.gateway.visitor())
  const all = WAYS.flatMap((path) => ADDRESSES.map((email) => ask('GET', `${path}?email=${email}`)))
  return Promise.all(all)
}

const queued = async () =>
  (await house.gateway.server.store.db.selectFrom('outbox').select('id').execute()).length

test('a mail server that is down gives the same error for every address, and nothing is queued', async () => {
  isDown = true
  const before = await queued()
  for (const answer of await answers()) expect(answer).toMatchObject(refused)
  expect(await queued()).toBe(before)
})

test('a mail server that works again is used within seconds', async () => {
  isDown = false
  for (const answer of await answers()) expect(answer).toMatchObject(refused)
  house.clock.advance(10_000)
  for (const answer of await answers()) expect(answer).toMatchObject({ success: true })
  await vi.waitUntil(() => house.mailbox.mails.length >= 3, { timeout: 10_000 })
})

test('a wrong password of the mail account is detected before a mail is queued', async () => {
  house.clock.advance(60_000)
  await house.set('SMTPToken', 'not the password')
  for (const answer of await answers()) expect(answer).toMatchObject(refused)
  await house.gateway.root.call(routes.option.update, {
    body: { key: 'SMTPToken', value: 'canary-mail-password' },
  })
  for (const answer of await answers()) expect(answer).toMatchObject({ success: true })
})
