import { ManualClock } from '@tollgate/kit/clock'
import { openCipher } from '@tollgate/kit/cipher'
import { listAccountNotices } from '@tollgate/store/accounts/notices'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { writeOption } from '@tollgate/store/operations/options'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MailFailure } from '../../mail/failure.ts'
import { openSiteSettings } from '../../snapshots/site-settings.ts'
import { accountChangeDeliverer } from './deliver.ts'

let store: Store
const clock = new ManualClock()
beforeEach(async () => {
  store = await openStore({ sqlitePath: ':memory:' })
})
afterEach(() => store.close())

const payload = {
  userId: 7,
  event: 'password_changed',
  by: 'owner',
  provider: '',
  email: '',
  address: '203.0.113.9',
  atMs: clock.nowMs(),
  username: 'ada',
  to: 'ada@example.com',
  language: 'en',
  undoToken: '',
}

async function deliverer(send: () => Promise<{ response: string }>) {
  const nowMs = clock.nowMs()
  for (const [key, value] of [
    ['SMTPServer', 'mail.example'],
    ['SMTPFrom', 'robot@example.com'],
  ] as const)
    await writeOption(store.db, { key, value, shownValue: value, shownBefore: String, nowMs, actorId: 1 })
  const cipher = openCipher(Buffer.alloc(32, 7))
  const options = await openSiteSettings({ db: store.db, cipher, log: { error: () => undefined } })
  return accountChangeDeliverer({ store: store.db, clock, options, mailer: { send } })
}

const notices = () => listAccountNotices(store.db, 7)
const work = { cause: 'account-change:7:x', payload }

test('an unreachable mail server is retried for a day, and then the console shows one notice', async () => {
  const mailer = await deliverer(() => Promise.reject(new MailFailure('again', 'connection refused')))
  expect(await mailer.deliver(work)).toEqual({ type: 'again', reason: 'connection refused' })
  clock.advance(24 * 3_600_000)
  expect(await mailer.deliver(work)).toMatchObject({ type: 'again' })
  expect(await notices()).toEqual([])
  clock.advance(1)
  for (const _attempt of [1, 2]) expect(await mailer.deliver(work)).toEqual({ type: 'done' })
  expect(await notices()).toMatchObject([{ event: 'password_changed' }])
})

test('a delivered email leaves no console notice', async () => {
  clock.advance(-clock.nowMs() + payload.atMs)
  const mailer = await deliverer(() => Promise.resolve({ response: '250' }))
  expect(await mailer.deliver(work)).toEqual({ type: 'done' })
  expect(await notices()).toEqual([])
})
