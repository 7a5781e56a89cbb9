import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { operationsRoutes } from '@tollgate/contract/operations'
import { routes } from '@tollgate/contract/routes'
import { type TestServer as DatabaseServer, answeringServers } from '@tollgate/testkit/databases'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestServer, startTestServer } from './harness.ts'
import { type CallResult, operate, relayCall } from './nodes/operator.ts'

/** What callers and operators read about calls, when the usage log is in a database of its own. */

const servers = await answeringServers()
const postgres = servers.find(({ label }) => label === 'PostgreSQL')
const mysql = servers.find(({ label }) => label !== 'PostgreSQL')
const pairs: readonly { name: string; main?: DatabaseServer; logs?: DatabaseServer }[] = [
  { name: 'SQLite beside SQLite' },
  ...(postgres && mysql ? [{ name: `${mysql.label} beside PostgreSQL`, main: postgres, logs: mysql }] : []),
]

const answerSchema = z.object({ id: z.string() })
const generationSchema = z.object({
  data: z.object({ request_id: z.string(), upstream_id: z.string(), total_cost: z.number() }),
})

describe.each(pairs)('the usage log in $name', ({ main, logs }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-readers-'))
  const leaving: (() => Promise<unknown>)[] = []
  let server: TestServer
  let upstream: FakeUpstream
  let key = ''
  let called: CallResult

  beforeAll(async () => {
    upstream = await startFakeUpstream()
    const databases = [await main?.createDatabase(), await logs?.createDatabase()]
    const environment = {
      SQLITE_PATH: join(folder, 'main.db'),
      LOG_SQL_DSN: databases[1]?.dsn ?? `sqlite:${join(folder, 'logs.db')}`,
      ...(databases[0] && { SQL_DSN: databases[0].dsn }),
    }
    server = await startTestServer({ environment, skipsSetup: true })
    leaving.push(
      () => server.close(),
      () => upstream.close(),
      ...databases.map((each) => async () => each?.drop()),
    )
    const operator = await operate(server.address, upstream)
    await server.root.signIn({ username: 'root', password: 'root-password-1' })
    key = await operator.newToken('of the log')
    called = await relayCall({ address: server.address, key, body: { prompt_cache_key: 'a session' } })
    expect(called.status).toBe(200)
  })
  afterAll(async () => {
    for (const leave of leaving) await leave()
    rmSync(folder, { recursive: true })
  })

  const waiting = () => server.server.store.db.selectFrom('logs').select('id').execute()
  const listed = async () => (await server.root.call(routes.log.list, { query: { type: 2 } })).total

  it('a call is moved to the log database', async () => {
    await expect.poll(listed).toBe(1)
    await expect.poll(waiting).toEqual([])
  })

  async function generation(id: string) {
    const response = await fetch(`${server.address}/v1/generation?id=${encodeURIComponent(id)}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(response.status, id).toBe(200)
    return generationSchema.parse(await response.json()).data
  }

  it('the cost of a call is found by the id of its request and by that of its answer', async () => {
    const { id } = answerSchema.parse(JSON.parse(called.text))
    const byRequest = await generation(called.requestId)
    expect(byRequest).toMatchObject({ request_id: called.requestId, upstream_id: id })
    expect(byRequest.total_cost).toBeGreaterThan(0)
    expect(await generation(id)).toMatchObject({ request_id: called.requestId })
  })

  it('a session lists its calls, for operators and for its owner', async () => {
    for (const [list, read] of [
      [routes.callSession.list, routes.callSession.get],
      [routes.callSession.listOwn, routes.callSession.getOwn],
    ] as const) {
      const [session] = (await server.root.call(list, { query: {} })).items
      expect(session).toMatchObject({ calls: 1 })
      const { calls } = await server.root.call(read, {
        params: { session: session?.session ?? '' },
        query: {},
      })
      expect(calls.map((row) => row.request_id)).toEqual([called.requestId])
    }
  })

  it('the operations page has no work left, and the ledger balances', async () => {
    await expect
      .poll(() => server.root.call(operationsRoutes.read))
      .toMatchObject({ open_holds: 0, is_ledger_writable: true, nodes: [{ is_alive: true }] })
    expect((await server.server.ledger.audit()).findings).toEqual([])
  })
})
