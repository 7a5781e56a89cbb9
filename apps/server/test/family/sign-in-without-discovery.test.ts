import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { optionReader } from '../../src/commands/import/read-options.ts'
import { addressesWith, begin, comeBack, countUsers, setOptions } from '../sign-in/sign-in-harness.ts'
import { type FakeOAuth, fakeOAuth } from '../sign-in/fake-oauth.ts'
import { ISSUER_CLIENT, type Issuer, openIssuer } from '../sign-in/issuer.ts'
import { type TestServer, startTestServer } from '../harness.ts'

/** A site whose OIDC provider publishes no discovery document, so that its endpoints are entered by hand. */

const PEOPLE = {
  'sub-ada': { name: 'Ada', preferred_username: 'ada', email: 'ada@example.com', email_verified: true },
  'sub-bob': { name: 'Bob' },
  'sub-cem': { name: 'Cem' },
}
const notConfirmed = 'OIDC did not confirm this sign-in'

let gateway: TestServer
let issuer: Issuer
beforeAll(async () => {
  gateway = await startTestServer({ providers: addressesWith({}) })
  issuer = await openIssuer({ redirectUris: [`${gateway.address}/oauth/oidc`], people: PEOPLE })
})
afterAll(async () => {
  await gateway.close()
  await issuer.close()
})

const NOTHING = {
  'oidc.well_known': '',
  'oidc.issuer': '',
  'oidc.jwks_uri': '',
  'oidc.authorization_endpoint': '',
  'oidc.token_endpoint': '',
  'oidc.user_info_endpoint': '',
}

function use(values: Parameters<typeof setOptions>[1]): Promise<void> {
  return setOptions(gateway, {
    ServerAddress: gateway.address,
    'oidc.client_id': ISSUER_CLIENT.client_id,
    'oidc.client_secret': ISSUER_CLIENT.client_secret,
    ...NOTHING,
    ...values,
    'oidc.enabled': 'true',
  })
}

const typed = (at: Issuer) => ({
  'oidc.issuer': at.address,
  'oidc.jwks_uri': `${at.address}/jwks`,
  'oidc.authorization_endpoint': `${at.address}/auth`,
  'oidc.token_endpoint': `${at.address}/token`,
})

describe('with the issuer and its key set URL entered', () => {
  beforeEach(() => use(typed(issuer)))

  test('sign-ins use state, PKCE and nonce, and identity tokens are verified', async () => {
    const who = gateway.visitor()
    const { authorizeUrl, state } = await begin(who, 'oidc')
    const asked = Object.fromEntries(new URL(authorizeUrl).searchParams)
    expect(asked).toMatchObject({ state, code_challenge_method: 'S256', nonce: expect.any(String) })
    const { data } = await comeBack(who, 'oidc', await issuer.approve(authorizeUrl, 'sub-ada'))
    expect(data).toMatchObject({ oidc_id: 'sub-ada' })
    expect(await who.call(routes.user.readSelf)).toMatchObject({ id: who.id })
    const row = await gateway.server.store.db
      .selectFrom('identities')
      .select(['issuer', 'subject'])
      .where('user_id', '=', who.id)
      .executeTakeFirst()
    expect(row).toEqual({ issuer: issuer.address, subject: 'sub-ada' })
  })

  test('display name and address are read when the user-info endpoint is entered too', async () => {
    await use({ ...typed(issuer), 'oidc.user_info_endpoint': `${issuer.address}/me` })
    const who = gateway.visitor()
    const { authorizeUrl } = await begin(who, 'oidc')
    const { data } = await comeBack(who, 'oidc', await issuer.approve(authorizeUrl, 'sub-bob'))
    expect(data).toMatchObject({ oidc_id: 'sub-bob', display_name: 'Bob' })
  })

  test('a token of another issuer is refused', async () => {
    await use({ ...typed(issuer), 'oidc.issuer': `${issuer.address}/` })
    const who = gateway.visitor()
    const { authorizeUrl } = await begin(who, 'oidc')
    const users = await countUsers(gateway)
    const { iss: _iss, ...back } = await issuer.approve(authorizeUrl, 'sub-ada')
    await expect(comeBack(who, 'oidc', back)).rejects.toThrow(notConfirmed)
    expect(await countUsers(gateway)).toBe(users)
  })

  test('a token signed with another key is refused', async () => {
    const redirectUris = [`${gateway.address}/oauth/oidc`]
    const forger = await openIssuer({ redirectUris, people: PEOPLE, hasForeignKey: true })
    await use(typed(forger))
    const who = gateway.visitor()
    const { authorizeUrl } = await begin(who, 'oidc')
    const back = await forger.approve(authorizeUrl, 'sub-ada')
    await expect(comeBack(who, 'oidc', back)).rejects.toThrow(notConfirmed)
    await forger.close()
  })
})

