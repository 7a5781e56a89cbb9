import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestServer, startTestServer } from '../harness.ts'
import { answerWith, openScriptedUpstream, type ScriptedUpstream } from '../relay/upstream.ts'
import { type OldConsole, newOldConsole } from './old-console.ts'

let gateway: TestServer
let upstream: ScriptedUpstream
let owner: OldConsole
let id: number
let key: string

beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  upstream = await openScriptedUpstream(answerWith())
  await gateway.root.call(routes.option.update, { body: { key: 'QuotaForNewUser', value: 50_000_000 } })
  const body = {
    type: 1,
    name: 'secret channel',
    key: 'sk-0123456789',
    models: 'gpt-4o-mini',
    base_url: upstream.url,
  }
  await gateway.root.call(routes.channel.create, { body })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

beforeEach(async () => {
  owner = await newOldConsole(gateway)
  const body = {
    name: 'shared',
    remain_quota: 1_000_000,
    model_limits_enabled: true,
    model_limits: 'gpt-4o-mini',
  }
  ;({ id, key } = await owner.call(routes.token.create, { body }))
})

const bearer = (text = `sk-${key}`) => ({ authorization: `Bearer ${text}` })

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(gateway.address + path, { headers })
  const body: unknown = await response.json()
  return { status: response.status, origin: response.headers.get('access-control-allow-origin'), body }
}

