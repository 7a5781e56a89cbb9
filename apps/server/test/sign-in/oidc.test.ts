import { routes } from '@tollgate/contract/routes'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { type Counterpart, answering } from './counterpart.ts'
import { addressesWith, begin, comeBack, countUsers, setOptions } from './sign-in-harness.ts'
import { ISSUER_CLIENT, type Issuer, openIssuer } from './issuer.ts'

const PEOPLE = {
  'sub-ada': { name: 'Ada', preferred_username: 'ada', email: 'Ada@Example.com', email_verified: true },
  'sub-bob': { name: 'Bob', preferred_username: 'root', email: 'bob@example.com', email_verified: false },
  'sub-eve': { preferred_username: 'not a name @ all', email: 'ada@example.com', email_verified: true },
  'sub-dan': { name: 'Dan' },
  'sub-fay': { name: 'Fay' },
}
type PersonName = keyof typeof PEOPLE

let gateway: TestServer
let issuer: Issuer
let other: Issuer
beforeAll(async () => {
  gateway = await startTestServer({ providers: addressesWith({}) })
  const redirectUris = [`${gateway.address}/oauth/oidc`]
  issuer = await openIssuer({ redirectUris, people: PEOPLE })
  other = await openIssuer({ redirectUris, people: PEOPLE })
})
afterAll(async () => {
  await gateway.close()
  await issuer.close()
  await other.close()
})
beforeEach(() => useIssuer(issuer))

const wellKnown = ({ address }: Counterpart) => `${address}/.well-known/openid-configuration`

async function documentOf(at: Counterpart): Promise<object> {
  const response = await fetch(wellKnown(at))
  const document: unknown = await response.json()
  return typeof document === 'object' && document !== null ? document : {}
}

function useIssuer(at: Counterpart, values: Parameters<typeof setOptions>[1] = {}): Promise<void> {
  return setOptions(gateway, {
    ServerAddress: gateway.address,
    'oidc.client_id': ISSUER_CLIENT.client_id,
    'oidc.client_secret': ISSUER_CLIENT.client_secret,
    'oidc.well_known': wellKnown(at),
    'oidc.authorization_endpoint': '',
    'oidc.token_endpoint': '',
    'oidc.user_info_endpoint': '',
    'oidc.enabled': 'true',
    ...values,
  })
}

async function approved(who: Visitor, person: PersonName, at: Issuer = issuer) {
  const { authorizeUrl } = await begin(who, 'oidc')
  return at.approve(authorizeUrl, person)
}

async function signIn(person: PersonName, at: Issuer = issuer) {
  const who = gateway.visitor()
  return comeBack(who, 'oidc', await approved(who, person, at))
}

