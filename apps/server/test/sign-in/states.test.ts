import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD, type Visitor } from '../harness.ts'
import { begin, comeBack, countUsers, setOptions } from './sign-in-harness.ts'
import { type FakeGitHub, openFakeGitHub } from './fake-github.ts'

const clock = new ManualClock()
let provider: FakeGitHub
const lines: string[] = []
beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  provider = await openFakeGitHub({ clock, log })
  await setOptions(provider.gateway, {
    LinuxDOClientId: 'ld-client',
    LinuxDOClientSecret: 'ld-secret',
    LinuxDOOAuthEnabled: 'true',
  })
})
afterAll(() => provider.close())

const refused = { status: 403, message: expect.stringContaining('not started in this browser') }

/** Starts a sign-in and approves it at the provider; returns the query of the callback. */
async function aboutToReturn(who: Visitor) {
  const { authorizeUrl } = await begin(who, 'github')
  return { ...provider.github.approve(authorizeUrl, provider.somebody()) }
}

describe('a sign-in state', () => {
  test('a state works once', async () => {
    const who = provider.gateway.visitor()
    const back = await aboutToReturn(who)
    await comeBack(who, 'github', back)
    const again = provider.gateway.visitor()
    again.mark = who.mark
    await expect(comeBack(again, 'github', back)).rejects.toMatchObject(refused)
  })

  test('a state works once even when several callbacks race', async () => {
    const who = provider.gateway.visitor()
    const back = await aboutToReturn(who)
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => comeBack(who, 'github', back)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.each([
    ['none', ''],
    ['an invented one', 'A'.repeat(43)],
    ['the family’s twelve letters', 'aB3dE5fG7hI9'],
  ])('a state that is %s is refused', async (_name, state) => {
    const who = provider.gateway.visitor()
    const { code } = await aboutToReturn(who)
    await expect(comeBack(who, 'github', { code, state })).rejects.toMatchObject(refused)
  })

  test('a state expires after ten minutes', async () => {
    const [early, late] = [provider.gateway.visitor(), provider.gateway.visitor()]
    const [inTime, tooLate] = [await aboutToReturn(early), await aboutToReturn(late)]
    clock.advance(599_000)
    await comeBack(early, 'github', inTime)
    clock.advance(2_000)
    await expect(comeBack(late, 'github', tooLate)).rejects.toMatchObject(refused)
  })

  test('a state of one provider is refused by another, and the attempt uses it up', async () => {
    const who = provider.gateway.visitor()
    const back = await aboutToReturn(who)
    await expect(comeBack(who, 'linuxdo', back)).rejects.toMatchObject(refused)
    await expect(comeBack(who, 'github', back)).rejects.toMatchObject(refused)
  })

  test('neither the state nor its PKCE verifier is stored in clear text', async () => {
    const who = provider.gateway.visitor()
    const { state } = await begin(who, 'github')
    const rows = await provider.gateway.server.store.db.selectFrom('oauth_states').selectAll().execute()
    const stored = JSON.stringify(rows)
    expect(stored).not.toContain(state)
    expect(stored).not.toContain(who.mark.split('=')[1])
    expect(rows.at(-1)?.verifier_sealed).toMatch(/^v1\./)
  })
})

describe('a stolen callback', () => {
  test('a callback is refused in another browser and still works for its owner', async () => {
    const victim = provider.gateway.visitor()
    const back = await aboutToReturn(victim)
    const users = await countUsers(provider.gateway)
    for (const thief of [provider.gateway.visitor(), await provider.gateway.user()])
      await expect(comeBack(thief, 'github', back)).rejects.toMatchObject(refused)
    const prepared = provider.gateway.visitor()
    await begin(prepared, 'github')
    await expect(comeBack(prepared, 'github', back)).rejects.toMatchObject(refused)
    expect(await countUsers(provider.gateway)).toBe(users + 1)
    expect((await comeBack(victim, 'github', back)).data?.id).toBeGreaterThan(0)
  })

  test('an injected code does not sign the victim in as the attacker, because it belongs to another PKCE challenge', async () => {
    const attacker = provider.gateway.visitor()
    const { code } = await aboutToReturn(attacker)
    const victim = provider.gateway.visitor()
    const { state } = await begin(victim, 'github')
    await expect(comeBack(victim, 'github', { code, state })).rejects.toThrow('did not confirm')
  })

  test('a callback sent by another site is refused', async () => {
    const who = provider.gateway.visitor()
    const back = new URLSearchParams(await aboutToReturn(who))
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: '', referer: '' },
    ])
      expect((await who.fetch(`/api/oauth/github?${back.toString()}`, { headers })).status).toBe(403)
  })
})

