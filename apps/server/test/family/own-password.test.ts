import { hash as bcryptHash } from 'bcryptjs'
import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, type TestServer, startTestServer } from '../harness.ts'
import { type OldConsole, newOldConsole, signedIn } from './old-console.ts'

/** The password form of these consoles has no field for the current password. */
const NEXT = 'davepass99'
const MINUTE_MS = 60_000

const clock = new ManualClock()
let gateway: TestServer

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true, clock })
})
afterAll(() => gateway.close())

const change = (person: OldConsole) => person.json('PUT', '/api/user/self', { password: NEXT })

async function elsewhere(person: OldConsole): Promise<OldConsole> {
  const { username } = await person.call(routes.user.readSelf)
  return signedIn(gateway, { username, password: PASSWORD })
}

test('a user who just signed in changes the password without the old one, and other sessions end', async () => {
  const person = await newOldConsole(gateway)
  const other = await elsewhere(person)
  const { username } = await person.call(routes.user.readSelf)
  expect(await change(person)).toMatchObject({ success: true })
  expect(await person.call(routes.user.readSelf)).toMatchObject({ username })
  await expect(other.call(routes.user.readSelf)).rejects.toMatchObject({ status: 401 })
  await expect(other.signIn({ username, password: PASSWORD })).rejects.toMatchObject({
    code: 'credentials_refused',
  })
  await other.signIn({ username, password: NEXT })
})

test('a user whose sign-in is older gets an error that explains how, and the password stays', async () => {
  const person = await newOldConsole(gateway)
  clock.advance(15 * MINUTE_MS + 1)
  expect(await change(person)).toMatchObject({
    success: false,
    code: 'fresh_sign_in_needed',
    message: 'Sign in again, then change it within 15 minutes',
  })
  const again = await elsewhere(person)
  expect(await change(again)).toMatchObject({ success: true })
})

test('an access token cannot change the password, even just after a sign-in', async () => {
  const person = await newOldConsole(gateway)
  const authorization = await person.call(routes.user.resetAccessToken)
  const response = await fetch(`${gateway.address}/api/user/self`, {
    method: 'PUT',
    headers: { authorization, 'veloera-user': String(person.id), 'content-type': 'application/json' },
    body: JSON.stringify({ password: NEXT }),
  })
  expect(await response.json()).toMatchObject({ success: false, code: 'fresh_sign_in_needed' })
  await elsewhere(person)
})

test('a wrong old password is refused although none was required', async () => {
  const person = await newOldConsole(gateway)
  const body = { password: NEXT, original_password: 'not-my-password' }
  expect(await person.json('PUT', '/api/user/self', body)).toMatchObject({
    success: false,
    code: 'original_password_wrong',
  })
})

test('the default password 123456 can be changed at any time', async () => {
  const person = await newOldConsole(gateway)
  const { username } = await person.call(routes.user.readSelf)
  const password_hash = (await bcryptHash('123456', 4)).replace('$2b$', '$2a$')
  await gateway.server.store.db
    .updateTable('users')
    .set({ password_hash })
    .where('id', '=', person.id)
    .execute()
  await person.signIn({ username, password: '123456' })
  clock.advance(24 * 60 * MINUTE_MS)
  expect(await person.json('GET', '/api/token/?p=0')).toMatchObject({ code: 'default_password' })
  expect(await change(person)).toMatchObject({ success: true })
  expect(await person.json('GET', '/api/token/?p=0')).toMatchObject({ success: true })
})
