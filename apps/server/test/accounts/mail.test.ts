import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PASSWORD, ROOT, type Visitor } from '../harness.ts'
import { type MailGateway, PUBLIC_ADDRESS, openMailGateway, refusal } from './mail-gateway.ts'

let house: MailGateway
beforeAll(async () => {
  house = await openMailGateway()
})
afterAll(() => house.close())
beforeEach(() => {
  house.mailbox.mails.length = 0
})

const { mail } = routes
const askCode = (who: Visitor, email: string) => who.call(mail.sendCode, { query: { email } })
const askLink = (who: Visitor, email: string) => who.call(mail.sendResetLink, { query: { email } })

/**
 * Returns the next mail that was requested (code, link, test mail). It skips notices to owners about account
 * changes, which have their own tests.
 */
function nextMail() {
  const { mails } = house.mailbox
  return vi.waitUntil(
    () => {
      const place = mails.findIndex(({ text }) => !text.includes('If it was you, nothing needs to be done'))
      return place < 0 ? undefined : mails.splice(0, place + 1).at(-1)
    },
    { timeout: 10_000 },
  )
}

async function codeFor(who: Visitor, email: string): Promise<string> {
  await askCode(who, email)
  return /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec((await nextMail()).text)?.[0] ?? ''
}

async function linkFor(email: string): Promise<URL> {
  await askLink(house.gateway.visitor(), email)
  return new URL(/https:\S+/.exec((await nextMail()).text)?.[0] ?? '')
}

async function withAddress(email: string): Promise<Visitor> {
  const visitor = await house.gateway.user()
  await visitor.call(mail.bindEmail, { query: { email, code: await codeFor(visitor, email) } })
  return visitor
}

const register = (body: { username: string; email?: string; verification_code?: string }) =>
  house.gateway.visitor().call(routes.session.register, { body: { password: PASSWORD, ...body } })

const withCode = (email: string, verification_code: string) =>
  refusal(register({ username: 'tries', email, verification_code }))

const bind = (who: Visitor, email: string, code: string) =>
  refusal(who.call(mail.bindEmail, { query: { email, code } }))

describe('a test mail', () => {
  test('a mail is sent encrypted, from the configured address, to one recipient, with the same content as text and as HTML', async () => {
    const sent = await house.gateway.root.call(mail.sendTest, { body: { to: 'Operator@Example.com' } })
    expect(sent).toEqual({ to: 'operator@example.com', response: '250 kept as 1' })
    const received = await nextMail()
    expect(received).toMatchObject({
      from: 'robot@tollgate.example',
      to: ['operator@example.com'],
      isEncrypted: true,
      subject: 'Zollhaus test mail',
    })
    expect(received.headers.get('from')).toBe('Zollhaus <robot@tollgate.example>')
    for (const body of [received.text, received.html])
      expect(body).toContain('The mail settings of Zollhaus work')
    expect(house.mailbox.users).toContain('robot@tollgate.example')
  })

  test('Unlike new-api: an address cannot add a second recipient or a header', async () => {
    for (const to of [
      'a@b.example;c@d.example',
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      '<a@b.example>',
      '"x" a@b.example',
      'a@b',
      '@b.example',
    ])
      expect(await refusal(house.gateway.root.call(mail.sendTest, { body: { to } }))).toBe(
        'The e-mail address is not valid',
      )
    expect(house.mailbox.mails).toEqual([])
  })

  test('a site name with line breaks and angle brackets stays one display name', async () => {
    await house.set('SystemName', 'Evil\r\nBcc: c@d.example <x@y.example>')
    await house.gateway.root.call(mail.sendTest, { body: { to: 'operator@example.com' } })
    const received = await nextMail()
    expect(received.to).toEqual(['operator@example.com'])
    expect(received.headers.has('bcc')).toBe(false)
    expect(received.headers.get('from')).toMatch(/<robot@tollgate\.example>$/)
    expect(received.html).not.toContain('<x@y.example>')
    await house.set('SystemName', 'Zollhaus')
  })

  test('the refusal of the mail server is shown to the operator, without the password', async () => {
    await house.set('SMTPToken', 'canary-wrong-password')
    const said = await refusal(house.gateway.root.call(mail.sendTest, { body: { to: 'a@b.example' } }))
    expect(said).toMatch(/^The mail was not sent: .*535/)
    expect(said).not.toContain('canary')
    await house.set('SMTPToken', 'canary-mail-password')
  })

  test('without a mail server, requests for codes and links are refused', async () => {
    await house.set('SMTPServer', '')
    const visitor = house.gateway.visitor()
    for (const call of [askCode(visitor, 'a@b.example'), askLink(visitor, 'a@b.example')])
      expect(await refusal(call)).toBe('This site cannot send mail yet: its mail server is not set')
    expect(await visitor.call(routes.status.read)).toMatchObject({ password_reset_enabled: false })
    await house.set('SMTPServer', 'localhost')
    expect(await visitor.call(routes.status.read)).toMatchObject({ password_reset_enabled: true })
  })
})

