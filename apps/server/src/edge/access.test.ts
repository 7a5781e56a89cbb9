import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Problem } from '@tollgate/problems/problem'
import { expect, test } from 'vitest'
import { accessCheck } from './access.ts'
import type { AccessRule, Identities, Identity } from './access.ts'
import { trustedProxies } from './client-address.ts'
import { origins } from './origin.ts'

const SESSION = 's'.repeat(43)
const alice: Identity = {
  id: 7,
  username: 'alice',
  role: 1,
  isEnabled: true,
  hasDefaultPassword: false,
  group: 'default',
  provenMs: 5,
  provenBy: 'password',
}

function check(identity: Identity | undefined) {
  const identities: Identities = {
    bySession: (id) => Promise.resolve(id === SESSION ? identity : undefined),
    byAccessToken: (token) => Promise.resolve(token === 'known' ? identity : undefined),
    startSession: () => Promise.reject(new Error('not here')),
    endSession: () => Promise.reject(new Error('not here')),
  }
  return accessCheck({
    identities,
    origins: origins({ proxies: trustedProxies([]), publicAddress: () => '' }),
  })
}

function request(headers: Record<string, string>): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers: { host: 'gate', ...headers } })
}

const read: AccessRule = { method: 'GET', access: 'user', owner: 'self', changesState: false }
const change: AccessRule = { ...read, changesState: true }
const cookie = { cookie: `theme=dark; session=${SESSION}` }
const own = { 'sec-fetch-site': 'same-origin' }

async function outcome(
  rule: AccessRule,
  headers: Record<string, string>,
  identity: Identity | undefined = alice,
) {
  try {
    const actor = await check(identity).admit(rule, request(headers))
    return actor ? actor.via : 'nobody'
  } catch (error) {
    return error instanceof Problem ? `${error.definition.adminStatus} ${error.code}` : error
  }
}

test.each<[string, Record<string, string>, string]>([
  ['nothing', {}, '401 not_signed_in'],
  ['a cookie that is no session of ours', { cookie: 'session=old.signed.value' }, '401 not_signed_in'],
  ['an unknown token', { authorization: 'Bearer unknown' }, '401 access_token_invalid'],
  ['no user header', cookie, '401 user_header_missing'],
  ['a word as user header', { ...cookie, 'tollgate-user': 'alice' }, '401 user_header_invalid'],
  ['no signed-in user stored', { ...cookie, 'veloera-user': '-1' }, '401 user_header_mismatch'],
  ['somebody else', { ...cookie, 'tollgate-user': '8' }, '401 user_header_mismatch'],
  ['our header', { ...cookie, 'tollgate-user': '7' }, 'session'],
  ['the family’s header', { ...cookie, 'veloera-user': '7' }, 'session'],
  ['another fork’s header', { ...cookie, 'new-api-user': '7' }, 'session'],
  ['a token with Bearer', { authorization: 'Bearer known', 'tollgate-user': '7' }, 'access-token'],
  ['a bare token', { authorization: 'known', 'tollgate-user': '7' }, 'access-token'],
  ['a token without user header', { authorization: 'known' }, 'access-token'],
  ['a token and somebody else', { authorization: 'known', 'veloera-user': '8' }, '401 user_header_mismatch'],
  ['a token and a word', { authorization: 'known', 'new-api-user': 'alice' }, '401 user_header_invalid'],
  [
    'a wrong token beside a session',
    { ...cookie, authorization: 'Bearer unknown', 'tollgate-user': '7' },
    '401 access_token_invalid',
  ],
  [
    'a token beside a session',
    { ...cookie, authorization: 'Bearer known', 'tollgate-user': '7' },
    'access-token',
  ],
  [
    'the password of a proxy beside a session',
    { ...cookie, authorization: 'Basic YTpi', 'tollgate-user': '7' },
    'session',
  ],
  [
    'an empty token beside a session',
    { ...cookie, authorization: 'Bearer ', 'tollgate-user': '7' },
    'session',
  ],
])('reading with %s: %3$s', async (_name, headers, expected) => {
  expect(await outcome(read, headers)).toBe(expected)
})

