import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { routes } from '@tollgate/contract/routes'
import { startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { expect } from 'vitest'
import { Visitor } from './harness.ts'
import { addChannel, relayCall } from './nodes/operator.ts'

/** The program as an operator has installed it, with two places for data: the first site, and one to restore into. */
export interface InstalledProgram {
  /** How a command of the program is started for a site; without arguments it is the gateway. */
  command(args: readonly string[], site: Site): CommandLine
  /** A file of a site, as the program sees it. */
  path(site: Site, name: 'backup.db' | 'secrets.json'): string
}

export type Site = 'first' | 'second'

export interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Measures {
  readonly readyMs: number
  /** Resident memory half a minute after the last call, or `undefined` where it cannot be read. */
  readonly idleMiB: number | undefined
}

const PASSWORD = 'a long password 1'
const COMMON = { PORT: '0', HOST: '127.0.0.1', EGRESS_ALLOW: '127.0.0.1', LOG_LEVEL: 'warn' }

/** Setup, start, first billed call, audit, backup, restore into a second folder, audit, and a call there. */
export async function useInstalled(
  program: InstalledProgram,
  { idleMs = 0 }: { readonly idleMs?: number } = {},
): Promise<Measures> {
  const run = (args: readonly string[], site: Site, input = ''): Promise<string> =>
    runToEnd(program.command(args, site), input)
  const upstream = await startFakeUpstream()
  await run(['setup', '--username', 'root'], 'first', PASSWORD)

  const gateway = await start(program.command([], 'first'))
  await sleep(idleMs)
  const idleMiB = idleMs > 0 ? residentMiB(gateway.child.pid) : undefined
  expect(await (await fetch(gateway.address)).text()).toContain('<div id="root">')
  expect((await fetch(`${gateway.address}/docs/static/swagger-ui.css`)).status).toBe(200)
  const root = new Visitor(gateway.address)
  await root.signIn({ username: 'root', password: PASSWORD })
  // Also where the system tells a process little about itself, as in a chroot without /proc.
  await expect.poll(async () => (await root.call(routes.operations.read)).nodes).toHaveLength(1)
  await addChannel(root, upstream.url)
  const { key } = await root.call(routes.token.create, { body: { name: 'first', unlimited_quota: true } })
  expect((await relayCall({ address: gateway.address, key })).status).toBe(200)
  await backUpByJob(root, { folder: dirname(program.path('first', 'backup.db')), printed: gateway.printed })
  await gateway.stop()

  const { totals, findings } = JSON.parse(await run(['audit', '--json'], 'first'))
  expect(findings).toEqual([])
  expect(Number(totals.users.used)).toBeGreaterThan(0)
  await run(['recompute'], 'first')
  const backup = program.path('first', 'backup.db')
  await run(['backup', '--to', backup], 'first')

  const secrets = program.path('first', 'secrets.json')
  await run(['restore', '--from', backup, '--secrets', secrets], 'second')
  expect(JSON.parse(await run(['audit', '--json'], 'second')).totals).toEqual(totals)
  const again = await start(program.command([], 'second'))
  expect((await relayCall({ address: again.address, key })).status).toBe(200)
  await again.stop()
  await upstream.close()
  return { readyMs: gateway.readyMs, idleMiB }
}

/** The job copies with a process of its own, which each wrapper starts in another way. */
async function backUpByJob(
  root: Visitor,
  { folder, printed }: { readonly folder: string; readonly printed: () => string },
): Promise<void> {
  await root.call(routes.option.update, { body: { key: 'BackupFolder', value: folder } })
  await root.call(routes.job.run, { params: { name: 'backup' } })
  const job = async () => (await root.call(routes.job.list)).find(({ name }) => name === 'backup')
  await expect.poll(async () => (await job())?.state).toBe('idle')
  expect(await job(), printed()).toMatchObject({ outcome: 'ok', reason: null })
}

function launch({ file, args, cwd, env }: CommandLine) {
  const child = spawn(file, [...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...COMMON, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'close')
  return { child, ended, printed: () => text }
}

async function runToEnd(command: CommandLine, input: string): Promise<string> {
  const { child, ended, printed } = launch(command)
  child.stdin.end(input)
  await ended
  expect(child.exitCode, `${command.args.join(' ')}: ${printed()}`).toBe(0)
  return printed()
}

async function start(command: CommandLine) {
  const startMs = performance.now()
  const { child, ended, printed } = launch(command)
  const ready = /Tollgate is ready at (\S+)\n/
  while (!ready.test(printed())) {
    if (hasEnded(child)) throw new Error(`it ended: ${printed()}`)
    await sleep(5)
  }
  const readyMs = performance.now() - startMs
  const [, address = ''] = ready.exec(printed()) ?? []
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    expect(child.exitCode, printed()).toBe(0)
  }
  return { child, address, readyMs, printed, stop }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

function residentMiB(pid: number | undefined): number | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
