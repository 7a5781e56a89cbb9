import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { openStore } from '@tollgate/store/database/open-store'
import { openView } from '@tollgate/store/database/open-view'
import { type TestServer as DatabaseServer, answeringServers } from '@tollgate/testkit/databases'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { sampleLog } from '@tollgate/testkit/sample-call'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runExport } from '../src/commands/export/run-export.ts'
import { type TestServer, startTestServer } from './harness.ts'
import { operate, relayCall } from './nodes/operator.ts'

type Place = { readonly dsn: string } | { readonly sqlitePath: string }
const exportedRow = z.object({ request_id: z.string(), channel_name: z.string() })

/**
 * The usage log in a database of its own: rows are written to the main database and moved to the log
 * database, where they are read.
 */

const servers = await answeringServers()
const postgres = servers.find(({ label }) => label === 'PostgreSQL')
const mysql = servers.find(({ label }) => label !== 'PostgreSQL')
const pairs: readonly { name: string; main?: DatabaseServer; logs?: DatabaseServer }[] = [
  { name: 'SQLite beside SQLite' },
  ...(postgres && mysql ? [{ name: `${mysql.label} beside PostgreSQL`, main: postgres, logs: mysql }] : []),
]

describe.each(pairs)('the usage log in $name', ({ main, logs }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
  const leaving: (() => Promise<unknown>)[] = []
  let server: TestServer
  let upstream: FakeUpstream
  let line: TcpProxy | undefined
  let mainPlace: Place
  let logPlace: Place
  let key = ''

  beforeAll(async () => {
    upstream = await startFakeUpstream()
    const mainDatabase = await main?.createMigrated()
    const logDatabase = await logs?.createDatabase()
    logPlace = logDatabase ? { dsn: logDatabase.dsn } : { sqlitePath: join(folder, 'logs.db') }
    let address = `sqlite:${join(folder, 'logs.db')}`
    if (logDatabase) {
      const url = new URL(logDatabase.dsn)
      line = await openTcpProxy({ host: url.hostname, port: Number(url.port) })
      url.host = `${line.host}:${line.port}`
      address = url.href
    }
    const sqlitePath = join(folder, 'main.db')
    const environment = {
      SQLITE_PATH: sqlitePath,
      LOG_SQL_DSN: address,
      ...(mainDatabase && { SQL_DSN: mainDatabase.dsn }),
    }
    server = await startTestServer({ environment, skipsSetup: true })
    const operator = await operate(server.address, upstream)
    mainPlace = mainDatabase ? { dsn: mainDatabase.dsn } : { sqlitePath }
    await server.root.signIn({ username: 'root', password: 'root-password-1' })
    key = await operator.newToken('of the log')
    leaving.push(
      () => server.close(),
      () => upstream.close(),
      async () => line?.close(),
      async () => mainDatabase?.drop(),
      async () => logDatabase?.drop(),
    )
  })
  afterAll(async () => {
    for (const leave of leaving) await leave()
    rmSync(folder, { recursive: true })
  })

  const call = async (): Promise<void> =>
    expect(await relayCall({ address: server.address, key })).toMatchObject({ status: 200 })
  const consumed = { type: 2 }
  const listed = () => server.root.call(routes.log.list, { query: consumed })
  /** Not the total, which is read from sums that also have what was removed. */
  const countListed = async (): Promise<number> => (await listed()).items.length
  const waiting = async (): Promise<number> =>
    (await server.server.store.db.selectFrom('logs').select('id').execute()).length

  it('lists, totals and channel names are read from the log database', async () => {
    for (let made = 0; made < 5; made++) await call()
    await expect.poll(async () => (await listed()).total).toBe(5)
    const { items } = await listed()
    expect(items.map((row) => `${row.channel_name}: ${row.token_name}`)).toEqual(
      Array(5).fill('upstream: of the log'),
    )
    const { count, quota } = await server.root.call(routes.log.stat, { query: consumed })
    expect(count).toBe(5)
    expect(quota).toBe(items.reduce((sum, row) => sum + row.quota, 0))
    await expect.poll(waiting).toBe(0)
    const own = await server.root.call(routes.log.listOwn, { query: consumed })
    expect(own.total).toBe(5)
    expect((await server.server.ledger.audit()).findings).toEqual([])
  })

  it('a file is exported from the log database, newest first, with channel names', async () => {
    const response = await server.root.fetch('/api/log/export?format=jsonl&type=2')
    const lines = (await response.text()).trim().split('\n')
    const exported = z.array(exportedRow).parse(lines.map((one): unknown => JSON.parse(one)))
    const { items } = await listed()
    expect(exported.map(({ request_id: id }) => id)).toEqual(items.map(({ request_id: id }) => id))
    expect(new Set(exported.map(({ channel_name: name }) => name))).toEqual(new Set(['upstream']))
  })

  it('the export command also includes rows not moved yet, each row once', async () => {
    const { db } = server.server.store
    const [moved] = (await listed()).items
    const id = moved?.request_id ?? ''
    // This row has been copied but not deleted from the main database yet; a late settlement has changed it
    // meanwhile.
    await db
      .insertInto('logs')
      .values({ ...sampleLog(id), quota: 77n })
      .execute()
    const lines: string[] = []
    const counts = await runExport({
      view: await openView(mainPlace),
      logs: await openView(logPlace),
      withLogs: true,
      cipher: undefined,
      nowMs: 0,
      write: async (one) => void lines.push(one),
    })
    await expect.poll(waiting).toBe(0)
    const rows = lines.filter((one) => one.startsWith('{"table":"logs"'))
    expect(counts.get('logs')).toBe(rows.length)
    expect(rows.filter((one) => one.includes(`"${id}"`))).toEqual([expect.stringContaining('"quota":"77"')])
    for (const row of (await listed()).items)
      expect(rows.filter((one) => one.includes(row.request_id))).toHaveLength(1)
  })

  if (logs)
    it('rows wait in the main database while the log database is unreachable, and calls are not affected', async () => {
      await line?.goDown()
      for (let made = 0; made < 3; made++) await call()
      await expect.poll(waiting).toBeGreaterThanOrEqual(3)
      await line?.comeBack()
      await expect.poll(async () => (await listed()).total, { timeout: 60_000 }).toBe(8)
      await expect.poll(waiting).toBe(0)
    })

  it('old rows are deleted from the log database; those of hours without sums stay', async () => {
    const now = Math.floor(Date.now() / 1000)
    const before = await countListed()
    for (const id of ['old row 1', 'old row 2'])
      await server.server.store.db
        .insertInto('logs')
        .values({ ...sampleLog(id), created_at: now - 2 * 86_400 })
        .execute()
    await expect.poll(countListed).toBe(before + 2)
    await expect.poll(waiting).toBe(0)
    const query = { target_timestamp: now - 86_400 }
    expect(await server.root.call(routes.log.removeOld, { query })).toBeGreaterThanOrEqual(2)
    expect((await listed()).items.map(({ created_at: at }) => at > now - 86_400)).not.toContain(false)
    const recent = await countListed()
    expect(recent).toBeGreaterThanOrEqual(before - 1)
    await server.root.call(routes.log.removeOld, { query: { target_timestamp: now } })
    expect(await countListed()).toBe(recent)
  })

  it('after a stop the log database can be opened as any other and has the rows', async () => {
    const before = await countListed()
    await call()
    await expect.poll(countListed).toBe(before + 1)
    await expect.poll(waiting).toBe(0)
    await server.close()
    leaving.shift()
    const store = await openStore(logPlace)
    const rows = await store.db.selectFrom('logs').selectAll().where('type', '=', 2).execute()
    await store.close()
    expect(rows).toHaveLength(before + 1)
  })
})

it.each([
  ['postgres://postgres@127.0.0.1:1/nowhere', /LOG_SQL_DSN: .*cannot be reached/],
  ['redis://a@b/c', /LOG_SQL_DSN.* begins with redis:\/\//],
  ['sqlite:/dev/null/logs.db', /LOG_SQL_DSN: .*logs\.db/],
])('LOG_SQL_DSN=%s prevents the start, with one line', async (address, words) => {
  const started = startTestServer({ environment: { LOG_SQL_DSN: address }, isInMemory: true })
  const error: unknown = await started.then(
    () => 'it started',
    (cause: unknown) => cause,
  )
  expect(String(error)).toMatch(words)
  expect(String(error).split('\n')).toHaveLength(1)
})
