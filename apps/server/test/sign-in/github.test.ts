import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestServer, Visitor } from '../harness.ts'
import { begin, comeBack, countUsers, setOptions, userRow } from './sign-in-harness.ts'
import type { FakeOAuth } from './fake-oauth.ts'
import { type FakeGitHub, type GitHubUser, openFakeGitHub } from './fake-github.ts'

let provider: FakeGitHub
let github: FakeOAuth
let gateway: TestServer
beforeAll(async () => {
  provider = await openFakeGitHub({ clock: new ManualClock() })
  github = provider.github
  gateway = provider.gateway
})
afterAll(() => provider.close())
beforeEach(() => github.breakWith(undefined))

const somebody = (fields: Partial<GitHubUser> = {}) => provider.somebody(fields)
const signIn = (who: Visitor, person: GitHubUser, aff?: string) => provider.signIn(who, person, aff)

describe('a first sign-in with GitHub', () => {
  test('a first sign-in creates an account without a password, bound to the numeric id', async () => {
    const who = gateway.visitor()
    const person = somebody()
    const { data, message } = await signIn(who, person)
    expect(message).toBe('')
    expect(data).toMatchObject({
      display_name: 'The Octocat',
      role: 1,
      github_id: String(person.id),
      email: '',
    })
    expect(data?.username).toMatch(/^github_\d+$/)
    expect(await who.call(routes.user.readSelf)).toMatchObject({ id: data?.id })
    expect(await userRow(gateway, who.id)).toMatchObject({
      password_hash: '',
      group_name: 'default',
      status: 1,
    })
  })

  test('the code is exchanged with a PKCE verifier and the configured redirect address', async () => {
    const who = gateway.visitor()
    const { authorizeUrl, state } = await begin(who, 'github')
    const asked = new URL(authorizeUrl).searchParams
    expect(asked.get('redirect_uri')).toBe(`${gateway.address}/oauth/github`)
    expect(asked.get('code_challenge_method')).toBe('S256')
    expect(asked.get('scope')).toBe('user:email')
    expect(Buffer.from(state, 'base64url')).toHaveLength(32)
    await comeBack(who, 'github', { ...github.approve(authorizeUrl, somebody()) })
    const trade = github.trades.at(-1)
    expect(trade?.redirectUri).toBe(`${gateway.address}/oauth/github`)
    expect(trade?.verifier).toMatch(/^[\w-]{43}$/)
  })

  test('a forwarded host header does not change the redirect address', async () => {
    const who = gateway.visitor()
    const response = await who.fetch('/api/oauth/state?provider=github', {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    const redirectUri = encodeURIComponent(`${gateway.address}/oauth/github`)
    expect(await response.text()).toContain(`redirect_uri=${redirectUri}&`)
  })

  test('the code of an inviter and the quota of a new user are applied', async () => {
    await setOptions(gateway, { QuotaForNewUser: '700', QuotaForInvitee: '50', QuotaForInviter: '30' })
    const inviter = await gateway.user()
    const { aff_code } = await inviter.call(routes.user.readSelf)
    const who = gateway.visitor()
    const { data } = await signIn(who, somebody(), aff_code)
    expect(data).toMatchObject({ quota: 750, inviter_id: inviter.id })
    expect(await inviter.call(routes.user.readSelf)).toMatchObject({ aff_count: 1, aff_quota: 30 })
    await setOptions(gateway, { QuotaForNewUser: '0', QuotaForInvitee: '0', QuotaForInviter: '0' })
  })

  test('a first sign-in is refused while registration is closed; existing users can sign in', async () => {
    const known = somebody()
    await signIn(gateway.visitor(), known)
    await setOptions(gateway, { RegisterEnabled: 'false' })
    const users = await countUsers(gateway)
    await expect(signIn(gateway.visitor(), somebody())).rejects.toThrow('Registration is closed')
    await signIn(gateway.visitor(), known)
    expect(await countUsers(gateway)).toBe(users)
    await setOptions(gateway, { RegisterEnabled: 'true' })
  })

  test('a first sign-in works while registration with a password is switched off', async () => {
    await setOptions(gateway, { PasswordRegisterEnabled: 'false' })
    await signIn(gateway.visitor(), somebody())
    await setOptions(gateway, { PasswordRegisterEnabled: 'true' })
  })

  test('a long display name is shortened and control characters are removed', async () => {
    const { data } = await signIn(gateway.visitor(), somebody({ name: `A\u0007${'界'.repeat(40)}` }))
    expect(data?.display_name).toBe(`A ${'界'.repeat(18)}`)
    const nameless = await signIn(gateway.visitor(), somebody({ name: null }))
    expect(nameless.data?.display_name).toBe('GitHub User')
  })

  test('a user name that is taken gets another number and stays within the length limit', async () => {
    const next = (
      await gateway.server.store.db.selectFrom('users').select('id').orderBy('id', 'desc').executeTakeFirst()
    )?.id
    await gateway.user({ username: `github_${Number(next) + 2}` })
    const { data } = await signIn(gateway.visitor(), somebody())
    expect(data?.username).toMatch(/^github_\d+$/)
  })
})

describe('the GitHub login name does not identify an account', () => {
  test('a renamed GitHub user keeps the account, and the next owner of the name gets another one', async () => {
    const owner = somebody({ login: 'famous' })
    const first = await signIn(gateway.visitor(), owner)
    const renamed = await signIn(gateway.visitor(), { ...owner, login: 'renamed' })
    expect(renamed.data?.id).toBe(first.data?.id)
    const thief = await signIn(gateway.visitor(), somebody({ login: 'famous' }))
    expect(thief.data?.id).not.toBe(first.data?.id)
  })

  test('a login name from an imported database is accepted once and replaced by the numeric id', async () => {
    const imported = await gateway.user()
    await gateway.server.store.db
      .updateTable('users')
      .set({ github_id: 'from-the-old-system' })
      .where('id', '=', imported.id)
      .execute()
    const owner = somebody({ login: 'from-the-old-system' })
    const { data } = await signIn(gateway.visitor(), owner)
    expect(data).toMatchObject({ id: imported.id, github_id: String(owner.id) })
    const thief = await signIn(gateway.visitor(), somebody({ login: 'from-the-old-system' }))
    expect(thief.data?.id).not.toBe(imported.id)
    const again = await signIn(gateway.visitor(), { ...owner, login: 'elsewhere' })
    expect(again.data?.id).toBe(imported.id)
  })

  test('a login name of digits does not match the numeric id of another user', async () => {
    const owner = somebody()
    const { data } = await signIn(gateway.visitor(), owner)
    const thief = await signIn(gateway.visitor(), somebody({ login: String(owner.id) }))
    expect(thief.data?.id).not.toBe(data?.id)
  })
})

const mail = (email: string, fields: { primary?: boolean; verified?: boolean } = {}) => ({
  emails: [{ email, primary: true, verified: true, ...fields }],
})

describe('an e-mail address from a provider', () => {
  test('a verified address that no user has is stored', async () => {
    const { data } = await signIn(gateway.visitor(), somebody(mail('Verified@Example.com')))
    expect(data?.email).toBe('verified@example.com')
  })

  test('an address that is unverified or not the primary one is not stored', async () => {
    const unverified = await signIn(gateway.visitor(), somebody(mail('un@example.com', { verified: false })))
    const other = await signIn(gateway.visitor(), somebody(mail('other@example.com', { primary: false })))
    expect([unverified.data?.email, other.data?.email]).toEqual(['', ''])
  })

  test('an address of another account is not stored and does not sign in to that account', async () => {
    const victim = await gateway.user()
    const { db } = gateway.server.store
    await db.updateTable('users').set({ email: 'victim@example.com' }).where('id', '=', victim.id).execute()
    const { data } = await signIn(gateway.visitor(), somebody(mail('victim@example.com')))
    expect(data?.id).not.toBe(victim.id)
    expect(data?.email).toBe('')
    await db.updateTable('users').set({ deleted_ms: 1 }).where('id', '=', victim.id).execute()
    const later = await signIn(gateway.visitor(), somebody(mail('victim@example.com')))
    expect(later.data?.email).toBe('')
  })

  test('an address that the site does not accept is not stored', async () => {
    await setOptions(gateway, { EmailDomainWhitelist: 'gmail.com', EmailDomainRestrictionEnabled: 'true' })
    const { data } = await signIn(gateway.visitor(), somebody(mail('a@elsewhere.example')))
    expect(data?.email).toBe('')
    await setOptions(gateway, {
      EmailDomainRestrictionEnabled: 'false',
      EmailAliasRestrictionEnabled: 'true',
    })
    const alias = await signIn(gateway.visitor(), somebody(mail('a+b@elsewhere.example')))
    expect(alias.data?.email).toBe('')
    await setOptions(gateway, { EmailAliasRestrictionEnabled: 'false' })
    const odd = await signIn(gateway.visitor(), somebody(mail('"a b"@elsewhere.example')))
    expect(odd.data?.email).toBe('')
  })
})

describe('users who may not sign in', () => {
  test('a disabled user and a deactivated one are refused, each with its own message', async () => {
    const person = somebody()
    const who = gateway.visitor()
    await signIn(who, person)
    const { db } = gateway.server.store
    await db.updateTable('users').set({ status: 2 }).where('id', '=', who.id).execute()
    await expect(signIn(gateway.visitor(), person)).rejects.toMatchObject({
      status: 403,
      message: 'This user is disabled',
    })
    await db.updateTable('users').set({ status: 1, deleted_ms: 1 }).where('id', '=', who.id).execute()
    const users = await countUsers(gateway)
    await expect(signIn(gateway.visitor(), person)).rejects.toThrow('This user was deactivated')
    expect(await countUsers(gateway)).toBe(users)
  })

  test('the Chinese message is the one of new-api', async () => {
    const person = somebody()
    const who = gateway.visitor()
    await signIn(who, person)
    await gateway.server.store.db
      .updateTable('users')
      .set({ deleted_ms: 1 })
      .where('id', '=', who.id)
      .execute()
    const other = gateway.visitor()
    const { authorizeUrl } = await begin(other, 'github')
    const query = new URLSearchParams({ ...github.approve(authorizeUrl, person) })
    const response = await other.fetch(`/api/oauth/github?${query.toString()}`, {
      headers: { 'accept-language': 'zh-CN' },
    })
    expect(await response.json()).toEqual({ success: false, message: '用户已注销', code: 'user_deactivated' })
  })
})

describe('a provider that fails', () => {
  test.each<[string, Parameters<FakeOAuth['breakWith']>[0], string]>([
    ['an error in a good answer', { body: { error: 'bad_verification_code' } }, 'did not confirm'],
    ['a refusal', { status: 401, body: { error: 'invalid_client' } }, 'did not confirm'],
    ['an answer without a token', { body: { token_type: 'bearer' } }, 'did not confirm'],
    ['a breakdown', { status: 500, body: {} }, 'did not confirm'],
    [
      'far too much',
      { body: { access_token: 'x'.repeat(300_000), token_type: 'bearer' } },
      'cannot be reached',
    ],
  ])('an error with %s reaches the caller in our words', async (_name, reported, words) => {
    github.breakWith(reported)
    const refused = signIn(gateway.visitor(), somebody())
    await expect(refused).rejects.toThrow(words)
    await expect(refused).rejects.not.toThrow('127.0.0.1')
  })

  test('a profile without an id is refused', async () => {
    const refused = signIn(gateway.visitor(), { ...somebody(), id: 0 })
    await expect(refused).rejects.toThrow('returned no user id')
  })

  test('an error in the callback is refused without showing the text of the provider', async () => {
    const who = gateway.visitor()
    const { state } = await begin(who, 'github')
    const back = { state, error: 'access_denied', error_description: 'Visit evil.example' }
    const refused = comeBack(who, 'github', back)
    await expect(refused).rejects.toThrow('cancelled or rejected at GitHub')
  })
})

test('while the provider is switched off, sign-ins can be neither started nor completed', async () => {
  const who = gateway.visitor()
  const { authorizeUrl } = await begin(who, 'github')
  const back = { ...github.approve(authorizeUrl, somebody()) }
  await setOptions(gateway, { GitHubOAuthEnabled: 'false' })
  await expect(begin(gateway.visitor(), 'github')).rejects.toThrow('Sign-in with GitHub is switched off')
  await expect(comeBack(who, 'github', back)).rejects.toThrow('Sign-in with GitHub is switched off')
  expect((await who.call(routes.status.read)).github_oauth).toBe(false)
  await setOptions(gateway, { GitHubOAuthEnabled: 'true' })
  expect((await who.call(routes.status.read)).github_oauth).toBe(true)
})

test('a console written for new-api can build the authorize URL itself and need not name the provider', async () => {
  const who = gateway.visitor()
  const { aff_code } = await gateway.root.call(routes.user.readSelf)
  const state = await who.call(routes.oauth.state, { query: { aff: aff_code } })
  const address = `https://github.com/login/oauth/authorize?client_id=gh-client&state=${state}&scope=user:email`
  const person = somebody()
  const { data, message } = await comeBack(who, 'github', { ...github.approve(address, person) })
  expect(message).toBe('')
  expect(data).toMatchObject({ github_id: String(person.id) })
})
