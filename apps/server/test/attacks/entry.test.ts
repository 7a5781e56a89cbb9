import { request } from 'node:http'
import { routes } from '@tollgate/contract/routes'
import { ManualClock } from '@tollgate/kit/clock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, type TestServer, startTestServer } from '../harness.ts'
import { chosen, reportAttacks } from './index.ts'

/**
 * Attacks that need no account: the first-run setup, cookies planted by another site, and invalid API keys.
 */

const WRONG_KEYS = 60

let fresh: TestServer
let gateway: TestServer
let count = 0
beforeAll(async () => {
  fresh = await startTestServer({ isInMemory: true, skipsSetup: true })
  gateway = await startTestServer({
    isInMemory: true,
    clock: new ManualClock(),
    environment: { TRUSTED_PROXIES: '127.0.0.1' },
  })
})
afterAll(async () => {
  reportAttacks({ kind: 'entry', count })
  await fresh.close()
  await gateway.close()
})

type Headers = Readonly<Record<string, string>>

interface Sent {
  readonly address: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Headers
  readonly body?: unknown
}

/** Sends every header exactly as given, including `Host`. */
function send({ address, method, path, headers, body }: Sent): Promise<{ status: number; text: string }> {
  count++
  return new Promise((resolve, reject) => {
    const asked = request(address + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const HOSTS = [
  'gate.example',
  'GATE.EXAMPLE:3000',
  '192.168.0.10:3000',
  '10.0.0.1',
  '0.0.0.0:3000',
  'localhost.gate.example',
  '127.0.0.1.nip.io',
  'gate.localhost',
  'localhost@gate.example',
  '[::2]:3000',
  '[::ffff:192.0.2.1]',
]
const FORWARDING = [
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
  'x-client-ip',
  'forwarded',
  'via',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
]
const TOKENS = [undefined, '', ' ', 'null', 'undefined', '0'.repeat(32)]

test('a stranger cannot set up a fresh gateway', async () => {
  const places: readonly Headers[] = [
    ...HOSTS.map((host) => ({ host })),
    ...FORWARDING.map((name) => ({ host: 'localhost:3000', [name]: '127.0.0.1' })),
  ]
  const cases = places.flatMap((headers) => TOKENS.map((token) => ({ headers, token })))
  for (const { headers, token } of chosen(cases, 3)) {
    const body = {
      ...ROOT,
      confirmPassword: ROOT.password,
      ...(token !== undefined && { setup_token: token }),
    }
    const answer = await send({ address: fresh.address, method: 'POST', path: '/api/setup', headers, body })
    expect(answer.text, JSON.stringify({ headers, token })).toContain('setup_token_wrong')
  }
  expect((await fresh.root.call(routes.setup.read)).status).toBe(false)
})

test('a planted cookie beside the real one is ignored, in either order', async () => {
  const { cookie: own, id } = gateway.root
  const planted = [`session=${'p'.repeat(43)}`, 'session=', 'session', 'session=x=y', own]
  const mark = `sign_in=${'m'.repeat(43)}`
  const pairs = [
    ...planted.flatMap((other) => [`${own}; ${other}`, `${other}; ${own}`]),
    `${own}; ${mark}; ${mark}`,
  ]
  const paths = ['/api/user/self', '/api/status', '/api/token/', '/api/oauth/state']
  const cases = pairs.flatMap((cookie) => paths.map((path) => ({ cookie, path })))
  for (const { cookie, path } of chosen(cases)) {
    const headers = { cookie, 'tollgate-user': String(id), 'sec-fetch-site': 'same-origin' }
    const answer = await send({ address: gateway.address, method: 'GET', path, headers })
    expect(answer, JSON.stringify({ cookie, path })).toMatchObject({ status: 400 })
    expect(answer.text).toContain('cookie_repeated')
  }
})

test('wrong API keys are limited by address on every relay path, and a valid key passes', async () => {
  const made = await gateway.root.call(routes.token.create, { body: { name: 'own', unlimited_quota: true } })
  const paths: readonly Pick<Sent, 'method' | 'path'>[] = [
    { method: 'GET', path: '/v1/models' },
    { method: 'POST', path: '/v1/chat/completions' },
    { method: 'POST', path: '/v1/messages' },
    { method: 'POST', path: '/v1/responses' },
    { method: 'GET', path: '/v1/models/gpt-4o' },
    { method: 'GET', path: '/mj/task/1/fetch' },
    { method: 'POST', path: '/suno/submit/music' },
    { method: 'GET', path: '/v1/dashboard/billing/usage' },
  ]
  const show = (index: number, key: string) => {
    const headers = { 'x-forwarded-for': '192.0.2.1', authorization: `Bearer ${key}` }
    const { method, path } = paths[index % paths.length] ?? { method: 'GET', path: '/v1/models' }
    return send({ address: gateway.address, method, path, headers, ...(method === 'POST' && { body: {} }) })
  }
  const guesses = Array.from({ length: WRONG_KEYS + 40 }, (_, index) => show(index, `sk-wrong${index}`))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(WRONG_KEYS)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  for (let call = 0; call < 5; call++) expect((await show(0, `sk-${made.key}`)).status).toBe(200)
})
