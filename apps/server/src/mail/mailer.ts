import { createHash } from 'node:crypto'
import type { ConnectToMailServer, SmtpAccount } from './smtp.ts'
import type { Email } from './email.ts'

/** Sends emails one at a time with the current mail settings. */
export interface Mailer {
  /** Rejects with a {@link MailFailure}. */
  send(mail: Mail): Promise<Sent>
  /** Rejects with a {@link MailFailure} when the server cannot be reached, or refuses the password. */
  tryServer(): Promise<void>
}

export interface Mail {
  /** A single address that `emailSchema` accepted. */
  readonly to: string
  readonly letter: Email
  /** Identifies the cause of the email: sent twice, it has the same Message-ID both times. */
  readonly cause: string
}

export interface Sent {
  readonly response: string
}

export interface MailSettings extends SmtpAccount {
  readonly from: string
  readonly siteName: string
}

/** The mail libraries are loaded with the first mail. */
export function openMailer(settings: () => MailSettings, connect: ConnectToMailServer): Mailer {
  return {
    send: async (mail) => {
      const current = settings()
      const message = await compose(mail, current)
      const { sendOverSmtp } = await import('./smtp.ts')
      return sendOverSmtp(current, { from: current.from, to: mail.to, message }, connect)
    },
    tryServer: async () => {
      const { tryMailServer } = await import('./smtp.ts')
      return tryMailServer(settings(), connect)
    },
  }
}

/** Addresses are passed as objects, so that no name or address can be parsed as several. */
async function compose({ to, letter, cause }: Mail, { from, siteName }: MailSettings): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: { name: siteName, address: from },
    to: { name: '', address: to },
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    messageId: `<${createHash('sha256').update(`${cause} ${to}`).digest('hex').slice(0, 32)}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