describe('with endpoints only, as plain OAuth 2.0', () => {
  let provider: FakeOAuth
  beforeAll(async () => {
    provider = await fakeOAuth({
      clientId: ISSUER_CLIENT.client_id,
      clientSecret: ISSUER_CLIENT.client_secret,
      by: 'form',
      profiles: { '/me': (person) => person },
    })
  })
  afterAll(() => provider.close())

  const plain = () => ({
    'oidc.authorization_endpoint': `${provider.address}/authorize/`,
    'oidc.token_endpoint': `${provider.address}/token`,
    'oidc.user_info_endpoint': `${provider.address}/me`,
  })
  beforeEach(() => use(plain()))

  async function signIn(person: object) {
    const who = gateway.visitor()
    const { authorizeUrl } = await begin(who, 'oidc')
    return comeBack(who, 'oidc', { ...provider.approve(authorizeUrl, person) })
  }

  test('users are identified by their id, and sign-ins use state and PKCE', async () => {
    const who = gateway.visitor()
    const { authorizeUrl, state } = await begin(who, 'oidc')
    const { pathname, searchParams } = new URL(authorizeUrl)
    expect(pathname).toBe('/authorize/')
    expect(Object.fromEntries(searchParams)).toMatchObject({ state, code_challenge_method: 'S256' })
    expect(searchParams.has('nonce')).toBe(false)
    const person = { sub: 'p-1', name: 'Cy', email: 'cy@example.com', email_verified: true }
    const { data } = await comeBack(who, 'oidc', { ...provider.approve(authorizeUrl, person) })
    expect(data).toMatchObject({ oidc_id: 'p-1', display_name: 'Cy', email: 'cy@example.com' })
    expect(provider.trades.at(-1)?.verifier).toMatch(/^[\w-]{43,}$/)
    const renamed = await signIn({ sub: 'p-1', name: 'Cyrus', preferred_username: 'root' })
    expect(renamed.data?.id).toBe(data?.id)
  })

  test('a numeric id is accepted, but a name or an address does not identify a user', async () => {
    const { data } = await signIn({ id: 4711, name: 'Di' })
    expect(data).toMatchObject({ oidc_id: '4711' })
    const users = await countUsers(gateway)
    for (const nameless of [
      { name: 'Ed', email: 'ed@example.com', preferred_username: 'ed' },
      { sub: '', id: '' },
      { sub: 'x'.repeat(256) },
      { id: 0 },
      { sub: { deep: 1 } },
    ])
      await expect(signIn(nameless)).rejects.toThrow(/OIDC/)
    expect(await countUsers(gateway)).toBe(users)
  })

  test('an unverified address is not stored', async () => {
    expect((await signIn({ sub: 'p-2', email: 'root@example.com' })).data).toMatchObject({ email: '' })
  })

  test('an imported account is opened by the id it stored', async () => {
    const imported = await gateway.user()
    const { db } = gateway.server.store
    await db.updateTable('users').set({ oidc_id: 'p-old' }).where('id', '=', imported.id).execute()
    expect((await signIn({ sub: 'p-old' })).data?.id).toBe(imported.id)
  })

  test('the same id at another provider is a different person', async () => {
    await signIn({ sub: 'p-3' })
    const other = await fakeOAuth({
      clientId: ISSUER_CLIENT.client_id,
      clientSecret: ISSUER_CLIENT.client_secret,
      by: 'form',
      profiles: { '/me': (person) => person },
    })
    await use({
      'oidc.authorization_endpoint': `${other.address}/authorize`,
      'oidc.token_endpoint': `${other.address}/token`,
      'oidc.user_info_endpoint': `${other.address}/me`,
    })
    const who = gateway.visitor()
    const { authorizeUrl } = await begin(who, 'oidc')
    const back = { ...other.approve(authorizeUrl, { sub: 'p-3' }) }
    await expect(comeBack(who, 'oidc', back)).rejects.toThrow('bound to another user')
    await other.close()
  })

  test('an OpenID Connect provider is read through its user-info endpoint, and its identity token is ignored', async () => {
    await use({
      'oidc.authorization_endpoint': `${issuer.address}/auth`,
      'oidc.token_endpoint': `${issuer.address}/token`,
      'oidc.user_info_endpoint': `${issuer.address}/me`,
      // The provider's real issuer is different, which goes unnoticed because no token is compared with it.
      'oidc.issuer': 'https://the-name-it-has.example',
    })
    const who = gateway.visitor()
    const { authorizeUrl } = await begin(who, 'oidc')
    const { data } = await comeBack(who, 'oidc', await issuer.approve(authorizeUrl, 'sub-cem'))
    expect(data).toMatchObject({ oidc_id: 'sub-cem', display_name: 'Cem' })
    const row = await gateway.server.store.db
      .selectFrom('identities')
      .select(['issuer', 'subject'])
      .where('user_id', '=', who.id)
      .executeTakeFirst()
    expect(row).toEqual({ issuer: 'https://the-name-it-has.example', subject: 'sub-cem' })
  })
})

