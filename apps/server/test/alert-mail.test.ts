import { alertRoutes } from '@tollgate/contract/alert'
import type { OptionKey } from '@tollgate/contract/options/index'
import { routes } from '@tollgate/contract/routes'
import { endJobRun } from '@tollgate/store/operations/job-runs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { trustLocalhost } from '@tollgate/testkit/localhost-certificate'
import { type MailServer, MAIL_PASSWORD, MAIL_USER, startMailServer } from './accounts/mail-server.ts'
import { type TestServer, startTestServer } from './harness.ts'

/** Alerts by email, at a mail server with TLS and a password. */

const OPERATOR = 'operator@example.com'

let mailbox: MailServer
let gateway: TestServer
let receiver: string
let refusal: number | undefined
beforeAll(async () => {
  trustLocalhost()
  mailbox = await startMailServer({ judge: () => refusal })
  gateway = await startTestServer({ isInMemory: true, environment: { EGRESS_ALLOW: 'localhost' } })
  await set({
    SMTPServer: 'localhost',
    SMTPPort: String(mailbox.port),
    SMTPAccount: MAIL_USER,
    SMTPToken: MAIL_PASSWORD,
    AlertLanguage: 'zh',
    AlertsEnabled: 'true',
  })
  const body = { name: 'Operator', kind: 'mail', fields: { to: OPERATOR } } as const
  receiver = (await gateway.root.call(alertRoutes.createReceiver, { body })).id
})
afterAll(async () => {
  await gateway.close()
  await mailbox.close()
})

async function set(values: Partial<Record<OptionKey, string>>): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await gateway.root.call(routes.option.update, { body: { key, value } })
}

/** Sets what the last audit found, and waits until the job has looked. */
async function audit(findings: number): Promise<void> {
  const run = { name: 'audit', started_ms: 1, ended_ms: 2, next_ms: 3, outcome: 'ok' } as const
  await endJobRun(gateway.server.store.db, { ...run, figures: JSON.stringify({ findings }) })
  await gateway.root.call(routes.job.run, { params: { name: 'watch-alerts' } })
  await expect
    .poll(async () => (await gateway.root.call(routes.job.list)).find(({ name }) => name === 'watch-alerts'))
    .toMatchObject({ state: 'idle', outcome: 'ok' })
}

const sendTest = () => gateway.root.call(alertRoutes.testReceiver, { params: { id: receiver } })

it('the test button sends an email and shows what the mail server answered', async () => {
  expect(await sendTest()).toEqual({ is_ok: true, reason: '' })
  expect(mailbox.mails).toMatchObject([{ to: [OPERATOR], isEncrypted: true }])
  refusal = 550
  expect(await sendTest()).toMatchObject({ is_ok: false, reason: expect.stringMatching(/550/) })
  refusal = undefined
})

it('an alert and its end arrive in the language of the alerts', async () => {
  await audit(3)
  await expect.poll(() => mailbox.mails.length).toBe(2)
  await audit(0)
  await expect.poll(() => mailbox.mails.length).toBe(3)
  const [, begun, over] = mailbox.mails
  expect(begun?.subject).toContain('账本核对发现 3 处差异')
  expect(over?.subject).toContain('已恢复：账本核对发现 3 处差异')
  expect(await gateway.root.call(alertRoutes.list)).toEqual([])
})

const work = () =>
  gateway.server.store.db
    .selectFrom('outbox')
    .select(['state', 'attempts'])
    .where('cause', 'like', `alert:audit:%:open:${receiver}`)
    .orderBy('id', 'desc')
    .executeTakeFirst()

it('a mail server that is busy gets the alert again', async () => {
  const before = mailbox.mails.length
  refusal = 451
  await audit(7)
  await expect.poll(work).toMatchObject({ state: 'pending', attempts: 1 })
  expect(mailbox.mails).toHaveLength(before)
})