describe('registration with a code', () => {
  beforeAll(() => house.set('EmailVerificationEnabled', 'true'))
  afterAll(() => house.set('EmailVerificationEnabled', 'false'))

  test('the code arrives by mail, is accepted in any spelling, and works once', async () => {
    const email = 'first@example.com'
    const code = await codeFor(house.gateway.visitor(), email)
    const spelled = ` ${code.toLowerCase().replace('-', ' ')} `
    await register({ username: 'first', email: ' First@Example.com', verification_code: spelled })
    const signedIn = await house.gateway.visitor().signIn({ username: email, password: PASSWORD })
    expect(signedIn).toMatchObject({ username: 'first', email })
    expect(await refusal(register({ username: 'second', email, verification_code: code }))).toBe(
      'The verification code is wrong or has expired',
    )
  })

  test('registration needs both the address and the code', async () => {
    for (const body of [{}, { email: 'a@b.example' }, { verification_code: 'ABCD2345' }])
      expect(await refusal(register({ username: 'needs', ...body }))).toMatch('Enter your e-mail address')
  })

  test('Unlike new-api: a code expires after five wrong tries, after ten minutes, or when a new code is sent', async () => {
    const visitor = house.gateway.visitor()
    const wrong = 'The verification code is wrong or has expired'
    const first = await codeFor(visitor, 'tries@example.com')
    for (let count = 0; count < 5; count++)
      expect(await withCode('tries@example.com', 'AAAA-2222')).toBe(wrong)
    expect(await withCode('tries@example.com', first)).toBe(wrong)
    const second = await codeFor(visitor, 'tries@example.com')
    const third = await codeFor(visitor, 'tries@example.com')
    expect(await withCode('tries@example.com', second)).toBe(wrong)
    house.clock.advance(10 * 60_000)
    expect(await withCode('tries@example.com', third)).toBe(wrong)
    expect(await withCode('other@example.com', third)).toBe(wrong)
  })

  test('of two concurrent registrations with one code, one succeeds', async () => {
    const email = 'race@example.com'
    const verification_code = await codeFor(house.gateway.visitor(), email)
    const outcomes = await Promise.all(
      ['racer1', 'racer2', 'racer3'].map((username) =>
        refusal(register({ username, email, verification_code })),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1)
  })

  test('a user name that is taken does not use the code up', async () => {
    const email = 'careful@example.com'
    const verification_code = await codeFor(house.gateway.visitor(), email)
    expect(await refusal(register({ username: 'root', email, verification_code }))).toMatch('taken')
    expect(await refusal(register({ username: 'careful', email, verification_code }))).toBe('accepted')
  })

  test('a code for binding an address cannot be used to register', async () => {
    const bound = await codeFor(house.gateway.root, 'purpose@example.com')
    expect(
      await refusal(
        register({ username: 'purpose', email: 'purpose@example.com', verification_code: bound }),
      ),
    ).toBe('The verification code is wrong or has expired')
  })

  test('restricted domains and aliases are refused', async () => {
    await house.set('EmailDomainRestrictionEnabled', 'true')
    await house.set('EmailAliasRestrictionEnabled', 'true')
    const visitor = house.gateway.visitor()
    expect(await refusal(askCode(visitor, 'x@gate.example'))).toMatch('at this domain are not accepted')
    expect(await refusal(askCode(visitor, 'x+y@gmail.com'))).toMatch('with + or . before')
    expect(await refusal(askCode(visitor, 'x.y@GMAIL.com'))).toMatch('with + or . before')
    expect(await refusal(askCode(visitor, 'xy@GMAIL.com'))).toBe('accepted')
    await nextMail()
    await house.set('EmailDomainRestrictionEnabled', 'false')
    await house.set('EmailAliasRestrictionEnabled', 'false')
  })
})

describe('Unlike new-api: no response reveals whether an address is registered', () => {
  test('a registered address gets a notice to its owner instead of a code', async () => {
    await withAddress('known@example.com')
    const visitor = house.gateway.visitor()
    expect(await visitor.callWhole(mail.sendCode, { query: { email: 'known@example.com' } })).toEqual(
      await visitor.callWhole(mail.sendCode, { query: { email: 'unknown@example.com' } }),
    )
    const mails = [await nextMail(), await nextMail()]
    const word = mails.find(({ to }) => to[0] === 'known@example.com')
    expect(word?.text).toContain('already belongs to an account')
    expect(word?.text).not.toMatch(/[2-9A-Z]{4}-[2-9A-Z]{4}/)
    expect(word?.text).toContain(PUBLIC_ADDRESS)
  })

  test('a reset link is sent only to registered addresses, and the responses are identical', async () => {
    const visitor = house.gateway.visitor()
    await withAddress('linked@example.com')
    const answers = ['nobody@example.com', 'linked@example.com'].map((email) =>
      visitor.callWhole(mail.sendResetLink, { query: { email } }),
    )
    const [unknown, known] = await Promise.all(answers)
    expect(unknown).toEqual(known)
    expect(await nextMail()).toMatchObject({ to: ['linked@example.com'] })
    expect(house.mailbox.mails).toEqual([])
  })

  test('one mailbox gets at most five mails in half an hour, whoever requests them', async () => {
    const asked = Array.from({ length: 6 }, () =>
      refusal(askLink(house.gateway.visitor(), 'flood@example.com')),
    )
    const outcomes = await Promise.all(asked)
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(5)
    expect(outcomes.find((outcome) => outcome !== 'accepted')).toMatch('Too many requests')
  })
})

describe('a forgotten password', () => {
  test('Unlike new-api: the owner chooses the new password, and all sessions and the access token end', async () => {
    const visitor = await withAddress('forgot@example.com')
    const accessToken = await visitor.call(routes.user.resetAccessToken)
    const link = await linkFor('forgot@example.com')
    expect(`${link.origin}${link.pathname}`).toBe(`${PUBLIC_ADDRESS}/user/reset`)
    const [email, token] = [link.searchParams.get('email') ?? '', link.searchParams.get('token') ?? '']
    const reset = (password: string | undefined) =>
      house.gateway
        .visitor()
        .call(mail.resetPassword, { body: { email, token, ...(password !== undefined && { password }) } })
    expect(await refusal(reset('short'))).toMatch('The password needs')
    expect(await reset('my-own-password')).toBe('')
    expect(await refusal(reset('my-own-password'))).toBe('The link is invalid, already used or expired')
    await expect(visitor.call(routes.user.readSelf)).rejects.toMatchObject({ status: 401 })
    const withToken = { authorization: accessToken, 'Tollgate-User': String(visitor.id) }
    const response = await fetch(`${house.gateway.address}/api/user/self`, { headers: withToken })
    expect(response.status).toBe(401)
    await house.gateway.visitor().signIn({ username: email, password: 'my-own-password' })
  })

  test('an older client that sends no password gets a generated one', async () => {
    const visitor = await withAddress('older@example.com')
    const link = await linkFor('older@example.com')
    const body = { email: 'older@example.com', token: link.searchParams.get('token') ?? '' }
    const made = await house.gateway.visitor().call(mail.resetPassword, { body })
    expect(made).toMatch(/^[0-9A-Za-z]{16}$/)
    const signedIn = await house.gateway.visitor().signIn({ username: 'older@example.com', password: made })
    expect(signedIn.id).toBe(visitor.id)
  })

  test('a reset link is refused for another address, when it is too old, when it is missing, and for a deactivated account', async () => {
    const gone = await withAddress('gone@example.com')
    const link = await linkFor('gone@example.com')
    const token = link.searchParams.get('token') ?? ''
    const reset = (email: string, given: string) =>
      refusal(
        house.gateway
          .visitor()
          .call(mail.resetPassword, { body: { email, token: given, password: PASSWORD } }),
      )
    const refused = 'The link is invalid, already used or expired'
    expect(await reset('forgot@example.com', token)).toBe(refused)
    expect(await reset('gone@example.com', '')).toBe(refused)
    const { db } = house.gateway.server.store
    await db.updateTable('users').set({ deleted_ms: 1 }).where('id', '=', gone.id).execute()
    expect(await reset('gone@example.com', token)).toBe(refused)
    await withAddress('late@example.com')
    const late = (await linkFor('late@example.com')).searchParams.get('token') ?? ''
    house.clock.advance(10 * 60_000)
    expect(await reset('late@example.com', late)).toBe(refused)
  })

  test('a link uses the configured server address, whatever host the request headers name', async () => {
    await withAddress('host@example.com')
    const response = await house.gateway.visitor().fetch('/api/reset_password?email=host@example.com', {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(response.status).toBe(200)
    expect((await nextMail()).text).toContain(`${PUBLIC_ADDRESS}/user/reset`)
    await house.set('ServerAddress', '')
    expect(await refusal(askLink(house.gateway.visitor(), 'host@example.com'))).toMatch(
      'its address is not set',
    )
    await house.set('ServerAddress', PUBLIC_ADDRESS)
  })
})

describe('binding an e-mail address', () => {
  test('Unlike new-api: binding an address requires a signed-in user', async () => {
    const response = await house.gateway.visitor().fetch('/api/oauth/email/bind?email=a@b.example&code=x')
    expect(response.status).toBe(401)
  })

  test('a code binds an address only to the account that requested it', async () => {
    const [one, other] = [await house.gateway.user(), await house.gateway.user()]
    const code = await codeFor(one, 'mine@example.com')
    expect(await bind(other, 'mine@example.com', code)).toBe('The verification code is wrong or has expired')
    expect(await bind(one, 'mine@example.com', code)).toBe('accepted')
    expect(await one.call(routes.user.readSelf)).toMatchObject({ email: 'mine@example.com' })
  })

  test('an address that another account bound in the meantime is not bound twice', async () => {
    const [one, other] = [await house.gateway.user(), await house.gateway.user()]
    const codes = [await codeFor(one, 'both@example.com'), await codeFor(other, 'both@example.com')]
    expect(await bind(one, 'both@example.com', codes[0] ?? '')).toBe('accepted')
    expect(await bind(other, 'both@example.com', codes[1] ?? '')).toBe(
      'The e-mail address already belongs to an account',
    )
  })

  test('an address can be unbound soon after signing in', async () => {
    const visitor = await withAddress('away@example.com')
    await visitor.call(mail.unbindEmail)
    expect(await visitor.call(routes.user.readSelf)).toMatchObject({ email: '' })
    expect(await refusal(visitor.call(mail.unbindEmail))).toMatch('No e-mail address is bound')
    house.clock.advance(13 * 3_600_000)
    expect(await refusal(visitor.call(mail.unbindEmail))).toBe(
      'Sign in again first: this needs a sign-in within the last 12 hours',
    )
    await house.gateway.root.signIn(ROOT)
  })
})

test('no code, link or password is stored in clear text', async () => {
  await withAddress('stored@example.com')
  const code = await codeFor(house.gateway.visitor(), 'unused@example.com')
  const link = await linkFor('stored@example.com')
  const { db } = house.gateway.server.store
  const rows = JSON.stringify([
    await db.selectFrom('one_time_codes').selectAll().execute(),
    await db.selectFrom('outbox').selectAll().execute(),
    await db.selectFrom('audit_log').selectAll().execute(),
  ])
  expect(rows).not.toContain(code.replace('-', ''))
  expect(rows).not.toContain(link.searchParams.get('token') ?? 'missing')
  const ended = await db.selectFrom('outbox').select('payload').where('state', '<>', 'pending').execute()
  expect(ended.length).toBeGreaterThan(20)
  expect(ended.filter(({ payload }) => payload !== '' && !payload.startsWith('v1.'))).toEqual([])
})
