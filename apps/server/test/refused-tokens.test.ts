import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'

let gateway: TestServer
beforeAll(async () => {
  gateway = await startTestServer({ environment: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => gateway.close())

type NewToken = Parameters<typeof createToken>[0]

async function createToken(body: { unlimited_quota?: boolean; allow_ips?: string; expired_time?: number }) {
  const made = await gateway.root.call(routes.token.create, { body: { name: 'refused', ...body } })
  return { id: made.id, key: `sk-${made.key.replace(/^sk-/, '')}` }
}

function ask(key: string, path: string, from: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    'x-forwarded-for': from,
    'content-type': 'application/json',
  }
  const isRead = path === '/v1/models'
  return fetch(
    gateway.address + path,
    isRead ? { headers } : { method: 'POST', headers, body: '{"model":"gpt-4o"}' },
  )
}

async function disable(id: number): Promise<void> {
  await gateway.root.call(routes.token.update, { query: { status_only: 'true' }, body: { id, status: 2 } })
}

const cases: readonly [string, string, NewToken, ((id: number) => Promise<void>)?][] = [
  ['a disabled token', 'token_disabled', { unlimited_quota: true }, disable],
  [
    'an address that is not allowed',
    'address_not_allowed',
    { unlimited_quota: true, allow_ips: '203.0.113.9' },
  ],
  ['an unlimited token that asks for no messages', 'member_missing', { unlimited_quota: true }],
]

test.each(cases)(
  'the calls of %s are counted, and its owner sees how many',
  async (_name, code, body, change) => {
    const { id, key } = await createToken(body)
    await change?.(id)
    const paths = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/models']
    const statuses: number[] = []
    for (const [index, path] of paths.entries())
      statuses.push((await ask(key, path, `198.51.100.${index + 1}`)).status)
    const refused = statuses.filter((status) => status >= 400).length
    expect(refused).toBeGreaterThanOrEqual(3)
    gateway = await gateway.restart()
    const token = await gateway.root.call(routes.token.get, { params: { id } })
    expect(token).toMatchObject({ refused_today: refused, refused_reason: code })
    const { items } = await gateway.root.call(routes.log.listOwn, { query: { type: 9 } })
    const rows = items.filter((row) => row.token_id === id)
    if (code === 'member_missing') return expect(rows).toEqual([])
    expect(rows).toMatchObject([{ type: 9, token_name: 'refused', ip: `198.51.100.${refused}` }])
    expect(JSON.parse(rows[0]?.other ?? '')).toMatchObject({
      refused,
      reason: code,
      first_address: '198.51.100.1',
    })
  },
)

test('an unknown key is counted for nobody', async () => {
  await ask('sk-nobody', '/v1/models', '198.51.100.1')
  gateway = await gateway.restart()
  const { items } = await gateway.root.call(routes.log.list, { query: { type: 9 } })
  expect(items.filter(({ token_id: id }) => id === 0)).toEqual([])
})

test('counted refusals are in the list of calls and in no sum', async () => {
  const { items } = await gateway.root.call(routes.log.listOwn, { query: { calls: true } })
  expect(items.filter(({ type }) => type === 9).length).toBe(2)
  expect(await gateway.root.call(routes.log.statOwn, { query: { type: 9 } })).toMatchObject({
    count: 0,
    quota: 0,
  })
  const { count } = await gateway.root.call(routes.log.statOwn, { query: {} })
  expect(count).toBe(0)
})
