import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteDefinition } from '@tollgate/contract/route'
import { allRoutes, routes } from '@tollgate/contract/routes'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, ROOT, type TestServer, type Visitor, startTestServer, farewells } from './harness.ts'

/**
 * Puts recognisable secrets everywhere a secret is kept, then calls every route as every kind of user. Routes
 * that may show a secret are listed here by name; no other route may.
 */
const MAY_SHOW: ReadonlySet<RouteDefinition> = new Set<RouteDefinition>([
  routes.token.create,
  routes.token.reveal,
  routes.token.revealMany,
  routes.channel.reveal,
  routes.user.resetAccessToken,
  routes.user.resetAccessTokenByGet,
])

/**
 * Additionally, these routes show the owner of a token its key, and nothing else, in a console written for
 * new-api.
 */
const MAY_SHOW_OWN_KEY: ReadonlySet<RouteDefinition> = new Set<RouteDefinition>([
  routes.token.list,
  routes.token.search,
  routes.token.get,
  routes.token.update,
])

const CHANNEL_KEY = 'sk-canarychannel0123456789abcdef'
const SIGN_IN = '{"access_token":"canary-access","refresh_token":"canary-refresh","account_id":"a"}'
const OPTION_SECRET = 'canary-option-secret'
const WEBHOOK_SECRET = 'canary-webhook-secret'
/** Credentials of a channel other than its key. */
const CHANNEL_SECRETS = [
  'canary-header-value',
  'canary-proxy-user',
  'canary-proxy-password',
  'canary-route-key',
  'canary-override-header',
  'canary-override-key',
]
const channelTexts = {
  header_override: JSON.stringify({ 'X-Team': 'canary-header-value', 'X-Own': 'Token {api_key}' }),
  param_override: JSON.stringify({
    operations: [
      { mode: 'set_header', path: 'x-more', value: 'canary-override-header' },
      { mode: 'set', path: 'extra.api_key', value: 'canary-override-key' },
    ],
  }),
  setting: JSON.stringify({
    proxy: 'http://canary-proxy-user:canary-proxy-password@127.0.0.1:1',
    advanced_routes: [
      {
        incoming_path: '/v1/chat/completions',
        upstream_path: '/chat',
        auth: { type: 'header', name: 'X-Key', value: 'canary-route-key' },
      },
    ],
  }),
}
/** Forms that only the store may contain: hashes and encrypted texts. */
const STORED_FORMS = [/\$argon2/, /\$2[aby]\$/, /"v1\.[\w-]{40,}/, /\b[0-9a-f]{64}\b/]

let gateway: TestServer
let ids: { token: number; channel: number }
let secrets: string[]
const people: Visitor[] = []

beforeAll(async () => {
  gateway = await startTestServer({
    isInMemory: true,
    environment: { METRICS_TOKEN: 'canary-metrics-token' },
  })
  const owner = await gateway.user()
  const admin = await gateway.user({ role: 10 })
  people.push(owner, admin, gateway.root, gateway.visitor())
  const token = await owner.call(routes.token.create, { body: { name: 'canary' } })
  const accessToken = await owner.call(routes.user.resetAccessToken)
  const channel = await gateway.root.call(routes.channel.create, {
    body: {
      type: 1,
      name: 'up',
      key: CHANNEL_KEY,
      models: 'gpt-4o',
      group: 'default',
      base_url: 'http://127.0.0.1:1',
      ...channelTexts,
    },
  })
  await gateway.root.call(routes.channel.create, {
    body: { type: 57, name: 'signed in', key: SIGN_IN, models: 'gpt-5.5', group: 'default' },
  })
  await gateway.root.call(routes.option.update, { body: { key: 'SMTPToken', value: OPTION_SECRET } })
  const setting = JSON.stringify({ notify_type: 'webhook', webhook_secret: WEBHOOK_SECRET })
  await gateway.server.store.db.updateTable('users').set({ setting }).where('id', '=', owner.id).execute()
  ids = { token: token.id, channel: channel.id }
  secrets = [
    token.key,
    accessToken,
    CHANNEL_KEY,
    ...CHANNEL_SECRETS,
    'canary-access',
    'canary-refresh',
    OPTION_SECRET,
    WEBHOOK_SECRET,
    PASSWORD,
    ROOT.password,
    'canary-metrics-token',
    ...people.flatMap(({ cookie }) => cookie.split('=')[1] || []),
  ]
})
afterAll(() => gateway.close())

const asked = allRoutes.filter((route) => !MAY_SHOW.has(route) && !farewells.has(route))

function pathOf(route: RouteDefinition): string {
  const id = route.path.startsWith('/api/token') ? ids.token : ids.channel
  return route.path.replace(':id', String(id))
}

function reveal(who: Visitor | undefined, path: string): Promise<string> | undefined {
  return who?.fetch(path, { method: 'POST' }).then((response) => response.text())
}

/** Reading first, then changing, then removing; each with nothing but an id, as a prober would send. */
const ORDER = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function bodyFor(route: RouteDefinition): string {
  return JSON.stringify({ id: route.path.startsWith('/api/token') ? ids.token : ids.channel })
}

test('a console written for new-api gets whole keys of the own tokens from four routes, and no other secret', async () => {
  const shownBy = new Set<RouteDefinition>()
  const asking = asked.filter((route) => route.method === 'GET' || MAY_SHOW_OWN_KEY.has(route))
  for (const route of asking) {
    for (const who of people) {
      const { 'Tollgate-User': user = '', ...headers } = who.headers()
      const response = await fetch(gateway.address + pathOf(route), {
        method: route.method,
        headers: { ...headers, 'veloera-user': user, 'content-type': 'application/json' },
        ...(route.method !== 'GET' && { body: bodyFor(route) }),
      })
      const shown = `${JSON.stringify([...response.headers])}${await response.text()}`
      const found = secrets.filter((secret) => shown.includes(secret))
      if (found.length > 0) shownBy.add(route)
      const mayShow = who === people[0] && MAY_SHOW_OWN_KEY.has(route)
      expect(found, `${route.path} shows secrets`).toEqual(mayShow ? [secrets[0]] : [])
      for (const form of STORED_FORMS) expect(form.test(shown), `${route.path} shows ${form}`).toBe(false)
    }
  }
  expect(shownBy).toEqual(MAY_SHOW_OWN_KEY)
})

test('no response, error or header shows a secret, its hash or its encrypted form', async () => {
  let answers = 0
  for (const route of asked.toSorted((one, two) => ORDER.indexOf(one.method) - ORDER.indexOf(two.method))) {
    for (const who of people) {
      const before = who.cookie
      const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
      const response = await who.fetch(pathOf(route), {
        method: route.method,
        ...(hasBody && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id: ids.channel }),
        }),
      })
      const shown = `${JSON.stringify([...response.headers])}${await response.text()}`
      for (const secret of secrets)
        expect(shown.includes(secret), `${route.path} shows ${secret}`).toBe(false)
      for (const form of STORED_FORMS) expect(form.test(shown), `${route.path} shows ${form}`).toBe(false)
      who.cookie = before
      answers++
    }
  }
  expect(answers).toBe(asked.length * 4)
  expect(answers).toBeGreaterThan(150)
})

