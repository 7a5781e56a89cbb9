import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programArgs } from '@tollgate/testkit/program'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** The program itself: its output, exit codes and signals. */

let folder: string
const running: Started[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-process-'))
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true })
})

interface Started {
  readonly child: ChildProcess
  /** All output so far. */
  printed(): string
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
}

function start(environment: Record<string, string> = {}, verb = 'start'): Started {
  const child = spawn(process.execPath, programArgs(verb), {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      HOST: '127.0.0.1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode)
  const started = { child, printed: () => text, ended }
  running.push(started)
  return started
}

async function addressOf(started: Started): Promise<string> {
  const ready = /Tollgate is ready at (\S+)/
  while (!ready.test(started.printed())) {
    if (started.child.exitCode !== null || started.child.signalCode !== null)
      throw new Error(started.printed())
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return ready.exec(started.printed())?.[1] ?? ''
}

test('the first start prints its address and the setup link, and SIGTERM ends it with 0', async () => {
  const started = start()
  const address = await addressOf(started)
  const lines = started.printed().trim().split('\n')
  expect(lines).toEqual([
    expect.stringContaining(`${address}/setup`),
    expect.stringContaining(`Tollgate is ready at ${address}`),
  ])
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  started.child.kill('SIGTERM')
  expect(await started.ended).toBe(0)
})

test('a stopping gateway first tells its load balancer, and a second signal ends the wait', async () => {
  const started = start({ DRAIN_NOTICE_SECONDS: '300' })
  const address = await addressOf(started)
  started.child.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status).toBe(503)
  const page = await fetch(`${address}/api/status`)
  expect([page.status, page.headers.get('connection')]).toEqual([200, 'close'])
  // A signal within a second of the first one counts as the same request.
  const again = setInterval(() => started.child.kill('SIGTERM'), 200)
  expect(await started.ended).toBe(0)
  clearInterval(again)
})

test('.env is read, and existing environment variables take precedence', async () => {
  writeFileSync(join(folder, '.env'), 'SYNC_FREQUENCY=never\nPORT=70000\n')
  const started = start()
  expect(await started.ended).toBe(1)
  expect(started.printed()).toContain('SYNC_FREQUENCY=never: allowed is seconds')
  expect(started.printed()).not.toContain('PORT')
})

test('an invalid configuration ends the start with the reasons and no stack trace', async () => {
  const started = start({ PORT: 'first', SESSION_SECRET: 'random_string' })
  expect(await started.ended).toBe(1)
  const lines = started.printed().trim().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toBe('Tollgate cannot start.')
})

test('a database in use by another process and a port in use give different errors', async () => {
  const first = start()
  await addressOf(first)
  const second = start()
  expect(await second.ended).toBe(1)
  expect(second.printed()).toContain('in use')
  const audit = start({}, 'audit')
  expect(await audit.ended).toBe(0)
  expect(audit.printed()).toContain('The books balance.')
  first.child.kill('SIGTERM')
  await first.ended
  const occupant = createServer().listen(0, '127.0.0.1')
  await once(occupant, 'listening')
  const address = occupant.address()
  const port = typeof address === 'object' && address ? String(address.port) : ''
  const third = start({ PORT: port })
  expect(await third.ended).toBe(1)
  expect(third.printed()).toContain('EADDRINUSE')
  occupant.close()
})

test('a second start uses the data and secrets of the first one, and the audit finds nothing', async () => {
  const environment = { SQLITE_PATH: 'inner/gate.db' }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const started = start(environment)
    await addressOf(started)
    started.child.kill(signal)
    expect(await started.ended).toBe(0)
  }
  const audit = start(environment, 'audit')
  expect(await audit.ended).toBe(0)
  expect(audit.printed()).toContain('The books balance.')
})
