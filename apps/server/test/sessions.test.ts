import { hash as bcryptHash } from 'bcryptjs'
import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, ROOT, type TestServer, type Visitor, startTestServer } from './harness.ts'

const clock = new ManualClock()
let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ clock, hasThreads: true })
})
afterAll(() => gateway.close())

const DAY_MS = 86_400_000
const self = (visitor: Visitor) => visitor.call(routes.user.readSelf)
const users = () => gateway.server.store.db.updateTable('users')

test('the session cookie is HttpOnly and SameSite=Strict, and the store keeps only its hash', async () => {
  const visitor = gateway.visitor()
  const response = await visitor.fetch('/api/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ROOT),
  })
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/)
  const id = /session=([\w-]+)/.exec(cookie)?.[1] ?? ''
  const rows = await gateway.server.store.db.selectFrom('sessions').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(id)
})

test('the cookie is Secure behind HTTPS', async () => {
  const origin = gateway.address.replace('http:', 'https:')
  const response = await gateway.visitor().fetch('/api/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify(ROOT),
  })
  expect(response.headers.getSetCookie()[0]).toMatch(/; Secure$/)
})

test('signing in again ends the browser’s earlier session, and signing out ends it on the server', async () => {
  const visitor = await gateway.user()
  const first = visitor.cookie
  await visitor.signIn({ username: (await self(visitor)).username, password: PASSWORD })
  const second = visitor.cookie
  expect(second).not.toBe(first)
  visitor.cookie = first
  await expect(self(visitor)).rejects.toMatchObject({ status: 401 })
  visitor.cookie = second
  await visitor.call(routes.session.logout)
  expect(visitor.cookie).toBe('session=')
  visitor.cookie = second
  await expect(self(visitor)).rejects.toMatchObject({ status: 401 })
})

test('wrong password, unknown user and disabled user get the same error', async () => {
  const known = await gateway.user({ username: 'samewords' })
  await users().set({ status: 2 }).where('id', '=', known.id).execute()
  const attempts = [
    { username: 'root', password: 'not the password' },
    { username: 'nobody', password: 'not the password' },
    { username: 'samewords', password: PASSWORD },
  ]
  const answers = await Promise.all(
    attempts.map((body) =>
      gateway
        .visitor()
        .signIn(body)
        .then(String, (error: unknown) => String(error)),
    ),
  )
  expect(new Set(answers).size).toBe(1)
  expect(answers[0]).toContain('Username or password is wrong, or the user is disabled')
})

test('a banned user loses access at the next call', async () => {
  const visitor = await gateway.user()
  await users().set({ status: 2 }).where('id', '=', visitor.id).execute()
  await expect(self(visitor)).rejects.toMatchObject({ status: 403, message: 'This user is disabled' })
})

test('a demoted admin loses admin routes at the next call and keeps the user routes', async () => {
  const visitor = await gateway.user({ role: 10 })
  await visitor.call(routes.status.probe)
  await users().set({ role: 1 }).where('id', '=', visitor.id).execute()
  await expect(visitor.call(routes.status.probe)).rejects.toMatchObject({ status: 403 })
  expect(await self(visitor)).toMatchObject({ role: 1 })
})

test('a deleted user gets 401', async () => {
  const visitor = await gateway.user()
  await users().set({ deleted_ms: clock.nowMs() }).where('id', '=', visitor.id).execute()
  await expect(self(visitor)).rejects.toMatchObject({ status: 401 })
})

test('a session expires after 30 days', async () => {
  const visitor = await gateway.user()
  clock.advance(30 * DAY_MS - 1000)
  expect(await self(visitor)).toMatchObject({ id: visitor.id })
  clock.advance(2000)
  await expect(self(visitor)).rejects.toMatchObject({ status: 401 })
  await gateway.root.signIn(ROOT)
})

test('a session survives a restart', async () => {
  const visitor = await gateway.user()
  const { cookie, id } = visitor
  gateway = await gateway.restart()
  const again = Object.assign(gateway.visitor(), { cookie, id })
  expect(await self(again)).toMatchObject({ id })
})

test('a new password needs the old one, ends other sessions and keeps this one', async () => {
  const here = await gateway.user({ username: 'changer' })
  const there = gateway.visitor()
  await there.signIn({ username: 'changer', password: PASSWORD })
  const change = (original_password: string) =>
    here.call(routes.user.updateSelf, { body: { password: 'another-pass-2', original_password } })
  const signedInLongAgo = { proven_ms: 0 }
  await gateway.server.store.db
    .updateTable('sessions')
    .set(signedInLongAgo)
    .where('user_id', '=', here.id)
    .execute()
  await expect(change('')).rejects.toMatchObject({ code: 'fresh_sign_in_needed' })
  await expect(change('wrong-password')).rejects.toThrow('The current password is missing or wrong')
  await change(PASSWORD)
  expect(await self(here)).toMatchObject({ username: 'changer' })
  await expect(self(there)).rejects.toMatchObject({ status: 401 })
  await expect(there.signIn({ username: 'changer', password: PASSWORD })).rejects.toThrow('wrong')
  await there.signIn({ username: 'changer', password: 'another-pass-2' })
})

