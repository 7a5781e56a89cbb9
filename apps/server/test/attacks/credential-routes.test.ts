import type { RouteDefinition } from '@tollgate/contract/route'
import { guardedKeys } from '@tollgate/contract/options/index'
import { allRoutes, routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SIGN_IN_WINDOW_MS } from '../../src/services/guard.ts'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { reportAttacks } from './index.ts'

/**
 * Calls every guarded route as callers that must be refused: scripts with an access token, and browsers whose
 * sign-in is just too old. A route with `guardedWhen` needs an entry in `triggers`, which makes its condition
 * true.
 */

const NOBODY_HAS = '999999'

interface Trigger {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Expected error code. Default: the code of the sign-in window. */
  readonly code?: string
}

let gateway: TestServer
let accessToken: string
let attacked = 0
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  for (const [key, value] of providerOptions)
    await gateway.root.call(routes.option.update, { body: { key, value } })
  accessToken = await gateway.root.call(routes.user.resetAccessToken)
})
afterAll(async () => {
  reportAttacks({ kind: 'credential routes', count: attacked, of: cases.length })
  await gateway.close()
})

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

/** An address binding that was started in time and is completed too late. */
async function endedBinding(who: Visitor): Promise<Trigger> {
  const state = await who.call(routes.oauth.state)
  return { query: { state, code: 'x' } }
}

const serverAddress = (value: string) => ({ key: 'ServerAddress', value })

/** A change of a guarded setting that can be reverted. */
async function changedAddress(who: Visitor): Promise<Trigger> {
  for (const address of ['https://one.example', 'https://two.example'])
    await who.call(routes.option.update, { body: serverAddress(address) })
  const { items } = await who.call(routes.optionHistory.list, { query: { key: 'ServerAddress' } })
  return { body: { id: items[0]?.id } }
}

/** A change that would send a channel's key to another server. */
async function movedChannel(who: Visitor): Promise<Trigger> {
  const body = { type: 1, name: 'guarded', key: 'sk-0123456789abcdef', models: 'gpt-4o' }
  const { id } = await who.call(routes.channel.create, { body })
  return { body: { id, base_url: 'https://evil.example' } }
}

async function ownToken(who: Visitor): Promise<{ id: number; key: string }> {
  return who.call(routes.token.create, { body: { name: 'guarded' } })
}

/** Would send alerts, which name channels and users, to somebody else. */
const foreignReceiver = { name: 'guarded', fields: { url: 'https://evil.example' } }

/** Requests that are valid apart from the sign-in; other routes need no input to get to its check. */
const triggers = new Map<RouteDefinition, (who: Visitor) => Promise<Trigger>>([
  [routes.user.updateSelf, async () => ({ body: { password: 'another-pass-1' } })],
  [routes.adminUser.update, async ({ id }) => ({ body: { id, password: 'another-pass-1' } })],
  [routes.option.update, async () => ({ body: serverAddress('https://evil.example') })],
  [routes.optionHistory.revert, changedAddress],
  [routes.channel.update, movedChannel],
  [routes.token.reveal, async (who) => ({ params: { id: String((await ownToken(who)).id) } })],
  [routes.token.revealMany, async (who) => ({ body: { ids: [(await ownToken(who)).id] } })],
  [routes.alert.createReceiver, async () => ({ body: { ...foreignReceiver, kind: 'webhook' } })],
  [routes.alert.updateReceiver, async () => ({ body: foreignReceiver })],
  [routes.oauth.github, endedBinding],
  [routes.oauth.oidc, endedBinding],
  [routes.oauth.linuxdo, endedBinding],
])

type Window = keyof typeof SIGN_IN_WINDOW_MS

interface Attacker {
  readonly who: string
  /** Headers used instead of the browser's; on a public route an access token identifies no user. */
  readonly headers?: () => Record<string, string>
  /** For a browser: the sign-in is this much older than the route allows. */
  readonly tooOldMs?: number
  readonly spell?: (path: string) => string
}

const user = () => ({ 'tollgate-user': String(gateway.root.id) })
const attackers: readonly Attacker[] = [
  { who: 'an access token', headers: () => ({ ...user(), authorization: accessToken }) },
  {
    who: 'an access token as a bearer, at another spelling of the path',
    headers: () => ({ ...user(), authorization: `Bearer ${accessToken}` }),
    spell: (path) => path.replace('/api/', '/api//'),
  },
  {
    who: 'an access token beside a session that signed in too long ago',
    headers: () => ({ ...gateway.root.headers(), authorization: accessToken }),
    tooOldMs: 60_000,
  },
  { who: 'a browser that signed in a little too long ago', tooOldMs: 1_000 },
  {
    who: 'a browser of last month, at another spelling of the path',
    tooOldMs: 30 * 86_400_000,
    spell: (path) => `${path}/`,
  },
]

interface Case {
  readonly name: string
  readonly route: RouteDefinition
  readonly window: Window
  readonly isAtTimes: boolean
  readonly attacker: Attacker
}

