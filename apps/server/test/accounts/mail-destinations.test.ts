import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { routes } from '@tollgate/contract/routes'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'
import { trustLocalhost } from '@tollgate/testkit/localhost-certificate'
import { type MailServer, MAIL_PASSWORD, MAIL_USER, startMailServer } from './mail-server.ts'

const to = 'reader@example.com'
let mailbox: MailServer
beforeEach(async () => {
  trustLocalhost()
  mailbox = await startMailServer()
})
afterEach(() => mailbox.close())

async function setMailServer({ root }: TestServer, host: string, port: number): Promise<void> {
  const settings = {
    SMTPServer: host,
    SMTPPort: String(port),
    SMTPAccount: MAIL_USER,
    SMTPToken: MAIL_PASSWORD,
  }
  for (const [key, value] of Object.entries(settings))
    await root.call(routes.option.update, { body: { key, value } })
}

const testMail = ({ root }: TestServer) => root.call(routes.mail.sendTest, { body: { to } })

async function refusalOf(gateway: TestServer): Promise<string> {
  return testMail(gateway).then(
    () => 'sent',
    (error: unknown) => (error instanceof Error ? error.message : 'odd'),
  )
}

test('the response to a test mail does not reveal which ports of a private network are open', async () => {
  const gateway = await startTestServer({ isInMemory: true, environment: { EGRESS_ALLOW: '' } })
  let connections = 0
  const open = createServer((socket) => {
    connections++
    socket.end()
  }).listen(0, '127.0.0.1')
  await once(open, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = open.address() as AddressInfo
  try {
    const answers = new Set<string>()
    for (const host of ['127.0.0.1', 'localhost', '::1', '0.0.0.0', '2130706433'])
      for (const place of [port, 1]) {
        await setMailServer(gateway, host, place)
        answers.add(await refusalOf(gateway))
      }
    expect(answers.size).toBe(1)
    expect([...answers][0]).toContain('EGRESS_ALLOW')
    expect(connections).toBe(0)
  } finally {
    open.close()
    await gateway.close()
  }
})

test('a private mail server that the operator lists in EGRESS_ALLOW receives mails', async () => {
  const gateway = await startTestServer({ isInMemory: true, environment: { EGRESS_ALLOW: 'localhost' } })
  try {
    await setMailServer(gateway, 'localhost', mailbox.port)
    await testMail(gateway)
    expect(mailbox.mails).toMatchObject([{ to: [to], isEncrypted: true }])
  } finally {
    await gateway.close()
  }
})

test('a private mail server configured before the upgrade keeps receiving mails, and no other private server does', async () => {
  const elsewhere = await startMailServer()
  let gateway = await startTestServer({ environment: { EGRESS_ALLOW: '' } })
  try {
    await setMailServer(gateway, 'localhost', mailbox.port)
    expect(await refusalOf(gateway)).toContain('EGRESS_ALLOW')
    // The previous version wrote no such watermark, so its absence stands for a store from before the
    // upgrade.
    await gateway.server.store.db.deleteFrom('watermarks').where('name', 'like', 'mail-%').execute()
    for (const _start of ['the upgrade', 'another start']) {
      gateway = await gateway.restart()
      await testMail(gateway)
    }
    expect(mailbox.mails).toHaveLength(2)
    await setMailServer(gateway, 'localhost', elsewhere.port)
    expect(await refusalOf(gateway)).toContain('EGRESS_ALLOW')
    await setMailServer(gateway, 'localhost', mailbox.port)
    await testMail(gateway)
    expect([mailbox.mails.length, elsewhere.mails.length]).toEqual([3, 0])
  } finally {
    await gateway.close()
    await elsewhere.close()
  }
})
