import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallResult, operate, relayCall } from '../nodes/operator.ts'
import { type Program, launchProgram, metric, runCommand, startProgram } from '../nodes/program.ts'
import { isHere } from './here.ts'
import { type OwnPostgres, hasPostgres, startPostgres } from './own-postgres.ts'
import { type ReverseProxy, freePort, startProxy } from './proxies.ts'

/** Two gateways behind each of the shipped reverse proxies, while their database restarts. */

const AWAY_MS = 12_000
const WARM_MS = 15_000
const CALLERS = 12
const CALLS_MIN = 500
const names = (['caddy', 'nginx', 'haproxy'] as const).filter((name) => isHere(name))

describe.skipIf(!hasPostgres() || names.length === 0)('while the database restarts', () => {
  let folder: string
  let database: OwnPostgres
  let upstream: Awaited<ReturnType<typeof startFakeUpstream>>
  let environment: Record<string, string>
  let key: string
  const ports: number[] = []
  const nodes: Program[] = []

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-restart-'))
    database = await startPostgres()
    upstream = await startFakeUpstream()
    environment = { SQL_DSN: database.dsn, TRUSTED_PROXIES: '127.0.0.1', DRAIN_SECONDS: '5' }
    for (let index = 0; index < 2; index++) {
      ports.push(await freePort())
      nodes.push(await startNode(index))
    }
    key = await (await operate(nodes[0]?.address ?? '', upstream)).newToken('everywhere')
  })
  afterAll(async () => {
    for (const { child, ended } of nodes) {
      child.kill('SIGKILL')
      await ended
    }
    await upstream.close()
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const startNode = (index: number, more = {}) =>
    startProgram(folder, { ...environment, PORT: String(ports[index]), ...more })

  /** Calls through the address until `during` is over; a call that broke off is an error. */
  async function callDuring(address: string, during: Promise<void>): Promise<(CallResult | Error)[]> {
    const results: (CallResult | Error)[] = []
    const load = { isOver: false }
    void during.finally(() => (load.isOver = true)).catch(() => undefined)
    const callers = Array.from({ length: CALLERS }, async () => {
      while (!load.isOver) {
        results.push(await relayCall({ address, key }).catch((error: unknown) => new Error(String(error))))
        await sleep(20)
      }
    })
    await Promise.all([during, ...callers])
    return results
  }

  test('both gateways serve the token', async () => {
    for (const { address } of nodes)
      await expect.poll(async () => (await relayCall({ address, key })).status).toBe(200)
  })

  describe.each(names)('behind %s', (name) => {
    let proxy: ReverseProxy
    beforeAll(async () => {
      proxy = await startProxy(name, { folder, nodes: ports })
    })
    afterAll(() => proxy.stop())

    test('every call is answered, because each gateway says that it still serves', async () => {
      // A gateway sets aside what the pace of a caller has needed.
      expect(lost(await callDuring(proxy.address, sleep(WARM_MS)))).toEqual([])
      const seen = new Set<string>()
      const watched = (async () => {
        const restarted = database.crash(AWAY_MS)
        const outage = { isOver: false }
        void restarted.finally(() => (outage.isOver = true)).catch(() => undefined)
        while (!outage.isOver) {
          for (const { address } of nodes) {
            const answer = await fetch(`${address}/readyz`)
            seen.add(`${answer.status} ${await answer.text()}`)
          }
          await sleep(200)
        }
        await restarted
      })()
      const results = await callDuring(proxy.address, watched)
      process.stdout.write(
        `${name}: ${results.length} calls, ${lost(results).length} lost in ${AWAY_MS} ms\n`,
      )
      expect(lost(results).slice(0, 3)).toEqual([])
      expect(results.length).toBeGreaterThan(CALLS_MIN)
      expect([...seen]).toContain('200 {"status":"degraded","reason":"database"}')
      expect([...seen].filter((each) => each.startsWith('503'))).toEqual([])
      for (const { address } of nodes)
        await expect.poll(async () => (await fetch(`${address}/readyz`)).text()).toBe('{"status":"ready"}')
    }, 180_000)

    test.skipIf(name === 'nginx')(
      'callers get JSON when no gateway is ready',
      async () => {
        for (const { child, ended } of nodes.splice(0)) {
          child.kill('SIGTERM')
          await ended
        }
        await expect
          .poll(() => readRefusal(proxy.address), { timeout: 60_000 })
          .toMatch(/^503 application\/json 2 \{"type":"error","error"/)
        for (const index of ports.keys()) nodes.push(await startNode(index))
        await expect
          .poll(async () => (await relayCall({ address: proxy.address, key })).status, { timeout: 60_000 })
          .toBe(200)
      },
      180_000,
    )
  })

  test('an update to a wrong address of the database stops at the first gateway', async () => {
    const wrong = { SQL_DSN: `postgres://postgres@127.0.0.1:${await freePort()}/postgres` }
    const [first, second] = nodes
    if (!first || !second) throw new Error('both gateways run')
    const update = (async () => {
      first.child.kill('SIGTERM')
      await first.ended
      const next = launchProgram(folder, { ...environment, ...wrong, PORT: String(ports[0]) })
      expect(await next.ended).toBe(1)
      expect(next.printed()).toContain('Tollgate cannot start.')
    })()
    const results = await callDuring(second.address, update)
    expect(lost(results)).toEqual([])
    expect(await metric(second.address, 'ledger_writable')).toBe(1)
    nodes[0] = await startNode(0)
  }, 180_000)

  test('the books balance after all of it', async () => {
    const { code, printed } = await runCommand(folder, { verb: 'audit', environment })
    expect(code, printed).toBe(0)
  })
})

function lost(results: readonly (CallResult | Error)[]) {
  return results.filter((result) => result instanceof Error || result.status !== 200)
}

async function readRefusal(address: string): Promise<string> {
  const response = await fetch(`${address}/v1/chat/completions`, { method: 'POST', body: '{}' })
  const type = response.headers.get('content-type') ?? ''
  return `${response.status} ${type} ${response.headers.get('retry-after')} ${await response.text()}`
}
