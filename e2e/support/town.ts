import { trustLocalhost } from '@tollgate/testkit/localhost-certificate'
import {
  MAIL_PASSWORD,
  MAIL_USER,
  type MailServer,
  type ReceivedMail,
  startMailServer,
} from '../../apps/server/test/accounts/mail-server.ts'
import { ISSUER_CLIENT, type Issuer, openIssuer } from '../../apps/server/test/sign-in/issuer.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { send, setOptions, signIn } from './seed.ts'

/** A gateway with a real mail server and a real OIDC issuer, so that users can register. */
export interface Town {
  readonly url: string
  readonly issuer: Issuer
  readonly mailbox: MailServer
  /** Headers of the operator. */
  readonly headers: Record<string, string>
  set(values: Readonly<Record<string, string>>): Promise<void>
  /** Waits for the next mail. */
  nextMail(): Promise<ReceivedMail>
  close(): Promise<void>
}

const MAIL_LIMIT_MS = 60_000

export async function openTown(people: Parameters<typeof openIssuer>[0]['people']): Promise<Town> {
  trustLocalhost()
  const [gateway, mailbox] = await Promise.all([startGateway(), startMailServer()])
  const issuer = await openIssuer({
    redirectUris: [`${gateway.url}/oauth/oidc`],
    people,
    visitor: Object.keys(people)[0] ?? '',
  })
  const headers = await setUp(gateway)
  const set = (values: Readonly<Record<string, string>>) => setOptions(gateway.url, headers, values)
  await set(settings({ gateway, mailbox, issuer }))
  return {
    url: gateway.url,
    issuer,
    mailbox,
    headers,
    set,
    nextMail: () => nextMail(mailbox),
    close: async () => {
      await gateway.stop()
      await mailbox.close()
      await issuer.close()
    },
  }
}

async function setUp({ url }: Gateway): Promise<Record<string, string>> {
  const account = { username: 'operator', password: 'first-password' }
  await send(url, '/api/setup', { body: { ...account, confirmPassword: account.password } })
  return signIn(url, account)
}

function settings({
  gateway,
  mailbox,
  issuer,
}: {
  gateway: Gateway
  mailbox: MailServer
  issuer: Issuer
}): Record<string, string> {
  return {
    ServerAddress: gateway.url,
    SMTPServer: 'localhost',
    SMTPPort: String(mailbox.port),
    SMTPAccount: MAIL_USER,
    SMTPToken: MAIL_PASSWORD,
    EmailVerificationEnabled: 'true',
    'oidc.client_id': ISSUER_CLIENT.client_id,
    'oidc.client_secret': ISSUER_CLIENT.client_secret,
    'oidc.well_known': `${issuer.address}/.well-known/openid-configuration`,
    'oidc.enabled': 'true',
    CheckInEnabled: 'true',
    CheckInQuota: '5000',
    QuotaForInviter: '500000',
    QuotaForInvitee: '100000',
  }
}

async function nextMail({ mails }: MailServer): Promise<ReceivedMail> {
  const deadline = Date.now() + MAIL_LIMIT_MS
  while (Date.now() < deadline) {
    const mail = mails.shift()
    if (mail) return mail
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('no mail came')
}
