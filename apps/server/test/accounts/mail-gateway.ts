import { ManualClock } from '@tollgate/kit/clock'
import { routes } from '@tollgate/contract/routes'
import { type MailServer, MAIL_PASSWORD, MAIL_USER, startMailServer } from './mail-server.ts'
import type { MailServerOptions } from './mail-server.ts'
import { trustLocalhost } from '@tollgate/testkit/localhost-certificate'
import { type TestServer, type TestServerOptions, type Visitor, startTestServer } from '../harness.ts'

/** A gateway with outbound mail, and the mail server that receives its mails. */
export interface MailGateway {
  readonly gateway: TestServer
  readonly mailbox: MailServer
  readonly clock: ManualClock
  set(key: string, value: string): Promise<unknown>
  close(): Promise<void>
}

export const PUBLIC_ADDRESS = 'https://gate.example'

export async function openMailGateway(
  options: TestServerOptions & { mail?: MailServerOptions } = {},
): Promise<MailGateway> {
  trustLocalhost()
  const clock = new ManualClock()
  const mailbox = await startMailServer(options.mail)
  const gateway = await startTestServer({ clock, isInMemory: true, ...options })
  const set = (key: string, value: string) =>
    gateway.root.call(routes.option.update, { body: { key, value } })
  const settings = {
    SMTPServer: 'localhost',
    SMTPPort: String(mailbox.port),
    SMTPAccount: MAIL_USER,
    SMTPToken: MAIL_PASSWORD,
    SystemName: 'Zollhaus',
    ServerAddress: PUBLIC_ADDRESS,
  }
  for (const [key, value] of Object.entries(settings)) await set(key, value)
  return {
    gateway,
    mailbox,
    clock,
    set,
    close: async () => {
      await gateway.close()
      await mailbox.close()
    },
  }
}

/** Returns the message of the error that the call was refused with, or `accepted` if it was not refused. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'accepted',
    (error: unknown) => (error instanceof Error ? error.message : 'odd'),
  )
}

/** Adds or removes quota directly in the ledger, past every rule of the API. */
export async function give(
  house: Pick<MailGateway, 'gateway'>,
  visitor: Visitor,
  units: bigint,
): Promise<void> {
  const account = visitor.id * 4
  const { ledger } = house.gateway.server
  await ledger.adjust({ key: `test:${visitor.id}:${Math.random()}`, account, delta: units })
}
