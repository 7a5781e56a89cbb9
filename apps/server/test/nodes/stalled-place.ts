import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomToken } from '@tollgate/kit/ids'
import { openStore } from '@tollgate/store/database/open-store'
import type { TestServer } from '@tollgate/testkit/databases'
import { writeNewDatabase } from '@tollgate/testkit/new-store'
import type { TcpProxy } from '@tollgate/testkit/tcp-proxy'
import { sql } from 'kysely'
import { type Program, metric, runCommand, startProgram } from './program.ts'
import { openLineTo, routeThrough } from './town.ts'

/** Gateways in processes of their own over a database that can be made to stand still. */
export interface StalledPlace {
  readonly addresses: readonly string[]
  /** Rows of the database, which are read beside the gateways. */
  query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Whether commits are carried out while their answers do not arrive. Otherwise they have to wait. */
  readonly losesAnswers: boolean
  /** From now on nothing that is committed is answered. */
  begin(): void
  /** Nothing passes for this long; then everything works again. */
  endAfter(ms: number): Promise<void>
  /** Sum over all processes. */
  metricOf(name: string): Promise<number>
  /** Runs a command beside the gateways; resolves to its output and exit code. */
  run(verb: 'audit' | 'recompute'): Promise<{ code: number | string | null; printed: string }>
  /** What the processes said about accounts that they mended. */
  readMended(): readonly string[]
  close(): Promise<void>
}

const ENVIRONMENT = { SYNC_FREQUENCY: '3600', TRUSTED_PROXIES: '127.0.0.1' }

/** One process, or workers, over a SQLite file, whose write lock a second connection can hold. */
export async function openStalledFile({ workers }: { readonly workers: number }): Promise<StalledPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-stalled-'))
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  const path = join(folder, 'data', 'tollgate.db')
  await writeNewDatabase(path)
  const environment = { ...ENVIRONMENT, ...(workers > 1 && { WORKERS: String(workers) }) }
  const program = await startProgram(folder, environment)
  const other = new DatabaseSync(path)
  other.exec('pragma busy_timeout = 10000')
  return {
    addresses: [program.address],
    query: async (text) => other.prepare(text).all(),
    losesAnswers: false,
    begin: () => other.exec('begin immediate'),
    endAfter: async (ms) => {
      await sleep(ms)
      other.exec('rollback')
    },
    metricOf: (name) => metric(program.address, name),
    run: (verb) => runCommand(folder, { verb, environment }),
    readMended: () => findMendingLines([program]),
    close: async () => {
      other.close()
      await end([program])
      rmSync(folder, { recursive: true })
    },
  }
}

/** Nodes over a database server, each with a network to it that can be made to pass nothing. */
export async function openStalledServer(
  server: TestServer,
  { nodes }: { readonly nodes: number },
): Promise<StalledPlace> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-stalled-'))
  const database = await server.createMigrated()
  const environment = { ...ENVIRONMENT, CRYPTO_SECRET: `crypto secret of ${randomToken(12)}` }
  const lines: TcpProxy[] = []
  const programs: Program[] = []
  for (let index = 0; index < nodes; index++) {
    const line = await openLineTo(database.dsn)
    lines.push(line)
    programs.push(await startProgram(folder, { ...environment, SQL_DSN: routeThrough(line, database.dsn) }))
  }
  const judge = await openStore({ dsn: database.dsn })
  let stalls = 0
  return {
    addresses: programs.map(({ address }) => address),
    query: async (text) => (await sql.raw<Record<string, unknown>>(text).execute(judge.db)).rows,
    losesAnswers: true,
    begin: () => {
      for (const line of lines) line.deafenAt('commit')
    },
    endAfter: async (ms) => {
      if (ms > 0) for (const line of lines) line.freeze()
      await sleep(ms)
      // Every other time the connections break, so that what they still carry is lost.
      if (++stalls % 2 === 0) for (const each of lines) each.reset()
      for (const each of lines) each.thaw()
    },
    metricOf: async (name) => {
      const figures = await Promise.all(programs.map(({ address }) => metric(address, name)))
      return figures.reduce((sum, figure) => sum + figure, 0)
    },
    run: (verb) => runCommand(folder, { verb, environment: { ...environment, SQL_DSN: database.dsn } }),
    readMended: () => findMendingLines(programs),
    close: async () => {
      await end(programs)
      for (const line of lines) await line.close()
      await judge.close()
      await database.drop()
      rmSync(folder, { recursive: true })
    },
  }
}

function findMendingLines(programs: readonly Program[]): readonly string[] {
  const lines = programs.flatMap((program) => program.printed().split('\n'))
  return lines.filter((line) => line.includes('which is mended'))
}

async function end(programs: readonly Program[]): Promise<void> {
  for (const { child } of programs) child.kill('SIGTERM')
  const killed = setTimeout(() => {
    for (const { child } of programs) child.kill('SIGKILL')
  }, 20_000)
  await Promise.all(programs.map(({ ended }) => ended))
  clearTimeout(killed)
}
