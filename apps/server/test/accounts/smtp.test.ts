import { type Server, type Socket, createServer } from 'node:net'
import { once } from 'node:events'
import { openEgress } from '@tollgate/egress/open-egress'
import { afterEach, expect, test } from 'vitest'
import { MailFailure } from '../../src/mail/failure.ts'
import { type MailSettings, openMailer } from '../../src/mail/mailer.ts'
import { distrustLocalhost, trustLocalhost } from '@tollgate/testkit/localhost-certificate'
import { type MailServer, MAIL_PASSWORD, MAIL_USER, startMailServer } from './mail-server.ts'
import type { MailServerOptions } from './mail-server.ts'

const egress = openEgress({ allowedAddresses: ['127.0.0.0/8'] })
const letter = { subject: 'A letter', text: 'text', html: '<p>text</p>' }
const mail = { to: 'reader@example.com', letter, cause: 'the cause' }

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function server(options: MailServerOptions = {}): Promise<MailServer> {
  const started = await startMailServer(options)
  open.push(started)
  return started
}

function send(port: number, settings: Partial<MailSettings> = {}) {
  const room = openMailer(
    () => ({
      host: 'localhost',
      port,
      isSecure: false,
      user: MAIL_USER,
      password: MAIL_PASSWORD,
      from: 'gate@example.com',
      siteName: 'Gate',
      ...settings,
    }),
    (place) => egress.connection(place),
  )
  return room.send(mail)
}

async function failureOf(call: Promise<unknown>): Promise<MailFailure> {
  const error: unknown = await call.catch((reason: unknown) => reason)
  if (error instanceof MailFailure) return error
  throw new Error('it did not fail as mails do', { cause: error })
}

test('Unlike new-api: an untrusted certificate is refused, with STARTTLS and with implicit TLS', async () => {
  distrustLocalhost()
  for (const isSecure of [false, true]) {
    const { port, mails, users } = await server({ options: { secure: isSecure } })
    expect(await failureOf(send(port, { isSecure }))).toMatchObject({
      next: 'again',
      message: expect.stringMatching(/self-signed|certificate/),
    })
    expect([mails, users]).toEqual([[], []])
  }
})

test.each([
  ['STARTTLS', false],
  ['TLS from the start', true],
])('with %s a mail arrives encrypted', async (_name, isSecure) => {
  trustLocalhost()
  const { port, mails } = await server({ options: { secure: isSecure } })
  await send(port, { isSecure })
  expect(mails).toMatchObject([
    { isEncrypted: true, to: ['reader@example.com'], text: expect.stringMatching('text') },
  ])
})

test('a certificate issued for another host is refused', async () => {
  trustLocalhost()
  const { port, mails } = await server()
  const failure = await failureOf(send(port, { host: '127.0.0.2' }))
  expect(failure.next).toBe('again')
  expect(mails).toEqual([])
})

test('the password is not sent to a server that offers no encryption', async () => {
  const received = await plainServer(['220 hello', '250 no extensions', '502 no such command'])
  expect(await failureOf(send(received.port))).toMatchObject({ next: 'failed' })
  expect(received.text()).not.toContain(Buffer.from(MAIL_PASSWORD).toString('base64').slice(0, 12))
  expect(received.text()).not.toMatch(/AUTH/i)
})

test('without a password, a server on the private network may receive mail unencrypted', async () => {
  const { port, mails } = await server({ options: { authOptional: true, disabledCommands: ['STARTTLS'] } })
  await send(port, { user: '', password: '' })
  expect(mails).toMatchObject([{ isEncrypted: false }])
})

test('a wrong password, a refused recipient and a refused message are permanent failures; a busy server is temporary', async () => {
  trustLocalhost()
  const { port } = await server({ judge: () => 550 })
  expect(await failureOf(send(port, { password: 'wrong' }))).toMatchObject({ next: 'failed' })
  expect(await failureOf(send(port))).toMatchObject({ next: 'failed', message: expect.stringMatching('550') })
  const busy = await server({ judge: () => 451 })
  expect(await failureOf(send(busy.port))).toMatchObject({ next: 'again' })
})

test('an unreachable server is a temporary failure that can be retried', async () => {
  const gone = await startMailServer()
  await gone.close()
  expect(await failureOf(send(gone.port))).toMatchObject({ next: 'again' })
})

test('a connection that breaks while the message is sent is not retried, because the mail may have arrived', async () => {
  const received = await plainServer(
    ['220 hello', '250 ready', '250 sender ok', '250 reader ok', '354 go on'],
    (socket) => socket.destroy(),
  )
  expect(await failureOf(send(received.port, { user: '', password: '' }))).toMatchObject({ next: 'failed' })
})

/**
 * An SMTP server that replies with these lines, one after each command it receives, and then does what `end`
 * says.
 */
async function plainServer(
  lines: readonly string[],
  end: (socket: Socket) => void = () => undefined,
): Promise<{ port: number; text: () => string }> {
  let received = ''
  const server: Server = createServer((socket) => {
    const rest = [...lines]
    socket.write(`${rest.shift()}\r\n`)
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1')
      const line = rest.shift()
      if (line === undefined) end(socket)
      else socket.write(`${line}\r\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return { port: address.port, text: () => received }
}
