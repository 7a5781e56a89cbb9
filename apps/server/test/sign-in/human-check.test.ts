import type { HumanAction } from '@tollgate/contract/human-check'
import { routes } from '@tollgate/contract/routes'
import { randomToken } from '@tollgate/kit/ids'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD, ROOT, type TestServer, startTestServer } from '../harness.ts'
import { type Asked, type Counterpart, type ServerAnswer, answering } from './counterpart.ts'
import { addressesWith, countUsers, setOptions } from './sign-in-harness.ts'

const SECRET = 'canary-turnstile-secret'

/** A lenient human-check service: it accepts any token it knows, any number of times. */
let service: Counterpart
let gateway: TestServer
let broken: ServerAnswer | undefined
const solved = new Map<string, Record<string, unknown>>()
const asked: Asked[] = []

beforeAll(async () => {
  service = await answering((ask) => {
    asked.push(ask)
    if (broken) return broken
    const verdict = solved.get(ask.form.get('response') ?? '')
    const isOurs = ask.form.get('secret') === SECRET
    return {
      body: verdict && isOurs ? { success: true, ...verdict } : { success: false, 'error-codes': ['bad'] },
    }
  })
  gateway = await startTestServer({
    providers: addressesWith({ turnstile: `${service.address}/siteverify` }),
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  })
  await setOptions(gateway, {
    ServerAddress: gateway.address,
    TurnstileSiteKey: 'site-key',
    TurnstileSecretKey: SECRET,
    TurnstileCheckEnabled: 'true',
  })
})
afterAll(async () => {
  await gateway.close()
  await service.close()
})
beforeEach(() => {
  broken = undefined
  asked.length = 0
})

/** A solved widget for an action, on the gateway's own host unless `fields` says otherwise. */
function solve(action: HumanAction | '', fields: Record<string, unknown> = {}): string {
  const token = randomToken()
  solved.set(token, { hostname: '127.0.0.1', action, ...fields })
  return token
}

const signIn = (turnstile: string) =>
  gateway.visitor().call(routes.session.login, { query: { turnstile }, body: ROOT })

test('the status names the human check and its public key only', async () => {
  const status = await gateway.visitor().call(routes.status.read)
  expect(status).toMatchObject({ turnstile_check: true, turnstile_site_key: 'site-key' })
  expect(JSON.stringify(status)).not.toContain(SECRET)
  const policy = (await gateway.visitor().fetch('/')).headers.get('content-security-policy')
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
})

test('a solved widget allows one sign-in, and the service gets the address of the visitor', async () => {
  const token = solve('login')
  await signIn(token)
  const [ask] = asked
  expect(ask?.method).toBe('POST')
  expect(Object.fromEntries(ask?.form ?? [])).toEqual({
    secret: SECRET,
    response: token,
    remoteip: '127.0.0.1',
  })
})

