import { routes } from '@tollgate/contract/routes'
import { z } from 'zod'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PASSWORD, Visitor } from '../harness.ts'
import { type MailGateway, openMailGateway } from './mail-gateway.ts'

/** A browser on a network of its choice, behind the proxy that the gateway trusts. */
class Traveller extends Visitor {
  network = ''

  from(network: string): this {
    this.network = network
    return this
  }

  override headers(): Record<string, string> {
    return { ...super.headers(), 'x-forwarded-for': this.network }
  }
}

interface Outcome {
  readonly status: number
  readonly code: string
  /** Seconds from the `Retry-After` header; 0 when the header is absent. */
  readonly retryAfter: number
}

const HOME = '203.0.113.7'
const WRONG = 'not-the-password'
const EMAIL = 'owner@example.com'

let house: MailGateway
let owner: Traveller
beforeEach(async () => {
  house = await openMailGateway({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
  owner = new Traveller(house.gateway.address).from(HOME)
  await owner.call(routes.session.register, { body: { username: 'owner', password: PASSWORD } })
  await owner.signIn({ username: 'owner', password: PASSWORD })
  const { db } = house.gateway.server.store
  await db.updateTable('users').set({ email: EMAIL }).where('id', '=', owner.id).execute()
})
afterEach(() => house.close())

const strange = (index: number) => `198.51.${100 + (index >> 8)}.${index & 255}`

async function tryPassword(username: string, password: string, network: string): Promise<Outcome> {
  const { address } = house.gateway
  const response = await fetch(`${address}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: address, 'x-forwarded-for': network },
    body: JSON.stringify({ username, password }),
  })
  const { success, code } = z
    .object({ success: z.boolean(), code: z.string().default('') })
    .parse(await response.json())
  const retryAfter = Number(response.headers.get('retry-after') ?? 0)
  return { status: response.status, code: success ? 'welcome' : code, retryAfter }
}

/**
 * Sends one wrong guess from each of `count` networks. Returns how many of them were compared with the
 * password (the others were refused by the limit).
 */
async function strangersGuess(username: string, count: number): Promise<number> {
  const networks = Array.from({ length: count }, (_, index) => strange(index))
  let looked = 0
  for (let first = 0; first < count; first += 20) {
    const tries = networks.slice(first, first + 20).map((network) => tryPassword(username, WRONG, network))
    for (const { code } of await Promise.all(tries)) if (code === 'credentials_refused') looked++
  }
  return looked
}

/** All of these spellings match the account `owner`. */
const SPELLINGS = [
  'owner',
  'OWNER',
  'Owner',
  ' owner ',
  'оwner',
  'ownеr',
  'оwnеr',
  'οwner',
  'ｏｗｎｅｒ',
  'ＯＷＮＥＲ',
  'Ｏwner',
  'oԝner',
  'owΝer',
  'оԝnеr',
  EMAIL,
  'Owner@Example.COM',
  ' owner@example.com',
  'ｏwner@example.com',
]

test('guesses at one account share one counter, however its name is spelled', async () => {
  const looked: string[] = []
  for (const name of SPELLINGS) {
    const { code } = await tryPassword(name, WRONG, strange(1))
    if (code === 'credentials_refused') looked.push(name)
  }
  expect(looked).toHaveLength(5)
  for (const name of SPELLINGS)
    expect(await tryPassword(name, PASSWORD, strange(1))).toMatchObject({ status: 429 })
  house.clock.advance(1000)
  expect((await tryPassword('оwner', PASSWORD, strange(1))).code).toBe('welcome')
})

test('five guesses from a network are free, then the wait doubles with each guess, up to a minute', async () => {
  const waits: number[] = []
  for (let guess = 0; guess < 13; guess++) {
    const first = await tryPassword('owner', WRONG, strange(1))
    house.clock.advance(first.retryAfter * 1000)
    if (first.status !== 429) waits.push(0)
    else {
      waits.push(first.retryAfter)
      expect((await tryPassword('owner', WRONG, strange(1))).code).toBe('credentials_refused')
    }
  }
  expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60])
  expect((await tryPassword('owner', WRONG, strange(2))).code).toBe('credentials_refused')
})

test('an IPv6 /64 counts as one network', async () => {
  const outcomes: string[] = []
  for (let host = 1; host <= 8; host++)
    outcomes.push((await tryPassword('owner', WRONG, `2001:db8:1:2:${host}::${host}`)).code)
  expect(outcomes.filter((code) => code === 'credentials_refused')).toHaveLength(5)
  expect((await tryPassword('owner', WRONG, '2001:db8:1:3::1')).code).toBe('credentials_refused')
})

test('unknown networks share a hundred guesses a day at an account, and the owner can still sign in from a known network', async () => {
  expect(await strangersGuess('owner', 130)).toBe(100)
  const refused = await tryPassword('owner', WRONG, '192.0.2.200')
  expect(refused).toMatchObject({ status: 429, code: 'password_guesses_used_up_reset' })
  expect(refused.retryAfter).toBeGreaterThan(3600)
  // Once the daily guesses are used up, even the right password is refused from an unknown network.
  expect((await tryPassword('owner', PASSWORD, '192.0.2.200')).status).toBe(429)

  expect((await tryPassword('owner', PASSWORD, HOME)).code).toBe('welcome')
  await owner.call(routes.account.prove, { body: { password: PASSWORD } })
  owner.from('192.0.2.9')
  await owner.call(routes.account.prove, { body: { password: PASSWORD } })
  const body = { password: 'another-pass-2', original_password: PASSWORD }
  await owner.call(routes.user.updateSelf, { body })

  house.clock.advance(25 * 3_600_000)
  expect((await tryPassword('owner', 'another-pass-2', '192.0.2.201')).code).toBe('welcome')
})

test('failures on a known network slow down that network only and do not count against the daily guesses of unknown networks', async () => {
  for (let guess = 0; guess < 5; guess++) await tryPassword('owner', WRONG, HOME)
  expect(await tryPassword('owner', PASSWORD, HOME)).toMatchObject({ status: 429, retryAfter: 1 })
  expect((await tryPassword('owner', PASSWORD, strange(1))).code).toBe('welcome')
  house.clock.advance(1000)
  expect((await tryPassword('owner', PASSWORD, HOME)).code).toBe('welcome')
  // A successful sign-in resets the counter.
  for (let guess = 0; guess < 4; guess++) await tryPassword('owner', WRONG, HOME)
  expect((await tryPassword('owner', PASSWORD, HOME)).code).toBe('welcome')
})

test('a signed-in user who confirms or changes the password is slowed by the same limits', async () => {
  owner.from(strange(7))
  const wrong = () => owner.call(routes.account.prove, { body: { password: WRONG } })
  for (let guess = 0; guess < 5; guess++)
    await expect(wrong()).rejects.toMatchObject({ code: 'password_wrong' })
  await expect(wrong()).rejects.toMatchObject({ status: 429 })
  const body = { password: 'another-pass-2', original_password: PASSWORD }
  await expect(owner.call(routes.user.updateSelf, { body })).rejects.toMatchObject({ status: 429 })
})

test('a reset link by mail reopens an account whose guesses are used up, only for the network that used the link', async () => {
  await strangersGuess('owner', 100)
  const away = new Traveller(house.gateway.address).from('192.0.2.50')
  const signIn = (password: string) => away.signIn({ username: 'owner', password })
  await expect(signIn(PASSWORD)).rejects.toThrow('Forgot password')
  await away.call(routes.mail.sendResetLink, { query: { email: EMAIL } })
  const { text } = await vi.waitUntil(() => house.mailbox.mails.shift(), { timeout: 10_000 })
  const token = new URL(/https:\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? ''
  await away.call(routes.mail.resetPassword, { body: { email: EMAIL, token, password: 'another-pass-2' } })
  await signIn('another-pass-2')
  await expect(tryPassword('owner', 'another-pass-2', '192.0.2.51')).resolves.toMatchObject({ status: 429 })
})

test('without a mail server the refusal says in how many minutes the account can sign in again', async () => {
  await house.set('SMTPServer', '')
  await strangersGuess('owner', 100)
  const away = new Traveller(house.gateway.address).from('192.0.2.50')
  await expect(away.signIn({ username: 'owner', password: PASSWORD })).rejects.toMatchObject({
    code: 'password_guesses_used_up',
    message: expect.stringMatching(/try again in \d+ minutes$/),
  })
})

async function answersTo(username: string): Promise<Outcome[]> {
  const own: Outcome[] = []
  for (let guess = 0; guess < 7; guess++) own.push(await tryPassword(username, WRONG, strange(999)))
  await strangersGuess(username, 100)
  own.push(await tryPassword(username, WRONG, '192.0.2.77'))
  return own
}

test('guesses at an unknown account name get the same responses as guesses at an existing one', async () => {
  const [known, unknown] = [await answersTo('owner'), await answersTo('nobody')]
  expect(unknown).toEqual(known)
  expect(unknown.at(-1)?.status).toBe(429)
})

test('known networks are stored as keyed hashes and expire ninety days after the last sign-in', async () => {
  const { db } = house.gateway.server.store
  const rows = await db.selectFrom('known_networks').selectAll().where('user_id', '=', owner.id).execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(HOME)
  expect(rows[0]?.network_hash).toMatch(/^[0-9a-f]{64}$/)
  await db.deleteFrom('sessions').where('user_id', '=', owner.id).execute()
  house.clock.advance(89 * 86_400_000)
  await strangersGuess('owner', 100)
  expect((await tryPassword('owner', PASSWORD, HOME)).code).toBe('welcome')
  await db.deleteFrom('sessions').where('user_id', '=', owner.id).execute()
  house.clock.advance(91 * 86_400_000)
  await strangersGuess('owner', 100)
  expect((await tryPassword('owner', PASSWORD, HOME)).status).toBe(429)
})