describe('the purpose of a state', () => {
  test('a sign-in started while signed out is refused once a user is signed in', async () => {
    const who = provider.gateway.visitor()
    const back = await aboutToReturn(who)
    const user = await provider.gateway.user()
    Object.assign(who, { cookie: user.cookie, id: user.id })
    await expect(comeBack(who, 'github', back)).rejects.toMatchObject(refused)
    expect((await who.call(routes.user.readSelf)).github_id).toBe('')
  })

  test('a binding can be completed only by the user who started it', async () => {
    const who = await provider.gateway.user()
    const back = await aboutToReturn(who)
    const other = await provider.gateway.user()
    Object.assign(who, { cookie: other.cookie, id: other.id })
    await expect(comeBack(who, 'github', back)).rejects.toMatchObject(refused)
    const signedOut = Object.assign(provider.gateway.visitor(), { mark: who.mark })
    await expect(comeBack(signedOut, 'github', back)).rejects.toMatchObject(refused)
  })

  test('a page that sends no user header starts a sign-in, not a binding', async () => {
    const who = await provider.gateway.user()
    const { id } = who
    who.id = -1
    const { data, message } = await comeBack(who, 'github', await aboutToReturn(who))
    expect(message).toBe('')
    expect(data?.id).not.toBe(id)
  })
})

test('the sign-in cookie is HttpOnly, SameSite=Strict and limited to /api/oauth, and Secure over HTTPS', async () => {
  const response = await provider.gateway.visitor().fetch('/api/oauth/state?provider=github')
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^sign_in=[\w-]{43}; Path=\/api\/oauth; Max-Age=600; HttpOnly; SameSite=Strict$/),
  ])
  const secure = await provider.gateway.visitor().fetch('/api/oauth/state', {
    headers: { origin: provider.gateway.address.replace('http:', 'https:') },
  })
  expect(secure.headers.getSetCookie()[0]).toMatch(/; Secure$/)
})

test('two windows of one browser can sign in at the same time', async () => {
  const who = provider.gateway.visitor()
  const [first, second] = [await aboutToReturn(who), await aboutToReturn(who)]
  await comeBack(who, 'github', second)
  who.cookie = ''
  who.id = -1
  await comeBack(who, 'github', first)
})

test('a sign-in replaces the session', async () => {
  const who = provider.gateway.visitor()
  const person = provider.somebody()
  await provider.signIn(who, person)
  const { cookie: first } = who
  who.id = -1
  await provider.signIn(who, person)
  expect(who.cookie).not.toBe(first)
  const old = Object.assign(provider.gateway.visitor(), { cookie: first, id: who.id })
  await expect(old.call(routes.user.readSelf)).rejects.toMatchObject({ status: 401 })
})

test('starting a binding needs a recent sign-in, starting a sign-in does not', async () => {
  const who = await provider.gateway.user({ username: 'daytime' })
  clock.advance(13 * 3_600_000)
  await expect(begin(who, 'github')).rejects.toMatchObject({ status: 200 })
  await begin(provider.gateway.visitor(), 'github')
  await who.signIn({ username: 'daytime', password: PASSWORD })
  await begin(who, 'github')
})

test('a refused sign-in is logged with address and reason, but without state, code or cookie', async () => {
  lines.length = 0
  const who = provider.gateway.visitor()
  const back = await aboutToReturn(who)
  const thief = provider.gateway.visitor()
  await begin(thief, 'github')
  await expect(comeBack(thief, 'github', back)).rejects.toMatchObject(refused)
  provider.github.breakWith({
    body: { error: 'bad_verification_code', error_description: 'canary from outside' },
  })
  await expect(comeBack(who, 'github', back)).rejects.toThrow('did not confirm')
  provider.github.breakWith(undefined)
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      msg: 'refused a sign-in through a provider',
      route: '/api/oauth/github',
      code: 'oauth_state_refused',
      address: '127.0.0.1',
    },
    {
      msg: 'refused a sign-in through a provider',
      code: 'door_refused',
      reason: expect.stringContaining('OAUTH'),
    },
  ])
  for (const secret of [back.state, back.code, who.mark.slice(8), 'canary'])
    expect(lines.join('')).not.toContain(secret)
})
