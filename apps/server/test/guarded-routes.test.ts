import type { RouteDefinition } from '@tollgate/contract/route'
import { guardedOptions } from '@tollgate/contract/options/guarded'
import { allRoutes, routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from './harness.ts'

/**
 * Every route that is declared guarded, asked by who must not pass: a script with an access token, and a browser whose
 * sign-in is too old. A route with `guardedWhen` needs an entry in `triggers`, which makes its condition hold.
 */

const STALE_MS = 13 * 3_600_000
const NOBODY_HAS = '999999'

interface Trigger {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Default: what the rule of the condition answers. */
  readonly code?: string
}

let gateway: TestServer
let accessToken: string
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  for (const [key, value] of providerOptions)
    await gateway.root.call(routes.option.update, { body: { key, value } })
  accessToken = await gateway.root.call(routes.user.resetAccessToken)
})
afterAll(() => gateway.close())

const providerOptions = [
  ['GitHubClientId', 'id'],
  ['GitHubClientSecret', 'secret'],
  ['GitHubOAuthEnabled', 'true'],
  ['LinuxDOClientId', 'id'],
  ['LinuxDOClientSecret', 'secret'],
  ['LinuxDOOAuthEnabled', 'true'],
  ['oidc.client_id', 'id'],
  ['oidc.client_secret', 'secret'],
  ['oidc.well_known', 'https://issuer.example/.well-known/openid-configuration'],
  ['oidc.enabled', 'true'],
] as const

/** A binding that was begun in time and comes back late. */
async function endedBinding(who: Visitor): Promise<Trigger> {
  const state = await who.call(routes.oauth.state)
  return { query: { state, code: 'x' } }
}

const serverAddress = (value: string) => ({ key: 'ServerAddress', value })

/** A change of a guarded setting that could be taken back. */
async function changedAddress(who: Visitor): Promise<Trigger> {
  for (const address of ['https://one.example', 'https://two.example'])
    await who.call(routes.option.update, { body: serverAddress(address) })
  const { items } = await who.call(routes.optionHistory.list, { query: { key: 'ServerAddress' } })
  return { body: { id: items[0]?.id } }
}

/** A channel whose key would go to another server. */
async function movedChannel(who: Visitor): Promise<Trigger> {
  const body = { type: 1, name: 'guarded', key: 'sk-0123456789abcdef', models: 'gpt-4o' }
  const { id } = await who.call(routes.channel.create, { body })
  return { body: { id, base_url: 'https://evil.example' } }
}

const triggers = new Map<RouteDefinition, (who: Visitor) => Promise<Trigger>>([
  [routes.user.updateSelf, async () => ({ body: { password: 'another-pass-1' } })],
  [routes.adminUser.update, async ({ id }) => ({ body: { id, password: 'another-pass-1' } })],
  [routes.option.update, async () => ({ body: serverAddress('https://evil.example') })],
  [routes.optionHistory.revert, changedAddress],
  [routes.channel.update, movedChannel],
  [routes.oauth.github, endedBinding],
  [routes.oauth.oidc, endedBinding],
  [routes.oauth.linuxdo, endedBinding],
])

const name = ({ method, path }: RouteDefinition) => `${method} ${path}`
const named = (table: readonly RouteDefinition[]) => table.map((route) => [name(route), route] as const)

async function refusal(
  who: Visitor,
  route: RouteDefinition,
  { headers, trigger = {} }: { headers?: Record<string, string>; trigger?: Trigger },
): Promise<unknown> {
  const query = new URLSearchParams(trigger.query).toString()
  const filled = route.path.replace(/:(\w+)/g, (_whole, key: string) => trigger.params?.[key] ?? NOBODY_HAS)
  const path = filled + (query && `?${query}`)
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  const init = {
    method: route.method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(trigger.body ?? {}) }),
  }
  const response = headers ? await fetch(gateway.address + path, init) : await who.fetch(path, init)
  return response.json()
}

/** Signed in now, and long ago when the test goes on. */
async function staleRoot(before?: (who: Visitor) => Promise<Trigger>) {
  const who = gateway.root
  await prove(0)
  const trigger = await before?.(who)
  await prove(STALE_MS)
  return { who, ...(trigger && { trigger }) }
}

async function prove(agoMs: number): Promise<void> {
  await gateway.server.store.db
    .updateTable('sessions')
    .set({ proven_ms: Date.now() - agoMs })
    .execute()
}

const script = () => ({ authorization: accessToken, 'tollgate-user': String(gateway.root.id) })

const always = allRoutes.filter(({ signIn }) => signIn !== 'any')
const atTimes = allRoutes.filter(({ guardedWhen }) => guardedWhen !== undefined)

describe.each(named(always))('%s', (_name, route) => {
  const code = `${route.signIn}_sign_in_needed`

  test('refuses a browser that signed in too long ago', async () => {
    const { who } = await staleRoot()
    expect(await refusal(who, route, {})).toMatchObject({ success: false, code })
  })

  // On a public route an access token is nobody's.
  test.skipIf(route.access === 'public')('refuses an access token', async () => {
    expect(await refusal(gateway.root, route, { headers: script() })).toMatchObject({ success: false, code })
  })
})

describe.each(named(atTimes))('%s, under its condition', (_name, route) => {
  const code = `${route.guardedWhen?.signIn}_sign_in_needed`
  const trigger = triggers.get(route)

  test('is told to this test how its condition comes to hold', () => {
    expect(trigger).toBeDefined()
  })

  test('refuses a browser that signed in too long ago', async () => {
    const { who, trigger: ask = {} } = await staleRoot(trigger)
    const answer = await refusal(who, route, { trigger: ask })
    expect(answer).toMatchObject({ success: false, code: ask.code ?? code })
  })

  test.skipIf(route.access === 'public')('refuses an access token', async () => {
    const { who, trigger: ask = {} } = await staleRoot(trigger)
    const answer = await refusal(who, route, { headers: script(), trigger: ask })
    expect(answer).toMatchObject({ success: false, code: ask.code ?? code })
  })
})

test.each([...guardedOptions])('the setting %s is not changed by an access token', async (key) => {
  await prove(0)
  const trigger = { body: { key, value: '' } }
  const answer = await refusal(gateway.root, routes.option.update, { headers: script(), trigger })
  expect(answer).toMatchObject({ success: false, code: 'recent_sign_in_needed' })
})

test('the guarded routes do not become fewer unnoticed', () => {
  expect(always.length).toBeGreaterThanOrEqual(12)
  expect(atTimes.length).toBeGreaterThanOrEqual(7)
})
