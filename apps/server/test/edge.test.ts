import { routes } from '@tollgate/contract/routes'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request as rawRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StoreError } from '@tollgate/store/database/errors'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { ROOT, type TestServer, startTestServer } from './harness.ts'

let gateway: TestServer
let consolePath: string
beforeAll(async () => {
  consolePath = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
  await writeFile(join(consolePath, 'index.html'), '<!doctype html><title>Console</title>')
  gateway = await startTestServer({ consolePath, environment: { METRICS_TOKEN: 'a token for metrics' } })
})
afterAll(async () => {
  await gateway.close()
  await rm(consolePath, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) => gateway.root.fetch(path, { headers })

const login = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
  gateway.visitor().fetch('/api/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })

const change = (headers: Record<string, string>) =>
  gateway.root.fetch('/api/option', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ key: 'SystemName', value: 'Changed' }),
  })
const setChats = (chats: readonly object[]) =>
  gateway.root.call(routes.option.update, { body: { key: 'Chats', value: JSON.stringify(chats) } })
const framePolicy = async () => {
  const { headers } = await get('/')
  return /frame-src [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0]
}
const systemName = async () => (await gateway.root.call(routes.status.read)).system_name

const loginsFromThreeAddresses = async (server: TestServer) => {
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${i}` }
    const init = { method: 'POST', headers, body: '{"username":"a","password":"b"}' }
    statuses.push((await server.visitor().fetch('/api/user/login', init)).status)
  }
  return statuses
}

describe('paths', () => {
  test.each(['/api/status', '/api/status/', '//api//status'])(
    '%s is answered without a redirect',
    async (path) => {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ success: true, message: '' })
    },
  )

  test.each([
    ['GET', '/api/nope'],
    ['POST', '/api/status'],
    ['PUT', '/api/user/login'],
    ['GET', '/assets/nope.js'],
    ['GET', '/assets/%00.js'],
    ['GET', '/index.html%00'],
    ['GET', '/api/%zz'],
    ['HEAD', '/api/status'],
  ])('%s %s is 404 with cache-control no-store', async (method, path) => {
    const response = await gateway.root.fetch(path, { method })
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
    if (method === 'HEAD') return
    expect(await response.json()).toEqual({
      error: {
        message: `Invalid URL (${method} ${path})`,
        type: 'invalid_request_error',
        param: '',
        code: '',
      },
    })
  })

  test.each(['/assets/../../package.json', '/x/%2e%2e/%2e%2e/package.json', '//elsewhere.example/x'])(
    '%s, which browsers never send, is 404 instead of an internal error',
    async (path) => {
      const { hostname, port } = new URL(gateway.address)
      const socket = connect(Number(port), hostname)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
      const answer = await text(socket)
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expect(answer).toContain('Invalid URL')
    },
  )

  test('every response has a request id, and API responses are not cached', async () => {
    const [one, two] = await Promise.all([get('/api/status'), get('/healthz')])
    expect(one.headers.get('x-oneapi-request-id')).toMatch(/^\d{17}\w{8}$/)
    expect(two.headers.get('x-oneapi-request-id')).not.toBe(one.headers.get('x-oneapi-request-id'))
    expect(one.headers.get('cache-control')).toBe('no-store')
  })

  test('health, readiness, metrics with their token, the OpenAPI document and its page are served', async () => {
    for (const path of ['/healthz', '/livez', '/health/liveliness'])
      expect(await (await get(path)).json()).toEqual({ status: 'ok' })
    for (const path of ['/readyz', '/health/readiness'])
      expect(await (await get(path)).json()).toEqual({ status: 'ready' })
    expect((await get('/metrics')).status).toBe(401)
    const metrics = await get('/metrics', { authorization: 'Bearer a token for metrics' })
    const figures = await metrics.text()
    expect(figures).toContain('tollgate_ledger_writable 1')
    expect(figures).toContain('tollgate_tasks_open 0')
    for (const path of ['/openapi.json', '/docs/json']) {
      const document = await get(path)
      expect(document.headers.get('content-type')).toMatch(/^application\/json/)
      expect(await document.json()).toMatchObject({ openapi: '3.1.0' })
    }
    expect(await (await get('/docs')).text()).toContain('/docs/static/swagger-ui.css')
    expect((await get('/docs/static/swagger-ui.css')).status).toBe(200)
  })

  test('pages forbid inline scripts, MIME sniffing and framing by other sites', async () => {
    const { headers } = await get('/docs')
    const policy = headers.get('content-security-policy') ?? ''
    expect(/script-src [^;]*/.exec(policy)?.[0]).toBe("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('pages may frame the configured chat links over plain HTTP, and no other site over HTTP', async () => {
    const chats = [
      { Office: 'http://chat.lan:3210/#/?key={key}' },
      { Cloud: 'https://chat.example/{key}' },
      { App: 'cherry://x' },
    ]
    await setChats(chats)
    const framed = await framePolicy()
    await setChats([])
    expect([framed, await framePolicy()]).toEqual([
      "frame-src 'self' https: http://chat.lan:3210",
      "frame-src 'self' https:",
    ])
  })

  test('responses are compressed when the client accepts it', async () => {
    const response = await get('/api/status', { 'accept-encoding': 'gzip' })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toMatchObject({ success: true })
  })
})

describe('upgrade requests', () => {
  test('a WebSocket at /v1/realtime is opened, gets an error event and is closed', async () => {
    const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}/v1/realtime?model=m`)
    const [data] = await once(socket, 'message')
    expect(JSON.parse(String(data))).toMatchObject({ type: 'error', error: { code: 'token_missing' } })
    await once(socket, 'close')
  })

  test('a WebSocket at another path is refused with 404', async () => {
    const socket = new WebSocket(`${gateway.address.replace('http', 'ws')}/api/status`)
    const [error] = await once(socket, 'error')
    expect(String(error)).toContain('404')
  })

  test('a request that offers HTTP/2 gets an ordinary response', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': '' }
    const request = rawRequest(`${gateway.address}/api/status`, { headers, agent: false })
    request.end()
    const answered = once(request, 'response')
    const [response]: IncomingMessage[] = await answered
    expect(response?.statusCode).toBe(200)
    response?.resume()
  })
})

