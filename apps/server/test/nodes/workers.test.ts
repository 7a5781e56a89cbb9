import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@tollgate/contract/routes'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { writeNewDatabase } from '@tollgate/testkit/new-store'
import { type TcpProxy, openTcpProxy } from '@tollgate/testkit/tcp-proxy'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Visitor } from '../harness.ts'
import { type CallResult, type Operator, operate, relayCall } from './operator.ts'
import { type Program, launchProgram, metric, runCommand, startProgram } from './program.ts'

/** Several worker processes on one machine behind one port, over one SQLite file. */

const WORKERS = 2
const isLong = process.env['TOLLGATE_FAULTS'] === 'long'
const AT_ONCE = isLong ? 200 : 100
const RACES = isLong ? 50 : 2
const KILLS = isLong ? 10 : 1
/** After the first worker serves: before the second one does, and after it does. */
const STOPS_AFTER_MS = isLong ? [300, 1_500] : [300]
let folder: string
let upstream: FakeUpstream
const programs: Omit<Program, 'address'>[] = []

async function open(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-workers-'))
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  await writeNewDatabase(join(folder, 'data', 'tollgate.db'))
  upstream = await startFakeUpstream()
}

async function close(): Promise<void> {
  for (const program of programs.splice(0)) {
    program.child.kill('SIGKILL')
    await program.ended
    // The workers exit by themselves when their parent is gone.
    while (workersOf(program).some(isAlive)) await sleep(20)
  }
  await upstream.close()
  rmSync(folder, { recursive: true })
}

async function start(environment: Record<string, string> = {}): Promise<Program> {
  const program = await startProgram(folder, { WORKERS: String(WORKERS), ...environment })
  programs.push(program)
  return program
}

async function audit(): Promise<void> {
  const { code, printed } = await runCommand(folder, { verb: 'audit', environment: {} })
  expect(printed).toContain('The books balance.')
  expect(code).toBe(0)
}

