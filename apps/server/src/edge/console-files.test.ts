import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveConsole } from './console-files.ts'

let built: string
beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'tollgate-console-'))
  mkdirSync(join(built, 'assets'))
  writeFileSync(join(built, 'index.html'), '<!doctype html><title>console</title>')
  writeFileSync(join(built, 'assets', 'app-1a2b.js'), 'plain')
  writeFileSync(join(built, 'assets', 'app-1a2b.js.br'), 'smaller')
  writeFileSync(join(built, '.env'), 'secret')
})
afterAll(() => rmSync(built, { recursive: true }))

async function get(
  url: string,
  options: { path?: string; redirectTo?: string; accept?: string; method?: 'POST' } = {},
) {
  const app = fastify()
  await serveConsole(app, { path: options.path ?? built, redirectTo: options.redirectTo })
  return app.inject({
    method: options.method ?? 'GET',
    url,
    headers: { 'accept-encoding': options.accept ?? 'identity' },
  })
}

test.each(['/', '/channel', '/token?p=2', '/user/edit/7', '/.env', '/../../etc/passwd', '/index.html'])(
  '%s serves the console and is revalidated at each visit',
  async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.body).toContain('<title>console</title>')
    expect(response.headers['cache-control']).toBe('no-cache')
  },
)

test('a file with a hash in its name is cached for ever, and is served compressed where possible', async () => {
  const response = await get('/assets/app-1a2b.js', { accept: 'br, gzip' })
  expect(response.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
  })
  expect(response.body).toBe('smaller')
  expect((await get('/assets/app-1a2b.js')).body).toBe('plain')
})

test.each<[string, 'POST' | undefined]>([
  ['/api/nope', undefined],
  ['/v1/nope', undefined],
  ['/assets/old-9z.js', undefined],
  ['/channel', 'POST'],
])('%s is not served as a page', async (url, method) => {
  const response = await get(url, method && { method })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toHaveProperty('error.type', 'invalid_request_error')
})

test('a console that is not built answers with build instructions, and one hosted elsewhere with a redirect', async () => {
  const missing = await get('/channel', { path: join(built, 'nowhere') })
  expect(missing.statusCode).toBe(503)
  expect(missing.body).toContain('npm run build')
  const moved = await get('/channel?x=1', { redirectTo: 'https://console.example' })
  expect(moved.statusCode).toBe(301)
  expect(moved.headers.location).toBe('https://console.example/channel?x=1')
})
