import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { addressesWith, begin, comeBack, setOptions } from './sign-in-harness.ts'
import { type FakeOAuth, fakeOAuth } from './fake-oauth.ts'

interface Member {
  readonly id: number
  readonly username: string
  readonly name: string
  readonly active: boolean
  readonly silenced: boolean
  readonly trust_level: number
}

let forum: FakeOAuth
let gateway: TestServer
beforeAll(async () => {
  const credentials = { clientId: 'ld-client', clientSecret: 'canary-linuxdo-secret' }
  forum = await fakeOAuth({ ...credentials, by: 'header', profiles: { '/api/user': (person) => person } })
  const page = 'https://connect.linux.do'
  gateway = await startTestServer({
    providers: addressesWith({
      linuxdo: {
        issuer: page,
        authorize: `${page}/oauth2/authorize`,
        token: `${forum.address}/token`,
        profile: `${forum.address}/api/user`,
      },
    }),
  })
  await setOptions(gateway, {
    ServerAddress: gateway.address,
    LinuxDOClientId: credentials.clientId,
    LinuxDOClientSecret: credentials.clientSecret,
    LinuxDOOAuthEnabled: 'true',
  })
})
afterAll(async () => {
  await gateway.close()
  await forum.close()
})

let lastId = 1000
const somebody = (fields: Partial<Member> = {}): Member => ({
  id: ++lastId,
  username: 'neo',
  name: 'Neo',
  active: true,
  silenced: false,
  trust_level: 1,
  ...fields,
})

async function signIn(who: Visitor, person: Member, aff?: string) {
  const { authorizeUrl } = await begin(who, 'linuxdo', aff)
  return comeBack(who, 'linuxdo', { ...forum.approve(authorizeUrl, person) })
}

test('a member signs in by the numeric id, with client credentials in the header and the configured redirect address', async () => {
  const person = somebody()
  const { data } = await signIn(gateway.visitor(), person)
  expect(data).toMatchObject({ linux_do_id: String(person.id), display_name: 'Neo' })
  expect(data?.username).toMatch(/^linuxdo_\d+$/)
  expect(forum.trades.at(-1)?.redirectUri).toBe(`${gateway.address}/oauth/linuxdo`)
  const again = await signIn(gateway.visitor(), { ...person, username: 'smith', name: 'Smith' })
  expect(again.data?.id).toBe(data?.id)
})

test('a callback may carry an issuer although the provider has no published one', async () => {
  const who = gateway.visitor()
  const { authorizeUrl } = await begin(who, 'linuxdo')
  const back = forum.approve(authorizeUrl, somebody())
  expect((await comeBack(who, 'linuxdo', { ...back, iss: 'https://linux.do' })).data?.id).toBeGreaterThan(0)
})

test('the code of an inviter is applied', async () => {
  const inviter = await gateway.user()
  const { aff_code } = await inviter.call(routes.user.readSelf)
  expect((await signIn(gateway.visitor(), somebody(), aff_code)).data?.inviter_id).toBe(inviter.id)
})

test('an account of an imported database is found by the same number', async () => {
  const imported = await gateway.user()
  const person = somebody()
  await gateway.server.store.db
    .updateTable('users')
    .set({ linux_do_id: String(person.id) })
    .where('id', '=', imported.id)
    .execute()
  expect((await signIn(gateway.visitor(), person)).data?.id).toBe(imported.id)
})

describe('members that the forum restricts', () => {
  test.each<[string, Partial<Member>]>([
    ['an inactive member', { active: false }],
    ['a silenced one', { silenced: true }],
  ])('%s does not sign anybody in', async (_name, fields) => {
    await expect(signIn(gateway.visitor(), somebody(fields))).rejects.toThrow(
      'Your Linux DO account is inactive',
    )
  })

  test('a member below the required trust level cannot sign in', async () => {
    await setOptions(gateway, { LinuxDOMinimumTrustLevel: '2' })
    await expect(signIn(gateway.visitor(), somebody({ trust_level: 1 }))).rejects.toThrow('trust level')
    await signIn(gateway.visitor(), somebody({ trust_level: 2 }))
    await setOptions(gateway, { LinuxDOMinimumTrustLevel: '0' })
  })
})

test('an error in the callback is refused with a message of the gateway, and the state is used up', async () => {
  const who = gateway.visitor()
  const { state } = await begin(who, 'linuxdo')
  const back = { state, error: 'access_denied' }
  await expect(comeBack(who, 'linuxdo', back)).rejects.toThrow('cancelled or rejected at Linux DO')
  await expect(comeBack(who, 'linuxdo', back)).rejects.toMatchObject({ status: 403 })
})