describe('bodies', () => {
  test.each<[string, string, Record<string, string>, number, string]>([
    ['broken JSON', '{"username":', {}, 200, 'not valid JSON'],
    ['too deep JSON', '['.repeat(65) + ']'.repeat(65), {}, 400, 'nested'],
    [
      'another type',
      'username=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'application/json',
    ],
    ['a compressed body', '{}', { 'content-encoding': 'gzip' }, 415, 'uncompressed'],
    ['over the cap', JSON.stringify({ username: 'x'.repeat(70_000) }), {}, 413, 'larger'],
    ['a wrong type of a field', '{"username":1,"password":"x"}', {}, 200, 'username'],
    [
      'a NUL in a text',
      '{"username":"a\\u0000","password":"x"}',
      {},
      200,
      'username: control characters are not allowed',
    ],
  ])('%s is refused with a readable message', async (_name, body, headers, status, words) => {
    const response = await login(body, headers)
    expect(response.status).toBe(status)
    const answer = await response.json()
    expect(answer).toMatchObject({ success: false })
    expect(JSON.stringify(answer)).toContain(words)
  })

  test('error messages follow the language of the caller', async () => {
    const response = await login('{', { 'accept-language': 'zh-CN,zh;q=0.9' })
    expect(await response.json()).toEqual({ success: false, message: '无效的参数', code: 'body_not_json' })
  })

  test.each([
    ['/api/user/register', 'POST', 200, { success: false, message: '无效的参数' }],
    ['/api/user/login', 'POST', 200, { success: false, message: '无效的参数' }],
    ['/api/user/pay', 'POST', 200, { message: 'error', data: '无效的参数' }],
    ['/api/user/amount', 'POST', 200, { message: 'error', data: '无效的参数' }],
    ['/api/option/', 'PUT', 400, { success: false, message: '无效的参数' }],
    ['/api/channel/fetch_models', 'POST', 400, { success: false, message: '无效的参数' }],
    ['/api/token/', 'POST', 200, { success: false, message: '无效的参数' }],
  ] as const)(
    'a body that is not JSON gets an error at %s in the form that clients written for new-api expect',
    async (path, method, status, reported) => {
      const headers = { 'content-type': 'application/json', 'accept-language': 'zh-CN' }
      const response = await gateway.root.fetch(path, { method, headers, body: '{nope' })
      expect(response.status).toBe(status)
      expect(await response.json()).toEqual({ ...reported, code: 'body_not_json' })
    },
  )

  test('the playground refuses an access token with the error code of new-api', async () => {
    const token = await gateway.root.call(routes.user.resetAccessToken)
    const headers = {
      authorization: `Bearer ${token}`,
      'tollgate-user': String(gateway.root.id),
      'content-type': 'application/json',
    }
    const where = `${gateway.address}/pg/chat/completions`
    const response = await fetch(where, { method: 'POST', headers, body: '{}' })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'access_token_not_supported' } },
    ])
  })

  test.each([
    ['/api/option/', 'PUT', { key: 'RetryTimes', value: {} }],
    ['/api/channel/fetch_models', 'POST', { base_url: 5 }],
  ] as const)('a member of a wrong type is refused with 400 at %s', async (path, method, body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await gateway.root.fetch(path, { method, headers, body: JSON.stringify(body) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, code: 'input_invalid' })
  })

  test('headers and URLs over 16 KiB are refused', async () => {
    expect((await get('/api/status', { 'x-long': 'x'.repeat(17_000) })).status).toBe(431)
    expect((await get(`/api/status?${'x'.repeat(17_000)}`)).status).toBe(431)
  })
})