async function spend(): Promise<void> {
  const response = await fetch(`${gateway.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...bearer(), 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'secret words' }] }),
  })
  expect(response.status).toBe(200)
  await response.text()
}

/** The usage log is written after the response has been sent. */
async function logged(): Promise<void> {
  while ((await owner.call(routes.log.listOwn, { query: { type: 2 } })).items.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

const usagePaths = ['/api/usage/token/', '/api/usage/token']

describe.each(usagePaths)('%s', (path) => {
  test('an API key gets the remaining quota of its token, in the format of new-api', async () => {
    await spend()
    await logged()
    const { remain_quota: left, used_quota: used } = await owner.call(routes.token.get, { params: { id } })
    expect(used).toBeGreaterThan(0)
    expect(await get(path, bearer())).toEqual({
      status: 200,
      origin: '*',
      body: {
        code: true,
        message: 'ok',
        data: {
          object: 'token_usage',
          name: 'shared',
          total_granted: 1_000_000,
          total_used: used,
          total_available: left,
          unlimited_quota: false,
          model_limits: { 'gpt-4o-mini': true },
          model_limits_enabled: true,
          expires_at: 0,
        },
      },
    })
  })

  test.each([
    ['no key', () => ({}), 401],
    ['an unknown key', () => bearer(`sk-${'x'.repeat(48)}`), 401],
    ['a session', () => owner.headers(), 401],
  ])('%s is refused, and the error is readable from every origin', async (_name, headers, status) => {
    expect(await get(path, headers())).toMatchObject({
      status,
      origin: '*',
      body: { code: false, success: false, error: expect.stringContaining('token_') as unknown },
    })
  })

  test('CORS preflight requests are answered', async () => {
    const response = await fetch(gateway.address + path, { method: 'OPTIONS' })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-allow-headers')).toContain('authorization')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  })
})

test('an unlimited token does not show the balance of its owner', async () => {
  const { key: unlimited } = await owner.call(routes.token.create, {
    body: { name: 'free', unlimited_quota: true, expired_time: 4_000_000_000 },
  })
  expect((await get('/api/usage/token', bearer(unlimited))).body).toMatchObject({
    data: {
      total_granted: 0,
      total_used: 0,
      total_available: 0,
      unlimited_quota: true,
      model_limits: {},
      model_limits_enabled: false,
      expires_at: 4_000_000_000,
    },
  })
})

test('a used-up token still gets its figures', async () => {
  const { key: empty } = await owner.call(routes.token.create, { body: { name: 'empty' } })
  expect((await get('/api/usage/token', bearer(`sk-${empty}`))).body).toMatchObject({
    code: true,
    data: { total_available: 0, unlimited_quota: false },
  })
})

describe('the log of a token', () => {
  const asks: readonly [string, () => [string, Record<string, string>?]][] = [
    ['by the header', () => ['/api/log/token', bearer()]],
    ['by the header without sk-', () => ['/api/log/token/', bearer(key)]],
    ['by the parameter of old tools', () => [`/api/log/token?key=sk-${key}`]],
    ['by the parameter without sk-', () => [`/api/log/token?key=${key}`]],
  ]

  test.each(asks)('the log can be read with a key %s only, from every origin', async (_name, ask) => {
    await spend()
    await logged()
    const { status, origin, body } = await get(...ask())
    expect({ status, origin }).toEqual({ status: 200, origin: '*' })
    expect(body).toMatchObject({
      success: true,
      data: [
        {
          token_id: id,
          token_name: 'shared',
          model_name: 'gpt-4o-mini',
          channel: 0,
          channel_name: '',
          ip: '',
        },
      ],
    })
    expect(JSON.stringify(body)).not.toMatch(/secret|admin_info/)
  })

  test('a key in the header takes precedence: a wrong one is refused whatever the parameter is', async () => {
    expect(await get(`/api/log/token?key=${key}`, bearer('sk-wrong'))).toMatchObject({
      status: 401,
      origin: '*',
      body: { success: false, code: 'token_invalid' },
    })
  })

  test('the log of a token id is returned to a session of its owner only', async () => {
    await spend()
    await logged()
    expect(await owner.json('GET', `/api/log/token?token_id=${id}`)).toMatchObject({
      data: [{ token_id: id }],
    })
    const stranger = await newOldConsole(gateway)
    expect(await stranger.json('GET', `/api/log/token?token_id=${id}`)).toMatchObject({
      success: true,
      data: [],
    })
    const { 'Veloera-User': _named, ...anonymous } = owner.headers()
    expect(await get(`/api/log/token?token_id=${id}`, anonymous)).toMatchObject({
      status: 401,
      body: { code: 'not_signed_in' },
    })
    const wrong = { ...owner.headers(), 'Veloera-User': '1' }
    expect(await get(`/api/log/token?token_id=${id}`, wrong)).toMatchObject({
      body: { code: 'user_header_mismatch' },
    })
    const authorization = await owner.call(routes.user.resetAccessToken)
    expect(await get(`/api/log/token?key=${key}`, { authorization })).toMatchObject({
      body: { data: [{ token_id: id }] },
    })
  })
})

describe.each(['/api/log/token', '/api/usage/token'])('access to %s', (path) => {
  test('a disabled token, an address that is not allowed and a banned user are refused', async () => {
    const restricted = { body: { name: 'elsewhere', allow_ips: '203.0.113.7' } }
    const elsewhere = await owner.call(routes.token.create, restricted)
    expect(await get(path, bearer(elsewhere.key))).toMatchObject({ status: 403, body: { success: false } })
    await owner.call(routes.token.update, { body: { id, status: 2 }, query: { status_only: 'true' } })
    expect(await get(path, bearer())).toMatchObject({ status: 401, body: { success: false } })
    await owner.call(routes.token.update, { body: { id, status: 1 }, query: { status_only: 'true' } })
    expect(await get(path, bearer())).toMatchObject({ status: 200 })
    await gateway.root.call(routes.adminUser.manage, { body: { id: owner.id, action: 'disable' } })
    expect(await get(path, bearer())).toMatchObject({ status: 403, body: { success: false } })
  })
})

test('requests with wrong keys are rate-limited, and those with valid keys are not', async () => {
  const own = await startTestServer({ isInMemory: true })
  try {
    const person = await own.user()
    const token = await person.call(routes.token.create, { body: { name: 'right' } })
    const ask = async (text: string) =>
      (await fetch(`${own.address}/api/usage/token`, { headers: { authorization: `Bearer ${text}` } })).status
    for (let guess = 0; guess < 60; guess++) expect(await ask(`sk-wrong${guess}`)).toBe(401)
    expect(await ask('sk-wrong')).toBe(429)
    expect(await ask(token.key)).toBe(200)
  } finally {
    await own.close()
  }
})
