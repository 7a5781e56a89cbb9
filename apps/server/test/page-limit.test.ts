import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'

const LIMIT = 3
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'

let gateway: TestServer
let consolePath: string
beforeAll(async () => {
  consolePath = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
  await mkdir(join(consolePath, 'assets'))
  await writeFile(join(consolePath, 'index.html'), '<!doctype html><title>Console</title>')
  await writeFile(join(consolePath, 'assets', 'app-1a2b.js'), 'export {}')
  gateway = await startTestServer({
    consolePath,
    environment: { GLOBAL_WEB_RATE_LIMIT: String(LIMIT), TRUSTED_PROXIES: '127.0.0.1' },
  })
})
afterAll(async () => {
  await gateway.close()
  await rm(consolePath, { recursive: true })
})

const from =
  (address: string) =>
  (path: string, headers: Record<string, string> = {}) =>
    gateway.visitor().fetch(path, { headers: { 'x-forwarded-for': address, ...headers } })

test('files with a hash in their name do not count against the page limit', async () => {
  const get = from('198.51.100.1')
  for (let visit = 0; visit < LIMIT * 3; visit++) expect((await get('/assets/app-1a2b.js')).status).toBe(200)
  expect((await get('/', { accept: BROWSER })).status).toBe(200)
})

test('files that do not exist count against the page limit', async () => {
  const get = from('198.51.100.2')
  for (let visit = 0; visit < LIMIT; visit++) expect((await get('/assets/old-9z.js')).status).toBe(404)
  expect((await get('/assets/old-9z.js')).status).toBe(429)
  expect((await get('/assets/app-1a2b.js')).status).toBe(200)
})

test.each([
  ['en', 'One moment, please', 'Try again'],
  ['zh', '请稍候', '重试'],
])('a visitor over the page limit gets a page in their language: %s', async (language, title, again) => {
  const get = from(language === 'en' ? '198.51.100.3' : '198.51.100.4')
  for (let visit = 0; visit < LIMIT; visit++) await get('/log')
  const response = await get('/log', { accept: BROWSER, 'accept-language': language })
  expect(response.status).toBe(429)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('content-type')).toContain('text/html')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const page = await response.text()
  expect(page).toContain(`<h1>${title}</h1>`)
  expect(page).toContain(`>${again}</a>`)
})

test('a program over the page limit gets JSON', async () => {
  const get = from('198.51.100.5')
  for (let visit = 0; visit < LIMIT; visit++) await get('/log')
  const response = await get('/log', { accept: 'application/json' })
  expect(response.status).toBe(429)
  expect(await response.json()).toMatchObject({ success: false, code: 'too_many_requests' })
})