describe('changes from other sites', () => {
  test.each<[string, Record<string, string>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['a hidden origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('%s changes nothing', async (_name, headers) => {
    expect((await change(headers)).status).toBe(403)
    expect(await systemName()).toBe('Tollgate')
  })

  test('a change without the user header, or with that of another user, is refused', async () => {
    expect((await change({ 'Tollgate-User': '999' })).status).toBe(401)
    const response = await fetch(`${gateway.address}/api/option`, {
      method: 'PUT',
      headers: { cookie: gateway.root.cookie, origin: gateway.address, 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'SystemName', value: 'Changed' }),
    })
    expect(response.status).toBe(401)
    expect(await systemName()).toBe('Tollgate')
  })

  test('GET requests that change state are refused from another site too', async () => {
    const elsewhere = { origin: 'https://evil.example' }
    expect((await get('/api/user/token', elsewhere)).status).toBe(403)
    expect((await get('/api/user/logout', elsewhere)).status).toBe(403)
    expect((await get('/api/user/self')).status).toBe(200)
  })

  test('no response allows another origin', async () => {
    const response = await get('/api/status', { origin: 'https://evil.example' })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('an unexpected error is reported to the client only by its id', async () => {
  const broken = await startTestServer({ isInMemory: true })
  await broken.server.store.db.schema.dropTable('options').execute()
  const update = await broken.root.fetch('/api/option', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: 'SystemName', value: 'x' }),
  })
  expect(update.status).toBe(500)
  const id = update.headers.get('x-oneapi-request-id')
  expect(await update.json()).toEqual({
    success: false,
    message: `Internal error (error id: ${id})`,
    code: 'bug_reported',
  })
  await broken.close()
})

test.each([
  ['unreachable', 503, 'database_unreachable'],
  ['busy', 503, 'database_unreachable'],
  ['bug', 500, 'bug_reported'],
  ['constraint', 500, 'bug_reported'],
] as const)('a store error of kind %s answers %i %s', async (kind, status, code) => {
  const broken = await startTestServer({ isInMemory: true })
  vi.spyOn(broken.server.store.db, 'selectFrom').mockImplementation(() => {
    throw new StoreError(kind, 'the database went away')
  })
  const answer = await broken.root.fetch('/api/token')
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({
    status,
    body: { success: false, code },
  })
  vi.restoreAllMocks()
  await broken.close()
})

describe('rate limits', () => {
  test('the /api limit counts by address and sends Retry-After', async () => {
    const small = await startTestServer({
      isInMemory: true,
      environment: { GLOBAL_API_RATE_LIMIT: '5', CRITICAL_RATE_LIMIT: '100' },
    })
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) statuses.push((await small.visitor().fetch('/api/status')).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429])
    const refused = await small.visitor().fetch('/api/status')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ success: false })
    expect((await small.visitor().fetch('/healthz')).status).toBe(200)
    await small.close()
  })

  test('Unlike new-api: a forged X-Forwarded-For is ignored without a trusted proxy', async () => {
    const environment = { CRITICAL_RATE_LIMIT: '3' }
    const direct = await startTestServer({ isInMemory: true, environment })
    expect(await loginsFromThreeAddresses(direct)).toEqual([200, 429, 429])
    await direct.close()
    const proxied = await startTestServer({
      isInMemory: true,
      environment: { ...environment, TRUSTED_PROXIES: '127.0.0.1' },
    })
    expect(await loginsFromThreeAddresses(proxied)).toEqual([200, 200, 200])
    await proxied.close()
  })
})

describe('stopping', () => {
  const environment = { DRAIN_SECONDS: '3600' }

  test('a request whose body is still arriving is completed, and new connections are refused', async () => {
    const own = await startTestServer({ isInMemory: true, environment })
    const body = JSON.stringify(ROOT)
    const request = rawRequest(`${own.address}/api/user/login`, {
      method: 'POST',
      agent: new Agent({ keepAlive: true }),
      headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
    })
    request.flushHeaders()
    await once(request, 'continue')
    const stopped = own.server.close()
    await expect(fetch(`${own.address}/healthz`)).rejects.toThrow('fetch failed')
    request.end(body)
    const [response]: IncomingMessage[] = await once(request, 'response')
    expect(response?.statusCode).toBe(200)
    response?.resume()
    await stopped
  })

  test('idle connections do not delay a stop', async () => {
    const own = await startTestServer({ isInMemory: true, environment })
    const silent = connect(Number(new URL(own.address).port), '127.0.0.1')
    await once(silent, 'connect')
    await own.visitor().fetch('/healthz')
    await own.server.close()
    silent.destroy()
  })
})
