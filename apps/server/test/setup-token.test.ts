import { request } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { logTo } from '../src/app/logging.ts'
import { ROOT, type TestServer, startTestServer } from './harness.ts'
import { startProgram } from './nodes/program.ts'

const leaving: (() => unknown)[] = []
afterEach(async () => {
  while (leaving.length > 0) await leaving.pop()?.()
})

const body = { ...ROOT, confirmPassword: ROOT.password }
const CHOSEN = 'a token that the operator chose'
const LINK = /\/setup#token=([0-9a-f]{32})/

interface Fresh {
  readonly gateway: TestServer
  readonly printed: () => string
}

async function freshGateway(environment: Record<string, string> = {}): Promise<Fresh> {
  let text = ''
  const log = logTo({ write: (line: string) => void (text += line) }, 'info')
  const gateway = await startTestServer({ skipsSetup: true, log, environment })
  leaving.push(() => gateway.close())
  return { gateway, printed: () => text }
}

const answerSchema = z.object({ success: z.boolean(), code: z.string().optional() })

/** Sends headers that `fetch` does not allow to be set. */
function send(
  address: string,
  { method, headers }: { readonly method: string; readonly headers: Record<string, string> },
  content?: unknown,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${address}/api/setup`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    asked.end(content === undefined ? undefined : JSON.stringify(content))
  })
}

async function setUp(address: string, headers: Record<string, string>, token?: string): Promise<string> {
  const { text } = await send(
    address,
    { method: 'POST', headers },
    { ...body, ...(token !== undefined && { setup_token: token }) },
  )
  const { success, code = '' } = answerSchema.parse(JSON.parse(text))
  return success ? 'done' : code
}

const ELSEWHERE: readonly (readonly [string, Record<string, string>])[] = [
  ['under a public name', { host: 'gate.example' }],
  ['under an address of the network', { host: '192.168.0.10:3000' }],
  ['through a proxy', { host: 'localhost:3000', 'x-forwarded-for': '192.0.2.1' }],
  ['through a proxy that says it is local', { host: 'localhost:3000', 'x-forwarded-for': '127.0.0.1' }],
]

test('a stranger cannot set up a fresh gateway', async () => {
  const { gateway } = await freshGateway()
  for (const [name, headers] of ELSEWHERE)
    for (const token of [undefined, '', ' ', 'wrong', CHOSEN, '0'.repeat(32)])
      expect(await setUp(gateway.address, headers, token), `${name} with ${token}`).toBe('setup_token_wrong')
  expect(await gateway.server.store.db.selectFrom('users').select('id').execute()).toEqual([])
  expect((await gateway.root.call(routes.setup.read)).status).toBe(false)
})

test('the link in the log sets up a fresh gateway, once', async () => {
  const { gateway, printed } = await freshGateway()
  const token = LINK.exec(printed())?.[1] ?? ''
  const through = { host: 'gate.example', 'x-forwarded-for': '192.0.2.1' }
  expect(await setUp(gateway.address, through, token)).toBe('done')
  expect(await setUp(gateway.address, through, token)).toBe('setup_already_done')
  await gateway.root.signIn(ROOT)
})

test('a browser on the gateway’s machine needs no setup token', async () => {
  const { gateway } = await freshGateway()
  expect(await gateway.root.call(routes.setup.read)).toMatchObject({ token_needed: false })
  await gateway.root.call(routes.setup.run, { body })
  await gateway.root.signIn(ROOT)
})

test('the setup page learns whether a token is needed, and no response contains the token', async () => {
  const { gateway, printed } = await freshGateway()
  const token = LINK.exec(printed())?.[1] ?? 'none'
  const { text } = await send(gateway.address, { method: 'GET', headers: { host: 'gate.example' } })
  expect(JSON.parse(text)).toMatchObject({ data: { status: false, token_needed: true } })
  const answers = [text, JSON.stringify(await gateway.root.call(routes.status.read))]
  for (const path of ['/api/setup', '/setup', '/', '/api/openapi.json', '/metrics'])
    answers.push(await (await gateway.visitor().fetch(path)).text())
  expect(answers.join('\n')).not.toContain(token)
})

test('a token chosen by the operator replaces the generated one and is not printed', async () => {
  const { gateway, printed } = await freshGateway({ SETUP_TOKEN: CHOSEN })
  expect(printed()).toContain('SETUP_TOKEN')
  expect(printed()).not.toContain(CHOSEN)
  expect(printed()).not.toMatch(LINK)
  const elsewhere = { host: 'gate.example' }
  expect(await setUp(gateway.address, elsewhere, 'wrong')).toBe('setup_token_wrong')
  expect(await setUp(gateway.address, elsewhere, CHOSEN)).toBe('done')
})

test('nothing about the setup is printed once it is done', async () => {
  const { gateway, printed } = await freshGateway()
  await gateway.root.call(routes.setup.run, { body })
  const before = printed().length
  const again = await gateway.restart()
  leaving.splice(-1, 1, () => again.close())
  expect(printed().slice(before)).not.toMatch(/setup/i)
})

test('all workers behind one port share one token, which is printed once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-setup-'))
  leaving.push(() => rmSync(folder, { recursive: true }))
  const program = await startProgram(folder, { WORKERS: '2' })
  leaving.push(async () => {
    program.child.kill('SIGTERM')
    await program.ended
  })
  const links = [...program.printed().matchAll(new RegExp(LINK, 'g'))]
  expect(links).toHaveLength(1)
  const elsewhere = { host: 'gate.example', connection: 'close' }
  const wrong = await Promise.all(Array.from({ length: 9 }, () => setUp(program.address, elsewhere, 'wrong')))
  expect(new Set(wrong)).toEqual(new Set(['setup_token_wrong']))
  const token = links[0]?.[1] ?? ''
  const tries = await Promise.all(Array.from({ length: 9 }, () => setUp(program.address, elsewhere, token)))
  expect(tries.toSorted()).toEqual(['done', ...Array<string>(8).fill('setup_already_done')])
})
