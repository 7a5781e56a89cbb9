import { request } from 'node:http'
import { logTo } from '../../src/app/logging.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT, type TestServer, startTestServer } from '../harness.ts'

/**
 * nginx without `proxy_set_header Host`: over plain HTTP nobody can sign in, and the error says what to
 * change.
 */

let gateway: TestServer
let printed = ''
beforeAll(async () => {
  const log = logTo({ write: (line: string) => void (printed += line) }, 'info')
  gateway = await startTestServer({ isInMemory: true, log })
})
afterAll(() => gateway.close())

function signIn(headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${gateway.address}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asked.end(JSON.stringify(ROOT))
  })
}

test('a sign-in through a proxy that rewrites Host is refused with both hosts and the remedy', async () => {
  const { status, text } = await signIn({ host: 'tollgate_backend', origin: 'http://gate.example' })
  expect(status).toBe(403)
  expect(text).toContain('page_host_differs')
  for (const part of ['gate.example', 'tollgate_backend', 'TRUSTED_PROXIES']) expect(text).toContain(part)
  for (const part of ['gate.example', 'tollgate_backend', 'TRUSTED_PROXIES']) expect(printed).toContain(part)
})

test('a sign-in through a proxy that forwards Host succeeds', async () => {
  const { status } = await signIn({ host: 'gate.example', origin: 'http://gate.example' })
  expect(status).toBe(200)
})

test('a very long host is shortened in the error and not logged again', async () => {
  const lines = printed.length
  const { text } = await signIn({ host: 'tollgate_backend', origin: `http://${'a'.repeat(3000)}.example` })
  expect(text.length).toBeLessThan(600)
  expect(printed.length).toBe(lines)
})