describe('a human-check token', () => {
  test('a token is valid for one call, although the service would accept it again', async () => {
    const token = solve('login')
    await signIn(token)
    await expect(signIn(token)).rejects.toThrow('The human check failed')
  })

  test('a token is valid for one of several concurrent calls', async () => {
    const token = solve('login')
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => signIn(token)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('a passed check is not remembered for the browser', async () => {
    const who = gateway.visitor()
    await who.call(routes.session.login, { query: { turnstile: solve('login') }, body: ROOT })
    await expect(who.call(routes.session.login, { body: ROOT })).rejects.toThrow('has not finished')
  })

  test('a token for one action is refused for another', async () => {
    await expect(signIn(solve('register'))).rejects.toThrow('The human check failed')
  })

  test('a token of another site is refused', async () => {
    await expect(signIn(solve('login', { hostname: 'evil.example' }))).rejects.toThrow(
      'The human check failed',
    )
  })

  test.each<[string, Record<string, unknown>]>([
    ['no action', { action: undefined }],
    ['an empty action', { action: '' }],
    ['no host', { hostname: undefined }],
    ['an empty host', { hostname: '' }],
    ['neither', { hostname: undefined, action: undefined }],
    ['a host that only begins like ours', { hostname: '127.0.0.1.evil.example' }],
  ])('a profile whose answer names %s signs nobody in', async (_name, fields) => {
    await expect(signIn(solve('login', fields))).rejects.toThrow('The human check failed')
  })

  test('while no public address is set, the token must be for the requested host', async () => {
    await setOptions(gateway, { ServerAddress: '' })
    await signIn(solve('login'))
    await expect(signIn(solve('login', { hostname: 'evil.example' }))).rejects.toThrow('failed')
    await expect(signIn(solve('login', { hostname: undefined }))).rejects.toThrow('failed')
    await setOptions(gateway, { ServerAddress: gateway.address })
  })
})

describe('sign-ins that fail the human check', () => {
  test('a sign-in without a token is refused without calling the service', async () => {
    await expect(signIn('')).rejects.toThrow('The human check has not finished')
    expect(asked).toHaveLength(0)
  })

  test('a sign-in with an invented token is refused', async () => {
    await expect(signIn('invented')).rejects.toThrow('The human check failed')
  })

  test.each<[string, ServerAnswer]>([
    ['breaks down', { status: 500, body: { success: true } }],
    ['answers nonsense', { body: { success: 'yes' } }],
    ['answers nothing', { body: null }],
  ])('sign-in is refused while the service %s', async (_name, reported) => {
    broken = reported
    await expect(signIn(solve('login'))).rejects.toThrow('The human check cannot be reached')
  })

  test('a sign-in is refused when the configured secret is wrong', async () => {
    await setOptions(gateway, { TurnstileSecretKey: 'another' })
    await expect(signIn(solve('login'))).rejects.toThrow('The human check failed')
    await setOptions(gateway, { TurnstileSecretKey: SECRET })
  })
})

test('registration checks the token before anything else', async () => {
  const users = await countUsers(gateway)
  const register = (turnstile: string) =>
    gateway.visitor().call(routes.session.register, {
      query: { turnstile },
      body: { username: 'human', password: PASSWORD },
    })
  await expect(register('')).rejects.toThrow('The human check has not finished')
  await expect(register(solve('login'))).rejects.toThrow('The human check failed')
  expect(await countUsers(gateway)).toBe(users)
  await register(solve('register'))
  expect(await countUsers(gateway)).toBe(users + 1)
})

test('when unknown networks have used up the guesses at an account, its owner can still sign in with a passed check', async () => {
  const { address } = gateway
  await gateway.visitor().call(routes.session.register, {
    query: { turnstile: solve('register') },
    body: { username: 'travels', password: PASSWORD },
  })
  const tryPassword = async (password: string, network: string) => {
    const response = await fetch(`${address}/api/user/login?turnstile=${solve('login')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: address, 'x-forwarded-for': network },
      body: JSON.stringify({ username: 'travels', password }),
    })
    return response.text()
  }
  for (let first = 0; first < 110; first += 22) {
    const networks = Array.from({ length: 22 }, (_, index) => `198.51.100.${first + index}`)
    await Promise.all(networks.map((network) => tryPassword('not-the-password', network)))
  }
  expect(await tryPassword(PASSWORD, '192.0.2.1')).toContain('"success":true')
})

test('a wrong password uses the token up too', async () => {
  const token = solve('login')
  const attempt = () =>
    gateway.visitor().call(routes.session.login, {
      query: { turnstile: token },
      body: { username: 'root', password: 'not the password' },
    })
  await expect(attempt()).rejects.toThrow('Username or password is wrong')
  await expect(attempt()).rejects.toThrow('The human check failed')
})

test('the human check cannot be switched on without both keys', async () => {
  await setOptions(gateway, { TurnstileCheckEnabled: 'false', TurnstileSecretKey: '' })
  await expect(setOptions(gateway, { TurnstileCheckEnabled: 'true' })).rejects.toThrow(
    'Fill in TurnstileSecretKey',
  )
  await gateway.visitor().signIn(ROOT)
})

test('the human check is off while one of its keys is missing, so that the operator is not locked out', async () => {
  await setOptions(gateway, { TurnstileSecretKey: SECRET })
  await setOptions(gateway, { TurnstileCheckEnabled: 'true' })
  await expect(gateway.visitor().signIn(ROOT)).rejects.toThrow('has not finished')
  await setOptions(gateway, { TurnstileSiteKey: '' })
  expect((await gateway.visitor().call(routes.status.read)).turnstile_check).toBe(false)
  await gateway.visitor().signIn(ROOT)
})
