import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { localhostCertificate, localhostKey } from '@tollgate/testkit/localhost-certificate'
import { type ReadMail, readMail } from './read-mail.ts'

/**
 * A mail server that keeps the mails it receives. It supports TLS with a certificate for localhost and
 * requires a password.
 */
export interface MailServer {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** User names that signed in, in order. */
  readonly users: string[]
  close(): Promise<void>
}

export interface ReceivedMail extends ReadMail {
  readonly from: string
  readonly to: readonly string[]
  readonly isEncrypted: boolean
}

export const MAIL_USER = 'robot@tollgate.example'
export const MAIL_PASSWORD = 'canary-mail-password'

export interface MailServerOptions {
  readonly options?: SMTPServerOptions
  /**
   * Decides the reply to a complete message: `undefined` accepts it, a number refuses it with that SMTP code.
   */
  readonly judge?: (attempt: number) => number | undefined | Promise<number | undefined>
}

export async function startMailServer({ options, judge }: MailServerOptions = {}): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const users: string[] = []
  let attempts = 0
  const server = new SMTPServer({
    key: localhostKey,
    cert: localhostCertificate,
    logger: false,
    closeTimeout: 100,
    onAuth: (auth, _session, callback) => {
      const isRight = auth.username === MAIL_USER && auth.password === MAIL_PASSWORD
      if (isRight) users.push(auth.username ?? '')
      callback(isRight ? null : refusal(535), isRight ? { user: auth.username } : undefined)
    },
    onData: (stream, session, callback) => {
      const receive = async (): Promise<Error | null> => {
        const raw = await readText(stream)
        const code = await judge?.(++attempts)
        if (code !== undefined) return refusal(code)
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const to = rcptTo.map(({ address }) => address)
        mails.push({ ...readMail(raw), from, to, isEncrypted: session.secure })
        return null
      }
      const finish = async (): Promise<void> => answer(callback, await receive())
      void finish()
    },
    ...options,
  })
  server.on('error', () => undefined)
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: portOf(listener.address()),
    mails,
    users,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function answer(callback: (error?: Error | null, message?: string) => void, refused: Error | null): void {
  if (refused) callback(refused)
  else callback(null, 'kept as 1')
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address === 'object' && address) return address.port
  throw new Error('the mail server has no port')
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error('not this one'), { responseCode })
}
