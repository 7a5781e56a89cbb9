import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { randomToken } from '@tollgate/kit/ids'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, Visitor } from '../harness.ts'
import { type Operator, operate, relayCall } from './operator.ts'
import { type Program, metric, runCommand, startProgram } from './program.ts'

/** The disk of the gateway fills up during calls: a small file system in memory, which only root may mount. */

const CALLS = 200
const DISK_MIB = 96
const mayMount = process.platform === 'linux' && process.getuid?.() === 0
const postgres = (await answeringServers()).find(({ label }) => label === 'PostgreSQL')
const engines = [
  { name: 'SQLite', open: async (): Promise<TestDatabase | undefined> => undefined },
  ...(postgres ? [{ name: 'PostgreSQL', open: () => postgres.createMigrated() }] : []),
]

describe.skipIf(!mayMount).each(engines)('a full disk under $name', ({ name, open }) => {
  let folder: string
  let disk: string
  let database: TestDatabase | undefined
  let upstream: FakeUpstream
  let line: TcpProxy
  let environment: Record<string, string>
  let program: Program
  let operator: Operator
  let key: string
  let charge = 0

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-full-'))
    disk = join(folder, 'data')
    mkdirSync(disk)
    mount(['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk])
    database = await open()
    upstream = await startFakeUpstream()
    const { hostname: host, port } = new URL(upstream.url)
    line = await openTcpProxy({ host, port: Number(port) })
    environment = {
      ...(database && { SQL_DSN: database.dsn }),
      CRYPTO_SECRET: `crypto secret of ${randomToken(12)}`,
    }
    program = await startProgram(folder, environment)
    operator = await operate(program.address, { url: `http://${line.host}:${line.port}` })
    key = await operator.newToken('on a full disk')
    expect((await relayCall({ address: program.address, key })).status).toBe(200)
    charge = await usedQuota()
    expect(charge).toBeGreaterThan(0)
  })
  afterAll(async () => {
    program.child.kill('SIGKILL')
    await program.ended
    await line.close()
    await upstream.close()
    spawnSync('umount', ['--lazy', disk])
    rmSync(folder, { recursive: true, force: true })
    await database?.drop()
  })

  const filler = () => join(disk, 'filler')
  const free = () => rmSync(filler(), { force: true })

  function fill(): void {
    const piece = Buffer.alloc(64 * 1024)
    try {
      for (;;) writeFileSync(filler(), piece, { flag: 'a' })
    } catch (error) {
      expect(String(error)).toContain('ENOSPC')
    }
  }

  async function usedQuota(): Promise<number> {
    const [token] = await operator.root.call(routes.token.list, { query: {} })
    return token?.used_quota ?? 0
  }

  const isFull = () => metric(program.address, 'disk_full')
  const tryCall = async () => (await relayCall({ address: program.address, key })).status

  test.each([1, 2])(
    `time %i: ${CALLS} calls in flight are charged to the unit, and others are refused`,
    async () => {
      const before = { used: await usedQuota(), served: upstream.book.length }
      line.freeze()
      const calls = Array.from({ length: CALLS }, () => relayCall({ address: program.address, key }))
      // A call that still waits for its quota is not admitted yet, and would be refused.
      await expect.poll(() => metric(program.address, 'ledger_open_holds'), { timeout: 60_000 }).toBe(CALLS)
      fill()
      line.thaw()
      const answers = await Promise.all(calls)
      expect(answers.filter(({ status }) => status !== 200)).toEqual([])

      await expect.poll(tryCall, { timeout: 30_000 }).toBe(503)
      const refused = await relayCall({ address: program.address, key })
      expect(JSON.parse(refused.text)).toMatchObject({ error: { code: expect.any(String) } })
      expect(await isFull()).toBe(1)
      expect(await metric(program.address, 'disk_free_bytes')).toBeLessThan(16 * 1024 * 1024)
      for (const path of ['/livez', '/api/status', '/api/notice'])
        expect((await fetch(`${program.address}${path}`)).status).toBe(200)
      const visitor = new Visitor(program.address)
      await visitor.signIn(ROOT)
      const target_timestamp = Math.floor(Date.now() / 1000) - 3600
      await visitor.call(routes.log.removeOld, { query: { target_timestamp } })

      free()
      await expect.poll(tryCall, { timeout: 60_000 }).toBe(200)
      expect(await isFull()).toBe(0)
      const served = upstream.book.length - before.served
      await expect.poll(async () => (await usedQuota()) - before.used).toBe(served * charge)
      expect(served).toBeGreaterThan(CALLS)
      process.stdout.write(`${name}: ${served} calls around a full disk, each charged ${charge}\n`)
    },
    180_000,
  )

  test('it starts on a full disk, refuses calls, serves pages and recovers by itself', async () => {
    fill()
    await expect.poll(tryCall, { timeout: 30_000 }).toBe(503)
    program.child.kill('SIGKILL')
    await program.ended
    program = await startProgram(folder, environment)
    // What was kept for the start may cover a first call.
    await expect.poll(tryCall, { timeout: 30_000 }).toBe(503)
    const visitor = new Visitor(program.address)
    await visitor.signIn(ROOT)
    expect((await fetch(`${program.address}/livez`)).status).toBe(200)
    expect((await fetch(`${program.address}/readyz`)).status).toBe(503)
    free()
    await expect.poll(tryCall, { timeout: 60_000 }).toBe(200)
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    const { code, printed } = await runCommand(folder, { verb: 'audit', environment })
    expect(code, printed).toBe(0)
  }, 180_000)
})

function mount(args: readonly string[]): void {
  const { status, stderr } = spawnSync('mount', [...args], { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}