describe('a sign-in with a real issuer', () => {
  test('the sign-in uses discovery, PKCE, nonce and state', async () => {
    const who = gateway.visitor()
    const { authorizeUrl, state } = await begin(who, 'oidc')
    const asked = new URL(authorizeUrl)
    expect(asked.origin).toBe(issuer.address)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'tollgate',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: `${gateway.address}/oauth/oidc`,
      code_challenge_method: 'S256',
      state,
    })
    expect(asked.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/)
    const { data } = await comeBack(who, 'oidc', await issuer.approve(authorizeUrl, 'sub-ada'))
    expect(data).toMatchObject({
      username: 'ada',
      display_name: 'Ada',
      email: 'ada@example.com',
      oidc_id: 'sub-ada',
    })
    expect(await who.call(routes.user.readSelf)).toMatchObject({ id: who.id })
  })

  test('the sign-in is recorded in the usage log with its provider', async () => {
    const { data } = await signIn('sub-fay')
    const rows = await gateway.server.store.db
      .selectFrom('logs')
      .select('other')
      .where('user_id', '=', data?.id ?? 0)
      .where('type', '=', LOG_TYPE.signIn)
      .execute()
    expect(rows.map(({ other }): unknown => JSON.parse(other))).toMatchObject([
      { event: 'sign_in', way: 'OIDC' },
    ])
  })

  test('a second sign-in opens the same account', async () => {
    const [first, second] = [await signIn('sub-ada'), await signIn('sub-ada')]
    expect(second.data?.id).toBe(first.data?.id)
  })

  test('an unverified or taken address is not stored, and a taken name is replaced', async () => {
    await signIn('sub-ada')
    const bob = await signIn('sub-bob')
    expect(bob.data).toMatchObject({ email: '', display_name: 'Bob' })
    expect(bob.data?.username).toMatch(/^oidc_\w+$/)
    const eve = await signIn('sub-eve')
    expect(eve.data).toMatchObject({ email: '', display_name: 'OIDC User' })
    expect(eve.data?.username).toMatch(/^oidc_\w+$/)
  })

  test('the code of an inviter is applied to a sign-in with OIDC', async () => {
    const { aff_code } = await gateway.root.call(routes.user.readSelf)
    const who = gateway.visitor()
    // The user created by the setup has no invitation code.
    const inviter = aff_code === '' ? await gateway.user() : gateway.root
    const code = (await inviter.call(routes.user.readSelf)).aff_code
    const { authorizeUrl } = await begin(who, 'oidc', code)
    const { data } = await comeBack(who, 'oidc', await issuer.approve(authorizeUrl, 'sub-dan'))
    expect(data?.inviter_id).toBe(inviter.id)
  })

  test('the issuer may be given without the well-known path, and its endpoints may be overridden', async () => {
    await useIssuer(issuer, {
      'oidc.well_known': issuer.address,
      'oidc.token_endpoint': `${issuer.address}/token`,
      'oidc.user_info_endpoint': `${issuer.address}/me`,
      'oidc.authorization_endpoint': `${issuer.address}/auth`,
    })
    expect((await signIn('sub-ada')).data?.oidc_id).toBe('sub-ada')
  })
})

describe('refused OIDC sign-ins', () => {
  const notConfirmed = 'OIDC did not confirm this sign-in'

  test('a replayed code is refused', async () => {
    const who = gateway.visitor()
    const first = await approved(who, 'sub-ada')
    await comeBack(who, 'oidc', first)
    const thief = gateway.visitor()
    const { state } = await begin(thief, 'oidc')
    await expect(comeBack(thief, 'oidc', { ...first, state })).rejects.toThrow(notConfirmed)
  })

  test('a code injected into the sign-in of another user is refused', async () => {
    const { code = '', iss = '' } = await approved(gateway.visitor(), 'sub-eve')
    const victim = gateway.visitor()
    const { state } = await begin(victim, 'oidc')
    await expect(comeBack(victim, 'oidc', { code, iss, state })).rejects.toThrow(notConfirmed)
  })

  test('a forged state and a callback in another browser are refused', async () => {
    const who = gateway.visitor()
    const back = await approved(who, 'sub-ada')
    await expect(comeBack(who, 'oidc', { ...back, state: 'f'.repeat(43) })).rejects.toMatchObject({
      status: 403,
    })
    await expect(comeBack(gateway.visitor(), 'oidc', back)).rejects.toMatchObject({ status: 403 })
    await comeBack(who, 'oidc', back)
  })

  test('a callback with another issuer or without one is refused', async () => {
    const mixed = gateway.visitor()
    const back = await approved(mixed, 'sub-ada')
    await expect(comeBack(mixed, 'oidc', { ...back, iss: other.address })).rejects.toThrow(notConfirmed)
    const silent = gateway.visitor()
    const { iss: _iss, ...nameless } = await approved(silent, 'sub-ada')
    await expect(comeBack(silent, 'oidc', nameless)).rejects.toThrow(notConfirmed)
  })

  test('an identity token of another issuer is refused', async () => {
    const document = await documentOf(other)
    const impostor = await answering(({ path }) =>
      path.startsWith('/.well-known')
        ? {
            body: {
              ...document,
              issuer: impostor.address,
              authorization_response_iss_parameter_supported: false,
            },
          }
        : { status: 404, body: {} },
    )
    await useIssuer(impostor)
    const who = gateway.visitor()
    const { iss: _iss, ...back } = await approved(who, 'sub-ada', other)
    const users = await countUsers(gateway)
    await expect(comeBack(who, 'oidc', back)).rejects.toThrow(notConfirmed)
    expect(await countUsers(gateway)).toBe(users)
    await impostor.close()
  })

  test('a discovery document of another issuer is refused', async () => {
    const document = await documentOf(issuer)
    const liar = await answering(() => ({ body: document }))
    await useIssuer(liar)
    await expect(begin(gateway.visitor(), 'oidc')).rejects.toThrow('belongs to another issuer')
    await liar.close()
  })

  test('a token signed with an unpublished key is refused', async () => {
    const redirectUris = [`${gateway.address}/oauth/oidc`]
    const forger = await openIssuer({ redirectUris, people: PEOPLE, hasForeignKey: true })
    await useIssuer(forger)
    await expect(signIn('sub-ada', forger)).rejects.toThrow(notConfirmed)
    await forger.close()
  })
})