test('a bcrypt hash from new-api is accepted once and replaced by argon2id', async () => {
  const visitor = await gateway.user({ username: 'imported' })
  const stored = (await bcryptHash(PASSWORD, 4)).replace('$2b$', '$2a$')
  await users().set({ password_hash: stored }).where('id', '=', visitor.id).execute()
  await gateway.visitor().signIn({ username: 'imported', password: PASSWORD })
  const read = () =>
    gateway.server.store.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', visitor.id)
      .executeTakeFirstOrThrow()
  expect((await read()).password_hash).toMatch(/^\$argon2id\$/)
  await gateway.visitor().signIn({ username: 'imported', password: PASSWORD })
})

test('a request with two session cookies is refused on every route, including sign-in', async () => {
  const visitor = await gateway.user()
  const planted = `session=${'x'.repeat(43)}`
  const headers = { 'content-type': 'application/json', cookie: `${planted}; ${visitor.cookie}` }
  const send = (path: string, init: RequestInit = {}) => visitor.fetch(path, { ...init, headers })
  const refused = { success: false, code: 'cookie_repeated' }
  for (const path of ['/api/user/self', '/api/status']) {
    const response = await send(path)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject(refused)
  }
  const login = await send('/api/user/login', {
    method: 'POST',
    body: JSON.stringify(ROOT),
  })
  expect(login.headers.getSetCookie()).toEqual([])
  expect(await login.json()).toMatchObject(refused)
  expect(await self(visitor)).toMatchObject({ id: visitor.id })
})

test('guesses at an account are slowed after five, in the same way for an unknown account', async () => {
  await gateway.user({ username: 'guessed' })
  for (const username of ['guessed', 'not-there']) {
    const guesses = Array.from({ length: 20 }, () =>
      gateway.visitor().signIn({ username, password: 'wrong-one' }),
    )
    const outcomes = await Promise.allSettled(guesses)
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
    expect(reasons.filter((reason) => reason.includes('Username or password is wrong'))).toHaveLength(5)
    const refused = gateway.visitor().signIn({ username, password: PASSWORD })
    await expect(refused).rejects.toMatchObject({ status: 429 })
  }
  clock.advance(1000)
  await gateway.visitor().signIn({ username: 'guessed', password: PASSWORD })
})

test('user names are unique in any letter case and validated, and users can sign in by e-mail', async () => {
  await gateway.user({ username: 'Ｕnique' })
  const register = (username: string) =>
    gateway.visitor().call(routes.session.register, { body: { username, password: PASSWORD } })
  await expect(register('unique')).rejects.toThrow('taken')
  for (const bad of ['', ' ', 'a b', 'x@y', 'thirteenchars'])
    await expect(register(bad)).rejects.toThrow('username')
  const visitor = await gateway.user()
  await users().set({ email: 'person@example.com' }).where('id', '=', visitor.id).execute()
  await gateway.visitor().signIn({ username: ' Person@Example.com ', password: PASSWORD })
})

const confirmed = (username: string, password2?: string) =>
  gateway.visitor().call(routes.session.register, { body: { username, password: PASSWORD, password2 } })

test('a registration with a different confirmation is refused, and the confirmation may be left out', async () => {
  for (const differing of ['', `${PASSWORD}1`, PASSWORD.toUpperCase()])
    await expect(confirmed('confirming', differing)).rejects.toThrow('The two passwords differ')
  await confirmed('confirming', PASSWORD)
  await confirmed('unconfirmed')
})

test('the access token is shown once, works like a session, and ends when a new one is created', async () => {
  const visitor = await gateway.user()
  const token = await visitor.call(routes.user.resetAccessToken)
  const withToken = (headers: Record<string, string>) =>
    fetch(`${gateway.address}/api/user/self`, { headers: { authorization: `Bearer ${token}`, ...headers } })
  expect((await withToken({ 'Veloera-User': String(visitor.id) })).status).toBe(200)
  expect((await withToken({})).status).toBe(200)
  expect((await withToken({ 'Veloera-User': '1' })).status).toBe(401)
  expect(await self(visitor)).toMatchObject({ access_token: null, has_access_token: true })
  await visitor.call(routes.user.resetAccessTokenByGet)
  expect((await withToken({})).status).toBe(401)
})

test('a user who signs in with the default password 123456 must choose another one first', async () => {
  const user = await gateway.user()
  const { username } = await self(user)
  await users()
    .set({ password_hash: (await bcryptHash('123456', 4)).replace('$2b$', '$2a$') })
    .where('id', '=', user.id)
    .execute()
  expect(await user.signIn({ username, password: '123456' })).toMatchObject({ has_default_password: true })
  const other = gateway.visitor()
  await other.signIn({ username, password: '123456' })
  for (const visitor of [user, other]) {
    expect(await self(visitor)).toMatchObject({ has_default_password: true })
    const refused = { status: 403, code: 'default_password' }
    await expect(visitor.call(routes.token.list)).rejects.toMatchObject(refused)
    await expect(visitor.call(routes.user.resetAccessToken)).rejects.toMatchObject(refused)
  }
  const body = { password: 'another-pass-1', original_password: '123456' }
  await user.call(routes.user.updateSelf, { body })
  expect(await self(user)).toMatchObject({ has_default_password: false })
  expect(await user.call(routes.token.list)).toEqual([])
  await expect(self(other)).rejects.toMatchObject({ status: 401 })
})