describe('the switch of OIDC sign-in', () => {
  test('switching it on lists the missing settings of each variant', async () => {
    await setOptions(gateway, { 'oidc.enabled': 'false', ...NOTHING })
    await setOptions(gateway, { 'oidc.authorization_endpoint': 'https://a.example/authorize/' })
    const on = gateway.root.call(routes.option.update, { body: { key: 'oidc.enabled', value: 'true' } })
    await expect(on).rejects.toThrow(
      'oidc.well_known | oidc.token_endpoint + oidc.issuer + oidc.jwks_uri | oidc.token_endpoint + oidc.user_info_endpoint',
    )
  })

  test('OIDC sign-in counts as off when a required setting is cleared', async () => {
    await use({
      'oidc.authorization_endpoint': 'https://a.example/authorize',
      'oidc.token_endpoint': 'https://a.example/token',
      'oidc.user_info_endpoint': 'https://a.example/me',
    })
    expect((await gateway.root.call(routes.status.read)).oidc_enabled).toBe(true)
    await setOptions(gateway, { 'oidc.token_endpoint': '' })
    expect((await gateway.root.call(routes.status.read)).oidc_enabled).toBe(false)
  })
})

const rows = (values: Record<string, string>) =>
  Object.entries({
    'oidc.enabled': 'true',
    'oidc.client_id': 'a',
    'oidc.client_secret': 'b',
    ...values,
  }).map(([key, value]) => ({ key, value }))

const reading = (values: Record<string, string>) => {
  const texts = new Map(rows(values).map(({ key, value }) => [key, value]))
  return optionReader(texts)('oidc.enabled', texts.get('oidc.enabled') ?? '')
}

describe('an import', () => {
  const endpoints = {
    'oidc.authorization_endpoint': 'https://a.example/authorize',
    'oidc.token_endpoint': 'https://a.example/token',
  }

  test('an import with endpoints only keeps the sign-in and names the settings that would make it stricter', () => {
    const full = { ...endpoints, 'oidc.user_info_endpoint': 'https://a.example/me' }
    expect(reading(full)).toMatchObject({
      type: 'accepted',
      value: 'true',
      notes: [{ code: 'option-oidc-plain' }],
    })
    expect(reading({ ...full, 'oidc.well_known': 'https://a.example' })).toMatchObject({ notes: [] })
  })

  test('an import names the missing settings when the sign-in cannot work', () => {
    expect(reading(endpoints)).toMatchObject({
      type: 'refused',
      code: 'option-refused',
      detail: expect.stringContaining(
        'oidc.well_known | oidc.issuer + oidc.jwks_uri | oidc.user_info_endpoint',
      ),
    })
  })
})
