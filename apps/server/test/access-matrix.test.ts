import type { Access, RouteDefinition } from '@tollgate/contract/route'
import { allRoutes, routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, type Visitor, startTestServer, farewells } from './harness.ts'

/**
 * Calls every route of the registry with every role. Who is let in must follow from the route's record alone.
 */

const ROLES: Record<Access, number> = { public: 0, user: 1, admin: 10, root: 100 }
const NOBODY_HAS = '999999'

let gateway: TestServer
const people = new Map<string, Visitor>()
beforeAll(async () => {
  gateway = await startTestServer({ isInMemory: true })
  people.set('visitor', gateway.visitor())
  people.set('user', await gateway.user())
  people.set('admin', await gateway.user({ role: 10 }))
  people.set('root', gateway.root)
  const banned = await gateway.user()
  await gateway.server.store.db.updateTable('users').set({ status: 2 }).where('id', '=', banned.id).execute()
  people.set('banned', banned)
})
afterAll(() => gateway.close())

const person = (name: string): Visitor => people.get(name) ?? gateway.visitor()

const name = (route: RouteDefinition) => `${route.method} ${route.path}`

function ask(who: Visitor, route: RouteDefinition, headers: Record<string, string> = {}): Promise<Response> {
  const path = route.path.replace(/:\w+/g, NOBODY_HAS)
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE'
  return who.fetch(path, {
    method: route.method,
    headers: { ...(hasBody && { 'content-type': 'application/json' }), ...headers },
    ...(hasBody && { body: '{}' }),
  })
}

const table = allRoutes.filter((route) => !farewells.has(route))

const named = (routesOfIt: readonly RouteDefinition[]) =>
  routesOfIt.map((route) => [name(route), route] as const)

/**
 * Routes authenticated by an API token. A caller without a token is an anonymous visitor there; what a valid
 * token may do is tested in other files.
 */
const byKey = table.filter(({ byApiToken }) => byApiToken)

describe.each(named(byKey))('with an API token: %s', (_name, route) => {
  test('a visitor and a request with only a cookie get 401', async () => {
    expect((await ask(person('visitor'), route)).status).toBe(401)
    const { cookie } = gateway.root
    expect((await fetch(gateway.address + route.path, { headers: { cookie } })).status).toBe(401)
  })
})

describe.each(named(table.filter(({ byApiToken }) => !byApiToken)))('%s', (_name, route) => {
  test.each(['visitor', 'user', 'admin', 'root'] as const)(
    'a caller with the role %s is let in or refused as the route declares',
    async (who) => {
      const role = who === 'visitor' ? 0 : ROLES[who]
      const { status } = await ask(person(who), route)
      if (role >= ROLES[route.access]) expect([200, 400, 404]).toContain(status)
      else expect(status).toBe(role === 0 ? 401 : 403)
    },
  )
})

describe.each(named(table.filter(({ access }) => access !== 'public')))('guarded: %s', (_name, route) => {
  test('a banned user is refused with 403, whatever the role', async () => {
    expect((await ask(person('banned'), route)).status).toBe(403)
  })

  test('a cookie without the user header is refused with 401', async () => {
    const { cookie } = gateway.root
    const init = { method: route.method, headers: { cookie, origin: gateway.address } }
    const response = await fetch(gateway.address + route.path.replace(/:\w+/g, NOBODY_HAS), init)
    expect(response.status).toBe(401)
  })
})

describe.each(named(table.filter(({ changesState }) => changesState)))('changing: %s', (_name, route) => {
  test('a request from another site is refused with 403', async () => {
    expect((await ask(gateway.root, route, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await ask(gateway.root, route, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})

test('a record of another user gets the same response as one that does not exist', async () => {
  const owner = person('user')
  const stranger = await gateway.user()
  const { id } = await owner.call(routes.token.create, { body: { name: 'mine' } })
  const owned = table.filter((route) => route.owner === 'self' && route.path.includes('/:id'))
  expect(owned.length).toBeGreaterThanOrEqual(3)
  for (const route of owned) {
    const asked = async (target: string) => {
      const response = await stranger.fetch(route.path.replace(':id', target), { method: route.method })
      return `${response.status} ${await response.text()}`
    }
    expect(await asked(String(id)), name(route)).toBe(await asked(NOBODY_HAS))
  }
  for (const admin of [person('admin'), gateway.root]) {
    const response = await admin.fetch(`/api/token/${id}`)
    expect(await response.json()).toMatchObject({ success: false })
  }
  expect(await owner.call(routes.token.get, { params: { id } })).toMatchObject({ name: 'mine' })
})
