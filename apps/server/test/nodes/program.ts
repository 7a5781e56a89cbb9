import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { programArgs } from '@tollgate/testkit/program'

/** The gateway program in a process of its own, as an operator starts it. */
export interface Program {
  readonly child: ChildProcess
  readonly address: string
  /** All output so far. */
  printed(): string
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
}

const READY = /Tollgate is ready at (\S+)/

const ENVIRONMENT = {
  PORT: '0',
  HOST: '127.0.0.1',
  SESSION_SECRET: 'session secret of the tests',
  CRYPTO_SECRET: 'crypto secret of the tests',
  EGRESS_ALLOW: '127.0.0.1',
  GLOBAL_API_RATE_LIMIT: '1000000',
  GLOBAL_WEB_RATE_LIMIT: '1000000',
  CRITICAL_RATE_LIMIT: '1000000',
  METRICS_TOKEN: 'metrics token of the tests',
  LOG_FORMAT: 'json',
  DRAIN_SECONDS: '10',
  // Nothing in front has to notice a stop.
  DRAIN_NOTICE_SECONDS: '0',
}

/** Resolves once the program is ready. Rejects with its output when it exits before that. */
export async function startProgram(folder: string, environment: Record<string, string>): Promise<Program> {
  const { child, printed, ended } = run(folder, { environment, verb: 'start' })
  while (!READY.test(printed())) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${await ended} after: ${printed()}`)
    await sleep(20)
  }
  return { child, printed, ended, address: READY.exec(printed())?.[1] ?? '' }
}

/** Starts the program without waiting until it is ready. */
export function launchProgram(folder: string, environment: Record<string, string>): Omit<Program, 'address'> {
  return run(folder, { environment, verb: 'start' })
}

/** Runs one of the commands until it exits. */
export async function runCommand(
  folder: string,
  { verb, environment }: { verb: string; environment: Record<string, string> },
): Promise<{ code: number | string | null; printed: string }> {
  const { printed, ended } = run(folder, { environment, verb })
  return { code: await ended, printed: printed() }
}

function run(
  folder: string,
  { verb, environment }: { verb: string; environment: Record<string, string> },
): Omit<Program, 'address'> {
  const child = spawn(process.execPath, programArgs(verb), {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...ENVIRONMENT,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode)
  return { child, printed: () => text, ended }
}

/** Current value of a metric of the program. */
export async function metric(address: string, name: string): Promise<number> {
  const headers = { authorization: `Bearer ${ENVIRONMENT.METRICS_TOKEN}` }
  const text = await (await fetch(`${address}/metrics`, { headers })).text()
  return Number(new RegExp(`^tollgate_${name} (\\S+)$`, 'm').exec(text)?.[1])
}
