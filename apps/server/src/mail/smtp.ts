import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '@tollgate/problems/problem'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { MailFailure } from './failure.ts'

export interface SmtpAccount {
  readonly host: string
  readonly port: number
  /** True: TLS from the first byte. False: STARTTLS. */
  readonly isSecure: boolean
  /** "" for a server that requires no password. */
  readonly user: string
  readonly password: string
}

export interface Envelope {
  readonly from: string
  readonly to: string
  readonly message: Buffer
}

const SECOND_MS = 1000
const LIMITS = {
  greetingTimeout: 10 * SECOND_MS,
  socketTimeout: 30 * SECOND_MS,
  maxResponseSize: 64 * 1024,
}
/** Limit for the whole delivery, so that a server that sends one byte at a time is also given up on. */
const SENDING_MS = 120 * SECOND_MS
/** Short, because a person is waiting for the result. */
const TRIAL_MS = 10 * SECOND_MS

/**
 * Opens the connection to a mail server; rejects with `destination_refused` if that destination is not
 * allowed.
 */
export type ConnectToMailServer = (place: Pick<SmtpAccount, 'host' | 'port'>) => Promise<Socket>

/**
 * Sends one message over one connection. Certificates are verified, and the password never travels in clear
 * text.
 */
export function sendOverSmtp(
  account: SmtpAccount,
  envelope: Envelope,
  connect: ConnectToMailServer,
): Promise<{ response: string }> {
  return converse(account, { connect, limitMs: SENDING_MS }, (dialogue) => handOver(dialogue, envelope))
}

/** Connects and signs in as for a message but sends none. */
export function tryMailServer(account: SmtpAccount, connect: ConnectToMailServer): Promise<void> {
  return converse(account, { connect, limitMs: TRIAL_MS }, async ({ connection }) => connection.quit())
}

interface Dialogue {
  readonly connection: SMTPConnection
  /** Rejects when the step fails or the connection breaks. */
  readonly step: <Result>(
    run: (done: (error?: unknown, result?: Result) => void) => void,
  ) => Promise<Result | undefined>
}

async function converse<Result>(
  account: SmtpAccount,
  { connect, limitMs }: { connect: ConnectToMailServer; limitMs: number },
  talk: (dialogue: Dialogue) => Promise<Result>,
): Promise<Result> {
  if (account.host === '') throw new MailFailure('failed', 'no mail server is set')
  const socket = await connect(account).catch((error: unknown) => {
    throw error instanceof Problem
      ? new MailFailure('failed', error.textIn('en'), { cause: error })
      : MailFailure.before(error)
  })
  const dialogue = dialogueOver(socket, account)
  const ended = new AbortController()
  try {
    return await Promise.race([
      signIn(dialogue, account).then(() => talk(dialogue)),
      setTimeout(limitMs, undefined, { signal: ended.signal, ref: false }).then(() => {
        throw new MailFailure('failed', 'the mail server took too long')
      }),
    ])
  } finally {
    ended.abort()
    dialogue.connection.close()
  }
}

function dialogueOver(socket: Socket, account: SmtpAccount): Dialogue {
  const connection = new SMTPConnection({
    connection: socket,
    host: account.host,
    port: account.port,
    secure: account.isSecure,
    requireTLS: !account.isSecure && account.user !== '',
    tls: { minVersion: 'TLSv1.2' },
    ...LIMITS,
  })
  const broken = new Promise<never>((_resolve, reject) => connection.once('error', reject))
  return { connection, step: (run) => Promise.race([broken, promised(run)]) }
}

/** A failure here means that nothing was delivered. */
async function signIn({ connection, step }: Dialogue, account: SmtpAccount): Promise<void> {
  try {
    await step<void>((done) => connection.connect(done))
    if (account.user !== '') await step((done) => connection.login(credentials(account), done))
  } catch (error) {
    throw MailFailure.before(error)
  }
}

/** Once the message has been sent, only the server knows whether it was delivered. */
async function handOver(
  { connection, step }: Dialogue,
  { from, to, message }: Envelope,
): Promise<{ response: string }> {
  const size = message.length
  const sent = await step<{ response: string }>((done) =>
    connection.send({ from, to: [to], size }, message, done),
  ).catch((error: unknown) => {
    throw MailFailure.during(error)
  })
  connection.quit()
  return { response: sent?.response ?? '' }
}

function promised<Result>(
  run: (done: (error?: unknown, result?: Result) => void) => void,
): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    run((error, result) => {
      if (error instanceof Error) reject(error)
      else resolve(result)
    })
  })
}

/** Microsoft's servers advertise PLAIN but refuse it. */
const WANTS_LOGIN = /outlook|onmicrosoft|hotmail/i

function credentials({ host, user, password }: SmtpAccount) {
  const isMicrosoft = WANTS_LOGIN.test(user) || host === 'smtp.azurecomm.net'
  return {
    user,
    pass: password,
    credentials: { user, pass: password },
    ...(isMicrosoft && { method: 'LOGIN' }),
  }
}