const guarded = allRoutes.flatMap((route) => [
  ...(route.signIn === 'any' ? [] : [{ route, window: route.signIn, isAtTimes: false }]),
  ...(route.guardedWhen ? [{ route, window: route.guardedWhen.signIn, isAtTimes: true }] : []),
])

const cases: readonly Case[] = guarded.flatMap(({ route, window, isAtTimes }) =>
  attackers
    .filter(({ headers }) => route.access !== 'public' || headers === undefined)
    .map((attacker) => ({
      name: `${route.method} ${route.path}${isAtTimes ? ', under its condition,' : ''} refuses ${attacker.who}`,
      route,
      window,
      isAtTimes,
      attacker,
    })),
)

async function prove(agoMs: number): Promise<void> {
  await gateway.server.store.db
    .updateTable('sessions')
    .set({ proven_ms: Date.now() - agoMs })
    .execute()
}

/** State that a refused call must not have changed. */
async function stored(): Promise<unknown> {
  const { db } = gateway.server.store
  return [
    await db.selectFrom('users').selectAll().orderBy('id').execute(),
    await db.selectFrom('identities').selectAll().execute(),
    await db.selectFrom('options').selectAll().orderBy('key').execute(),
    await db.selectFrom('channels').selectAll().orderBy('id').execute(),
  ]
}

async function ask(route: RouteDefinition, attacker: Attacker, trigger: Trigger): Promise<unknown> {
  const query = new URLSearchParams(trigger.query).toString()
  const filled = route.path.replace(/:(\w+)/g, (_whole, key: string) => trigger.params?.[key] ?? NOBODY_HAS)
  const path = (attacker.spell?.(filled) ?? filled) + (query && `?${query}`)
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  const init = {
    method: route.method,
    headers: { ...attacker.headers?.(), ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(trigger.body ?? {}) }),
  }
  const response = attacker.headers
    ? await fetch(gateway.address + path, init)
    : await gateway.root.fetch(path, init)
  return response.json()
}

test.each(cases)('$name', async ({ route, window, isAtTimes, attacker }) => {
  await prove(0)
  const isOptional = route.guardedWhen !== undefined && !isAtTimes
  const trigger = (!isOptional && (await triggers.get(route)?.(gateway.root))) || {}
  await prove(SIGN_IN_WINDOW_MS[window] + (attacker.tooOldMs ?? 0))
  const before = await stored()
  const code = trigger.code ?? `${window}_sign_in_needed`
  expect(await ask(route, attacker, trigger)).toMatchObject({ success: false, code })
  expect(await stored()).toEqual(before)
  attacked++
})

const showing = allRoutes.filter((route) => route.shownWhen)

/** Sends the request as a client written for new-api does, to which the route would show the secret. */
function atOldConsole(attacker: Attacker): Attacker {
  return {
    ...attacker,
    headers: () => {
      const {
        'Tollgate-User': _own,
        'tollgate-user': _user,
        ...others
      } = attacker.headers?.() ?? gateway.root.headers()
      return { ...others, 'veloera-user': String(gateway.root.id) }
    },
  }
}

test.each(showing.flatMap((route) => attackers.map((attacker) => ({ route, attacker, who: attacker.who }))))(
  '$route.method $route.path shows no key to $who through a console written for new-api',
  async ({ route, attacker }) => {
    await prove(0)
    const { id, key } = await ownToken(gateway.root)
    const trigger = { params: { id: String(id) }, body: { id, name: 'guarded' } }
    const recent = { who: 'the owner', headers: () => gateway.root.headers() }
    expect(JSON.stringify(await ask(route, atOldConsole(recent), trigger))).toContain(key)
    await prove(SIGN_IN_WINDOW_MS.recent + (attacker.tooOldMs ?? 0))
    const answer = await ask(route, atOldConsole(attacker), trigger)
    expect(answer).toMatchObject({ success: true })
    expect(JSON.stringify(answer)).not.toContain(key)
    expect(JSON.stringify(await ask(route, recent, trigger))).not.toContain(key)
  },
)

test('every conditionally guarded route has a trigger in this file', () => {
  const conditional = guarded.filter(({ isAtTimes }) => isAtTimes).map(({ route }) => route)
  expect(conditional.filter((route) => !triggers.has(route)).map(({ path }) => path)).toEqual([])
})

test.each(guardedKeys)('the setting %s cannot be changed by an access token', async (key) => {
  const [byToken] = attackers
  const trigger = { body: { key, value: '' } }
  expect(byToken && (await ask(routes.option.update, byToken, trigger))).toMatchObject({
    success: false,
    code: 'recent_sign_in_needed',
  })
})

describe('soon after signing in', () => {
  test('the guarded routes work soon after signing in', async () => {
    await prove(0)
    expect(await gateway.root.call(routes.user.resetAccessToken)).toHaveLength(32)
    expect(await gateway.root.call(routes.option.update, { body: serverAddress('') })).toBeNull()
  })
})

test('there are at least 21 guarded routes', () => {
  expect(guarded.length).toBeGreaterThanOrEqual(21)
})