test('other pages show no secret either', async () => {
  for (const path of [
    '/',
    '/openapi.json',
    '/docs',
    '/metrics',
    '/readyz',
    '/api/nope',
    '/v1/models',
    '/v1/nope',
  ]) {
    const response = await gateway.root.fetch(path)
    const shown = await response.text()
    for (const secret of secrets) expect(shown.includes(secret), `${path} shows ${secret}`).toBe(false)
  }
})

test('a route that reveals a token key does so only to its owner', async () => {
  const [owner, admin, root, visitor] = people
  const fresh = await owner?.call(routes.token.create, { body: { name: 'another' } })
  const path = `/api/token/${fresh?.id}/key`
  expect(await reveal(owner, path)).toContain(fresh?.key)
  for (const other of [admin, root, visitor]) expect(await reveal(other, path)).not.toContain(fresh?.key)
})

test('the store contains no secret in clear text', async () => {
  const { db } = gateway.server.store
  const tables = [
    'users',
    'sessions',
    'tokens',
    'channels',
    'options',
    'option_changes',
    'audit_log',
    'outbox',
    'one_time_codes',
  ] as const
  for (const table of tables) {
    const rows = JSON.stringify(await db.selectFrom(table).selectAll().execute(), asText)
    const kept = secrets.filter((secret) => secret !== WEBHOOK_SECRET)
    for (const secret of kept) expect(rows.includes(secret), `${table} holds ${secret}`).toBe(false)
  }
})

const asText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)

/** The bytes of the embedded database, its journal and all files beside it. */
async function bytesOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const inside = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const files = await Promise.all(inside.map((path) => readFile(path, 'latin1')))
  return files.join('')
}

test('neither the files of a gateway nor its log contain a channel secret in clear text', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-canary-'))
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const environment = { SQLITE_PATH: join(folder, 'tollgate.db') }
  const own = await startTestServer({ environment, log })
  try {
    const body = { type: 1, name: 'up', key: CHANNEL_KEY, models: 'gpt-4o', base_url: 'http://127.0.0.1:1' }
    const { id } = await own.root.call(routes.channel.create, { body: { ...body, ...channelTexts } })
    const header_override = channelTexts.header_override.replace('X-Own', 'X-Other')
    await own.root.call(routes.channel.update, { body: { id, header_override, name: 'edited' } })
    await own.root.call(routes.channel.copy, { params: { id } })
    await own.root.fetch(`/api/channel/test/${id}`)
    await own.root.fetch(`/api/channel/fetch_models/${id}`)
    const kept = `${await bytesOf(folder)}${lines.join('')}`
    expect(kept).toContain('edited')
    for (const secret of [CHANNEL_KEY, ...CHANNEL_SECRETS])
      expect(kept.includes(secret), `kept in clear: ${secret}`).toBe(false)
    const shown = await own.root.call(routes.channel.reveal, { params: { id } })
    expect(shown).toMatchObject({ key: CHANNEL_KEY, setting: channelTexts.setting, header_override })
  } finally {
    await own.close()
    await rm(folder, { recursive: true })
  }
})
