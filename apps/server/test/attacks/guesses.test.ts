import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { usernameKey } from '@tollgate/store/accounts/user-normalization'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { PASSWORD, type TestServer, Visitor, startTestServer } from '../harness.ts'
import { chosen, reportAttacks } from './index.ts'

const NAME = 'operators'
const HOME = '203.0.113.7'
/**
 * `FREE`: guesses of one network without a wait. `STRANGE_DAY`: guesses a day of all networks unknown to the
 * account together.
 */
const FREE = 5
const STRANGE_DAY = 100

const answerSchema = z.object({ success: z.boolean(), code: z.string().optional() })

let gateway: TestServer
let count = 0
beforeAll(async () => {
  gateway = await startTestServer({
    isInMemory: true,
    // The clock stands still, so that no wait ends while the guesses are made.
    clock: new ManualClock(),
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  })
})
afterAll(async () => {
  reportAttacks({ kind: 'guesses', count })
  await gateway.close()
})

/** A user who has signed in from a home network before. */
class Owner extends Visitor {
  override headers(): Record<string, string> {
    return { ...super.headers(), 'x-forwarded-for': HOME }
  }
}

async function newOwner(username: string): Promise<Owner> {
  const owner = new Owner(gateway.address)
  await owner.call(routes.session.register, { body: { username, password: PASSWORD } })
  await owner.signIn({ username, password: PASSWORD })
  return owner
}

async function guess(username: string, network: string): Promise<string> {
  count++
  const response = await fetch(`${gateway.address}/api/user/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: gateway.address,
      'x-forwarded-for': network,
    },
    body: JSON.stringify({ username, password: 'not-the-password' }),
  })
  const { success, code = '' } = answerSchema.parse(await response.json())
  return success ? 'welcome' : code
}

/** Counts the guesses that were really compared with the password. */
async function looked(guesses: readonly Promise<string>[]): Promise<number> {
  return (await Promise.all(guesses)).filter((code) => code === 'credentials_refused').length
}

const SUBSTITUTES: Readonly<Record<string, readonly string[]>> = {
  o: ['O', 'о', 'О', 'ο', 'Ο', 'ｏ', 'Ｏ'],
  p: ['P', 'р', 'Р', 'ρ', 'Ρ', 'ｐ', 'Ｐ'],
  e: ['E', 'е', 'Е', 'ｅ', 'Ｅ'],
  r: ['R', 'ｒ', 'Ｒ'],
  a: ['A', 'а', 'А', 'α', 'Α', 'ａ', 'Ａ'],
  t: ['T', 'т', 'Т', 'τ', 'Τ', 'ｔ', 'Ｔ'],
  s: ['S', 'ѕ', 'Ѕ', 'ｓ', 'Ｓ'],
}

/**
 * Spellings that fold to the same name: one or two letters replaced by equivalents, and blanks around the
 * name.
 */
function spellingsOf(name: string): readonly string[] {
  const singles = Array.from(name).flatMap((letter, place) =>
    (SUBSTITUTES[letter] ?? []).map((other) => name.slice(0, place) + other + name.slice(place + 1)),
  )
  const doubles = singles.flatMap((one) => (SUBSTITUTES['s'] ?? []).map((last) => one.slice(0, -1) + last))
  return [...new Set([name, ` ${name}`, `${name}\t`, name.toUpperCase(), ...singles, ...doubles])]
}

test('no spelling of an account name allows more guesses', async () => {
  const owner = await newOwner(NAME)
  const spellings = spellingsOf(NAME)
  expect(new Set(spellings.map((one) => usernameKey(one.trim())))).toEqual(new Set([NAME]))
  const tried = chosen(spellings)
  expect(await looked(tried.map((name) => guess(name, '192.0.2.1')))).toBe(FREE)
  await owner.signIn({ username: NAME, password: PASSWORD })
})

test('no address within one network allows more guesses', async () => {
  await newOwner('network')
  const mapped = ['192.0.2.9', '::ffff:192.0.2.9', '::FFFF:192.0.2.9', '192.0.2.9:1234', '192.0.2.9:99']
  const within = Array.from({ length: 60 }, (_, host) => `2001:db8:7:7:${host.toString(16)}::${host}`)
  const spelled = ['2001:DB8:7:7::1', '2001:0db8:0007:0007::1', '[2001:db8:7:7::2]:443']
  expect(await looked(mapped.map((address) => guess('network', address)))).toBe(FREE)
  expect(await guess('network', '192.0.2.9')).toBe('too_many_requests')
  const tried = chosen([...within, ...spelled])
  expect(await looked(tried.map((address) => guess('network', address)))).toBe(FREE)
})

test('all unknown networks together get a hundred guesses a day, and the owner can still sign in', async () => {
  const owner = await newOwner('besieged')
  // The home network stays known after signing out.
  await owner.call(routes.session.logout)
  const networks = Array.from({ length: 160 }, (_, index) => `198.51.100.${index}`)
  let compared = 0
  for (let first = 0; first < networks.length; first += 40)
    compared += await looked(networks.slice(first, first + 40).map((network) => guess('besieged', network)))
  expect(compared).toBe(STRANGE_DAY)
  expect(await guess('besieged', '198.51.100.200')).toBe('password_guesses_used_up')
  await owner.signIn({ username: 'besieged', password: PASSWORD })
  await owner.call(routes.account.prove, { body: { password: PASSWORD } })
})