/** Process ids of the serving workers, read from the log. */
function workersOf(program: Pick<Program, 'printed'>): readonly number[] {
  const serving = new Set<number>()
  for (const [, pid, what] of program
    .printed()
    .matchAll(/"worker":(\d+),"msg":"(?:worker is ready and|a worker) (serves|ended unexpectedly)/g)) {
    if (what === 'serves') serving.add(Number(pid))
    else serving.delete(Number(pid))
  }
  return [...serving]
}

describe('two workers', () => {
  let line: TcpProxy
  let program: Program
  let operator: Operator
  beforeAll(async () => {
    await open()
    const { hostname: host, port } = new URL(upstream.url)
    line = await openTcpProxy({ host, port: Number(port) })
    program = await start({ CRITICAL_RATE_LIMIT: '12', TRUSTED_PROXIES: '127.0.0.1' })
    operator = await operate(program.address, { url: `http://${line.host}:${line.port}` })
  })
  afterAll(async () => {
    await close()
    await line.close()
  })

  test('a change through one worker takes effect at all workers, and every call is in the ledger', async () => {
    const { address } = program
    const statuses: number[] = []
    for (let round = 0; round < 10; round++) {
      const key = await operator.newToken(`token ${round}`)
      const calls = await Promise.all(Array.from({ length: 2 * WORKERS }, () => relayCall({ address, key })))
      statuses.push(...calls.map(({ status }) => status))
    }
    expect(statuses).toEqual(Array(20 * WORKERS).fill(200))
    const [token] = await operator.root.call(routes.token.list, { query: {} })
    await operator.root.call(routes.token.remove, { params: { id: token?.id ?? 0 } })
    expect(upstream.book).toHaveLength(20 * WORKERS)
  })

  test('a rate limit is shared by all workers', async () => {
    const tries = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const response = await new Visitor(program.address).fetch('/api/user/login', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            connection: 'close',
            'x-forwarded-for': '203.0.113.7',
          },
          body: JSON.stringify({ username: `nobody${index}`, password: 'wrong-password' }),
        })
        return response.status
      }),
    )
    expect(tries.filter((status) => status !== 429)).toHaveLength(12)
  })

  test(`of ${AT_ONCE} concurrent calls at all workers exactly those that the balance covers are admitted, ${RACES} times`, async () => {
    const { address } = program
    const { root, newToken } = operator
    const openHolds = () => metric(address, 'ledger_open_holds')
    const begin = async (key: string, count: number) => {
      await expect.poll(openHolds).toBe(0)
      line.freeze()
      return Array.from({ length: count }, () => relayCall({ address, key }))
    }
    const [probe] = await begin(await newToken('probe'), 1)
    await expect.poll(openHolds).toBe(1)
    const held = amountHeld()
    line.thaw()
    await probe
    let admitted = 0
    for (let race = 0; race < RACES; race++) {
      const places = 1 + ((race * 37 + 60) % (AT_ONCE - 1))
      const body = { name: `race ${race}`, remain_quota: held * places + 1 }
      const { key } = await root.call(routes.token.create, { body })
      const calls = await begin(key, AT_ONCE)
      let answered = 0
      for (const call of calls) void call.finally(() => answered++)
      await expect.poll(() => answered, { timeout: 120_000 }).toBe(AT_ONCE - places)
      await expect.poll(openHolds).toBe(places)
      line.thaw()
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(places)
      admitted += places
    }
    process.stdout.write(`${RACES} races of ${AT_ONCE} calls, ${admitted} admitted, none too many\n`)
  }, 600_000)

  test('a stop during streams lets them finish and exits with 0', async () => {
    const { address, child, ended } = program
    const key = await operator.newToken('streams')
    const body = { stream: true, metadata: { tokens: 12, delay_ms: 100 } }
    const begun = upstream.book.length + 20
    const calls = Array.from({ length: 20 }, () => relayCall({ address, key, body }))
    while (upstream.book.length < begun) await sleep(10)
    child.kill('SIGTERM')
    for (const { status, text } of await Promise.all(calls)) {
      expect(status).toBe(200)
      expect(text).toContain('[DONE]')
    }
    expect(await ended).toBe(0)
    await audit()
  })
})

/** What the one running call holds of its user; its token is unlimited. */
function amountHeld(): number {
  const database = new DatabaseSync(join(folder, 'data', 'tollgate.db'), { readOnly: true })
  const row = database.prepare('select sum(amount - free) as held from allotment where open_holds > 0').get()
  database.close()
  return Number(row?.['held'])
}

