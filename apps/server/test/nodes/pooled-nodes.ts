import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import type { TestServer } from '@tollgate/testkit/databases'
import { startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { expect } from 'vitest'
import { operate, relayCall } from './operator.ts'
import { startPgBouncer } from './pgbouncer.ts'
import { type Program, launchProgram, runCommand, startProgram } from './program.ts'

const CALLERS = 16

export interface PooledRun {
  /** Calls that were answered. */
  readonly answered: number
  /** Calls that the killed node took with it. */
  readonly cut: number
  readonly charged: number
}

/**
 * Two nodes start at once on an empty database behind a pooler for transactions, serve calls, one is killed and started again, and
 * the books must balance.
 */
export async function runPooledNodes(server: TestServer, calls: number): Promise<PooledRun> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pooled-'))
  const database = await server.createDatabase()
  const pooler = await startPgBouncer(database.dsn, 'transaction')
  const upstream = await startFakeUpstream()
  const environment = {
    SQL_DSN: pooler.dsn,
    SQL_DIRECT_DSN: database.dsn,
    SQL_POOLER: 'transaction',
  }
  const nodes: Program[] = await Promise.all([
    startProgram(folder, environment),
    startProgram(folder, { ...environment, SQLITE_PATH: join('second', 'tollgate.db') }),
  ])
  try {
    const [first, second] = nodes
    if (!first || !second) throw new Error('both nodes run')
    const { root, newToken } = await operate(first.address, upstream)
    const key = await newToken('everywhere')
    for (const { address } of nodes)
      await expect.poll(async () => (await relayCall({ address, key })).status).toBe(200)
    const agent = new Agent({ keepAlive: true, maxSockets: CALLERS })
    let begun = nodes.length
    let answered = nodes.length
    let cut = 0
    let killed: Promise<unknown> | undefined
    const others: string[] = []
    const callers = Array.from({ length: CALLERS }, async (_, index) => {
      while (begun < calls) {
        begun++
        // The second node is killed in the middle of the run, and its callers go on at the first.
        if (begun > calls / 2 && killed === undefined) {
          second.child.kill('SIGKILL')
          killed = second.ended
        }
        const { address } = killed === undefined && index % 2 === 1 ? second : first
        try {
          const { status, text } = await relayCall({ address, key, agent })
          if (status === 200) answered++
          else others.push(text)
        } catch {
          cut++
        }
      }
    })
    await Promise.all(callers)
    await killed
    agent.destroy()
    expect(others.slice(0, 3)).toEqual([])
    expect(cut).toBeLessThanOrEqual(CALLERS)
    nodes[1] = await startProgram(folder, { ...environment, SQLITE_PATH: join('second', 'tollgate.db') })
    // Every call that reached the upstream is charged, or was cut off by the kill.
    const used = async () => (await root.call(routes.token.list, { query: {} }))[0]?.used_quota ?? 0
    // All calls cost the same; the newest may be one that the kill cut off.
    const { items } = await root.call(routes.log.list, { query: { page_size: 100 } })
    const charge = Math.max(...items.map(({ quota }) => quota))
    expect(charge).toBeGreaterThan(0)
    await expect
      .poll(async () => Math.round((await used()) / charge), { timeout: 120_000 })
      .toBeGreaterThanOrEqual(answered)
    for (const node of nodes) {
      expect(node.printed()).not.toContain('prepared statement')
      expect(node.printed()).not.toContain('"level":60')
    }
    const charged = Math.round((await used()) / charge)
    const stops = nodes.map(async ({ child, ended }) => {
      child.kill('SIGTERM')
      expect(await ended).toBe(0)
    })
    await Promise.all(stops)
    const { code, printed } = await runCommand(folder, { verb: 'audit', environment })
    expect(code, printed).toBe(0)
    return { answered, cut, charged }
  } finally {
    for (const { child, ended } of nodes) {
      child.kill('SIGKILL')
      await ended
    }
    await upstream.close()
    await pooler.stop()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What a start says that must not be: all lines of the refusal. */
export async function readRefusal(environment: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pooled-'))
  const { printed, ended } = launchProgram(folder, environment)
  expect(await ended).toBe(1)
  rmSync(folder, { recursive: true, force: true })
  return printed()
}
