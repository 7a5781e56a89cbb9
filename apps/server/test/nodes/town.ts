import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomToken } from '@tollgate/kit/ids'
import { readGauges } from '@tollgate/ledger/reads'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import type { TestServer } from '@tollgate/testkit/databases'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { TestRedis } from '@tollgate/testkit/redis'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { expect } from 'vitest'
import { Visitor } from '../harness.ts'
import { type Operator, operate } from './operator.ts'
import { type Program, metric, runCommand, startProgram } from './program.ts'

/**
 * Several gateways in processes of their own over one database and one Redis, with TCP proxies that can cut
 * the connections between them.
 */
export interface Town {
  readonly nodes: readonly [first: Program, second: Program, slave: Program]
  /** Signed in at the first node. */
  readonly operator: Operator
  readonly upstream: FakeUpstream
  /** Between all nodes and the upstream. */
  readonly upstreamLine: TcpProxy
  /** Between the second node alone and the database. */
  readonly databaseLine: TcpProxy
  /** Between all nodes and Redis. */
  readonly redisLine: TcpProxy
  /** Direct access to the database, unaffected by the proxies. */
  readonly judge: Store
  /** Starts another node with the configuration of the second one. */
  startAgain(): Promise<Program>
  /** Output and exit code of `npm run audit`. */
  audit(): Promise<{ code: number | string | null; printed: string }>
  /** The same signed-in user at another node. */
  at(node: Program, visitor?: Visitor): Visitor
  close(): Promise<void>
}

export const CRITICAL_LIMIT = 20

export interface TownOptions {
  /** The second node keeps its journal where no other node reads it, as on a machine of its own. */
  readonly isSecondApart?: boolean
}

export async function openTown(
  server: TestServer,
  redis: TestRedis,
  { isSecondApart = false }: TownOptions = {},
): Promise<Town> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-town-'))
  const database = await server.createMigrated()
  const upstream = await startFakeUpstream()
  const upstreamLine = await openLineTo(upstream.url)
  const databaseLine = await openLineTo(database.dsn)
  const redisLine = await openLineTo(redis.url)
  const environment = {
    SQL_DSN: database.dsn,
    REDIS_CONN_STRING: routeThrough(redisLine, redis.url),
    CRYPTO_SECRET: `crypto secret of ${randomToken(12)}`,
    // No periodic reload, so that changes can only arrive through notices.
    SYNC_FREQUENCY: '3600',
    TRUSTED_PROXIES: '127.0.0.1',
    CRITICAL_RATE_LIMIT: String(CRITICAL_LIMIT),
  }
  const first = await startProgram(folder, environment)
  const startSecond = () =>
    startProgram(folder, {
      ...environment,
      SQL_DSN: routeThrough(databaseLine, database.dsn),
      ...(isSecondApart && { SQLITE_PATH: join('second', 'tollgate.db') }),
    })
  const [second, slave] = await Promise.all([
    startSecond(),
    startProgram(folder, { ...environment, NODE_TYPE: 'slave' }),
  ])
  const nodes = [first, second, slave] as const
  const running: Program[] = [...nodes]
  const judge = await openStore({ dsn: database.dsn })
  const operator = await operate(first.address, { url: routeThrough(upstreamLine, upstream.url) })
  return {
    nodes,
    operator,
    upstream,
    upstreamLine,
    databaseLine,
    redisLine,
    judge,
    startAgain: async () => {
      const again = await startSecond()
      running.push(again)
      return again
    },
    audit: () => runCommand(folder, { verb: 'audit', environment }),
    at: ({ address }, visitor = operator.root) => {
      const { cookie, id } = visitor
      return Object.assign(new Visitor(address), { cookie, id })
    },
    close: async () => {
      for (const { child } of running) child.kill('SIGKILL')
      await Promise.all(running.map(({ ended }) => ended))
      for (const line of [upstreamLine, databaseLine, redisLine]) await line.close()
      await upstream.close()
      await judge.close()
      await database.drop()
      rmSync(folder, { recursive: true })
    },
  }
}

/** A network to this server. */
export function openLineTo(url: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(url)
  return openTcpProxy({ host: hostname, port: Number(port || 6379) })
}

/** The same address through the network. */
export function routeThrough({ host, port }: TcpProxy, to: string): string {
  const url = new URL(to)
  url.hostname = host
  url.port = String(port)
  // An http URL without a path would otherwise end with a slash.
  return url.href.replace(/\/$/, '')
}

/** Allotments of users and tokens with calls in flight, as of the last fold of their node. */
export function allotmentsInUse({ judge }: Town) {
  return judge.db.selectFrom('allotment').selectAll().where('open_holds', '>', 0).execute()
}

/** The instance id of a node that has calls in flight. */
export async function holderOf(town: Town): Promise<string> {
  const [row] = await allotmentsInUse(town)
  if (!row) throw new Error('no call is in flight')
  return row.instance_id
}

/** What the calls in flight hold of their users, if their tokens are unlimited. */
export async function amountHeld(town: Town): Promise<bigint> {
  return (await allotmentsInUse(town)).reduce((sum, { amount, free }) => sum + amount - free, 0n)
}

/** Calls in flight of all nodes, as of their last fold. */
export async function openHolds({ judge }: Town): Promise<number> {
  return (await readGauges(judge.db, 0)).openHolds
}

/** Resets the heartbeat of an instance, as if it had not sent one for half a minute. */
export async function fallSilent({ judge }: Town, instanceId: string): Promise<void> {
  await judge.db.updateTable('instance').set({ heartbeat_ms: 0 }).where('id', '=', instanceId).execute()
}

export async function sumOf(nodes: readonly Program[], name: string): Promise<number> {
  const figures = await Promise.all(nodes.map(({ address }) => metric(address, name)))
  return figures.reduce((sum, figure) => sum + figure, 0)
}

export async function expectBalanced(town: Town): Promise<void> {
  await expect.poll(() => openHolds(town)).toBe(0)
  const { code, printed } = await town.audit()
  expect(printed).toContain('The books balance.')
  expect(code).toBe(0)
}