describe('a process that is killed', () => {
  let program: Program
  let operator: Operator
  beforeAll(async () => {
    await open()
    program = await start()
    operator = await operate(program.address, upstream)
  })
  afterAll(close)

  test('a worker is replaced and its calls are settled, and no other call fails', async () => {
    const { address } = program
    const key = await operator.newToken('under load')
    const results: (CallResult | Error)[] = []
    const load = { isOver: false }
    const callers = Array.from({ length: 8 }, async () => {
      while (!load.isOver) {
        const body = { metadata: { delay_ms: 80 } }
        results.push(
          await relayCall({ address, key, body }).catch((error: unknown) => new Error(String(error))),
        )
      }
    })
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(1_500)
      const [victim] = workersOf(program)
      if (victim === undefined) throw new Error(program.printed())
      process.kill(victim, 'SIGKILL')
      while (workersOf(program).includes(victim) || workersOf(program).length < WORKERS) await sleep(50)
    }
    const enough = results.length + 20
    while (results.length < Math.max(100, enough)) await sleep(20)
    load.isOver = true
    await Promise.all(callers)
    const failed = results.filter((result) => result instanceof Error)
    const others = results.filter((result) => !(result instanceof Error) && result.status !== 200)
    process.stdout.write(`${results.length} calls, ${failed.length} cut off by ${KILLS} kills\n`)
    expect(others).toEqual([])
    expect(results.length).toBeGreaterThanOrEqual(100)
    // At most the calls that were running in the killed processes.
    expect(failed.length).toBeLessThanOrEqual(KILLS * 8)
    // The last byte of a response may arrive before the call is settled. A hold that is never settled makes the
    // test time out.
    while ((await metric(address, 'ledger_open_holds')) > 0) await sleep(50)
    expect(program.printed().match(/a worker ended unexpectedly/g)).toHaveLength(KILLS)
  }, 120_000)

  test('the workers of a parent exit, and the next start recovers their calls', async () => {
    const { address, child } = program
    const key = await operator.newToken('recovered')
    const body = { metadata: { delay_ms: 60_000 } }
    const begun = upstream.book.length + 6
    const calls = Array.from({ length: 6 }, () => relayCall({ address, key, body }).catch(() => undefined))
    while (upstream.book.length < begun) await sleep(10)
    const workers = workersOf(program)
    expect(workers).toHaveLength(WORKERS)
    child.kill('SIGKILL')
    await Promise.all(calls)
    while (workers.some(isAlive)) await sleep(20)
    const again = await start()
    expect(await metric(again.address, 'ledger_open_holds')).toBe(0)
    again.child.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    await audit()
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a stop', () => {
  beforeEach(open)
  afterEach(close)

  test('soon after the first worker serves lets its streams finish and charges them in full', async () => {
    const first = await start({ WORKERS: '1' })
    const key = await (await operate(first.address, upstream)).newToken('early streams')
    const body = { stream: true, metadata: { tokens: 12, delay_ms: 300 } }
    await relayCall({ address: first.address, key, body })
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const whole = chargesInTheBooks()
    expect(whole).toEqual([{ amount: expect.any(Number), flags: '' }])

    for (const [round, afterMs] of STOPS_AFTER_MS.entries()) {
      const port = await freePort()
      const second = launchProgram(folder, { WORKERS: String(WORKERS), PORT: String(port) })
      programs.push(second)
      const address = `http://127.0.0.1:${port}`
      while (!(await fetch(`${address}/api/status`).catch(() => undefined))?.ok) await sleep(5)
      const servedMs = performance.now()
      const calls = Array.from({ length: 20 }, () => relayCall({ address, key, body }))
      while (upstream.book.length < 21 + round * 20) await sleep(10)
      await sleep(Math.max(0, afterMs - (performance.now() - servedMs)))
      second.child.kill('SIGTERM')
      for (const { status, text } of await Promise.all(calls)) {
        expect(status).toBe(200)
        expect(text).toContain('[DONE]')
      }
      expect(await second.ended).toBe(0)
      expect(chargesInTheBooks()).toEqual(Array(21 + round * 20).fill(whole[0]))
    }
    await audit()
  })

  test('before any worker serves exits with 0', async () => {
    const program = launchProgram(folder, { WORKERS: String(WORKERS) })
    programs.push(program)
    while (!program.printed().includes('starting the workers')) await sleep(5)
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    await audit()
  })

  test('an error that prevents all workers from starting is printed once', async () => {
    const occupant = createServer().listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    const address = occupant.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''
    const printed = await start({ PORT: port }).then(
      () => 'it started',
      (error: unknown) => String(error),
    )
    occupant.close()
    expect(printed).toContain('EADDRINUSE')
    expect(printed.match(/cannot start/g)).toHaveLength(1)
  })
})

/** The charge of every call, in the order of settlement. */
function chargesInTheBooks(): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(join(folder, 'data', 'tollgate.db'), { readOnly: true })
  const rows = database.prepare("select amount, flags from entry where kind = 'consume' order by id").all()
  database.close()
  return rows.map((row) => ({ ...row }))
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  return typeof address === 'object' && address ? address.port : 0
}