const signedIn = { ...cookie, 'tollgate-user': '7' }

test.each<[string, Record<string, string>, string]>([
  ['a session and our own page', { ...signedIn, ...own }, 'session'],
  ['a session and no word about the page', signedIn, '403 cross_site_refused'],
  ['a session and another site', { ...signedIn, 'sec-fetch-site': 'cross-site' }, '403 cross_site_refused'],
  [
    'an access token, which no browser sends by itself',
    { authorization: 'known', 'tollgate-user': '7' },
    'access-token',
  ],
])('changing with %s: %3$s', async (_name, headers, expected) => {
  expect(await outcome(change, headers)).toBe(expected)
})

test.each<[string, Partial<Identity>, AccessRule['access'], string]>([
  ['a disabled user', { isEnabled: false }, 'user', '403 user_disabled'],
  ['a user on an admin route', {}, 'admin', '403 role_too_low'],
  ['an admin on a root route', { role: 10 }, 'root', '403 role_too_low'],
  ['an unknown role value', { role: 50 }, 'admin', '403 role_too_low'],
  ['an admin', { role: 10 }, 'admin', 'session'],
  ['root', { role: 100 }, 'root', 'session'],
])('%s (%j) on a route for %s: %s', async (_name, part, access, expected) => {
  expect(await outcome({ ...read, access }, signedIn, { ...alice, ...part })).toBe(expected)
})

test('public routes admit everyone and refuse only state changes that come from another site', async () => {
  const login: AccessRule = { method: 'POST', access: 'public', owner: 'none', changesState: true }
  expect(await outcome(login, {})).toBe('nobody')
  expect(await outcome(login, { ...cookie, 'veloera-user': '-1' })).toBe('nobody')
  expect(await outcome(login, { ...cookie, 'veloera-user': '7' })).toBe('session')
  expect(await outcome(login, { origin: 'http://evil' })).toBe('403 page_host_differs')
  const logout: AccessRule = { ...login, owner: 'self' }
  expect(await outcome(logout, {})).toBe('nobody')
  expect(await outcome(logout, cookie)).toBe('401 user_header_missing')
  expect(await outcome(logout, { ...signedIn, ...own })).toBe('session')
})

test('a public GET that changes state is refused unless it comes from a page of our own', async () => {
  const visit: AccessRule = { method: 'GET', access: 'public', owner: 'none', changesState: true }
  expect(await outcome(visit, {})).toBe('403 cross_site_refused')
  expect(await outcome(visit, own)).toBe('nobody')
  expect(await outcome(visit, { ...cookie, ...own })).toBe('nobody')
  expect(await outcome(visit, { ...signedIn, ...own })).toBe('session')
  expect(await outcome({ ...visit, changesState: false }, {})).toBe('nobody')
  expect(await outcome(visit, { ...signedIn, ...own, authorization: 'Bearer unknown' })).toBe('nobody')
})

test('the playground accepts a session and rejects an access token', async () => {
  const access = check(alice)
  await expect(access.identifySession(request({ ...signedIn, ...own }))).resolves.toEqual({ userId: 7 })
  const byToken = request({ authorization: 'known', 'tollgate-user': '7' })
  await expect(access.identifySession(byToken)).rejects.toMatchObject({ code: 'session_required' })
  const beside = request({ ...signedIn, ...own, authorization: 'Bearer unknown' })
  await expect(access.identifySession(beside)).rejects.toMatchObject({ code: 'access_token_invalid' })
  await expect(access.identifySession(request(signedIn))).rejects.toMatchObject({
    code: 'cross_site_refused',
  })
})

test('the default password gives access only to the route that changes it', async () => {
  const known = { ...alice, hasDefaultPassword: true }
  const headers = { ...cookie, ...own, 'tollgate-user': '7' }
  expect(await outcome(change, headers, known)).toBe('403 default_password')
  expect(await outcome({ ...change, isOpenToDefaultPassword: true }, headers, known)).toBe('session')
  const withToken = { authorization: 'Bearer known', 'tollgate-user': '7' }
  expect(await outcome(read, withToken, known)).toBe('403 default_password')
})