test('the same subject at another issuer is a different person and cannot sign in to the account', async () => {
  const first = await signIn('sub-fay')
  await useIssuer(other)
  await expect(signIn('sub-fay', other)).rejects.toThrow('bound to another user')
  await useIssuer(issuer)
  expect((await signIn('sub-fay')).data?.id).toBe(first.data?.id)
})

test('an imported account is pinned to the issuer of its first sign-in', async () => {
  const imported = await gateway.user()
  await gateway.server.store.db
    .updateTable('users')
    .set({ oidc_id: 'sub-old' })
    .where('id', '=', imported.id)
    .execute()
  const who = gateway.visitor()
  const { authorizeUrl } = await begin(who, 'oidc')
  const { data } = await comeBack(who, 'oidc', await issuer.approve(authorizeUrl, 'sub-old'))
  expect(data?.id).toBe(imported.id)
  await useIssuer(other)
  const thief = gateway.visitor()
  const elsewhere = await begin(thief, 'oidc')
  const back = await other.approve(elsewhere.authorizeUrl, 'sub-old')
  await expect(comeBack(thief, 'oidc', back)).rejects.toThrow('bound to another user')
})

describe('an issuer that does not respond', () => {
  test('starting a sign-in reports an unreachable issuer, and works again once it is reachable', async () => {
    await useIssuer({ address: 'http://127.0.0.1:1', close: async () => undefined })
    await expect(begin(gateway.visitor(), 'oidc')).rejects.toThrow('configuration cannot be read')
    await useIssuer(issuer)
    await signIn('sub-ada')
  })

  test('an issuer at a private address is not called', async () => {
    await useIssuer({ address: 'http://10.0.0.1', close: async () => undefined })
    await expect(begin(gateway.visitor(), 'oidc')).rejects.toThrow('configuration cannot be read')
  })
})

const discover = (url: string, who: Visitor = gateway.root) =>
  who.call(routes.oauth.discover, { query: { url } })

describe('the discovery route of the settings form', () => {
  test('it returns the endpoints of an issuer', async () => {
    expect(await discover(wellKnown(issuer))).toEqual({
      issuer: issuer.address,
      authorization_endpoint: `${issuer.address}/auth`,
      token_endpoint: `${issuer.address}/token`,
      userinfo_endpoint: `${issuer.address}/me`,
    })
  })

  test.each(['', 'not an address', 'ftp://issuer.example', 'http://127.0.0.1:1', 'http://169.254.169.254'])(
    'it refuses %j',
    async (url) => {
      await expect(discover(url)).rejects.toThrow('configuration cannot be read')
    },
  )

  test('only the super admin may use it', async () => {
    const admin = await gateway.user({ role: 10 })
    await expect(discover(wellKnown(issuer), admin)).rejects.toMatchObject({ status: 403 })
  })

  test('the client secret is never shown', async () => {
    const listed = await gateway.root.call(routes.option.list)
    expect(listed.find(({ key }) => key === 'oidc.client_secret')).toEqual({
      key: 'oidc.client_secret',
      value: '',
      is_set: true,
      version: 1,
    })
  })
})
