import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * CPU placement of a process: targets may use every core, as on an operator's machine; load tool and
 * upstreams use the last core alone, so that they never compete with a target's main thread.
 */
export type Place = 'target' | 'load'

export interface Started {
  readonly pid: number
  /** Sends SIGTERM, and SIGKILL after five seconds. */
  stop(): Promise<void>
  /** The last lines that the process printed, for error messages. */
  output(): string
  /** How the process ended, if it has: its exit code or the signal that killed it. */
  ended(): string | undefined
}

const OUTPUT_CHARACTERS = 4000
const STOP_MS = 5000
const READY_MS = 30_000
const POLL_MS = 50

const isPinning = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

export function placement(): string {
  if (!isPinning) return 'not pinned'
  const last = availableParallelism() - 1
  return `targets on every core, load and upstreams on core ${last}`
}

/** Wraps a command so that it runs on its assigned cores. */
export function placed(place: Place, command: readonly string[]): readonly [string, ...string[]] {
  const [program = '', ...rest] = command
  if (!isPinning || place === 'target') return [program, ...rest]
  return ['taskset', '-c', String(availableParallelism() - 1), program, ...rest]
}

export interface StartInput {
  readonly place: Place
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The process is ready when this port accepts a connection. */
  readonly port: number
}

export async function start({ place, command, env, cwd, port }: StartInput): Promise<Started> {
  const [program, ...rest] = placed(place, command)
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  stopWithUs(child)
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const started: Started = {
    pid: child.pid ?? 0,
    stop: () => stop(child),
    output: () => output,
    ended: () => endOf(child),
  }
  try {
    await untilListening(port, child)
  } catch (error) {
    await started.stop()
    throw new Error(`${command.join(' ')} did not start:\n${output}`, { cause: error })
  }
  return started
}

const running = new Set<ChildProcess>()

/** A benchmark that is stopped from outside, or fails, must not leave processes that disturb the next one. */
function stopWithUs(child: ChildProcess): void {
  if (running.size === 0) {
    process.on('exit', stopAll)
    for (const signal of SIGNALS) process.on(signal, endBy)
  }
  running.add(child)
  child.once('exit', () => {
    running.delete(child)
    if (running.size > 0) return
    process.off('exit', stopAll)
    for (const signal of SIGNALS) process.off(signal, endBy)
  })
}

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

function stopAll(): void {
  for (const child of running) child.kill('SIGTERM')
}

/** Without a listener the signal ends this process, so that whoever sent it sees that. */
function endBy(signal: NodeJS.Signals): void {
  stopAll()
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

function endOf({ exitCode, signalCode }: ChildProcess): string | undefined {
  if (signalCode !== null) return `it was ended by ${signalCode}`
  return exitCode === null ? undefined : `it ended with code ${exitCode}`
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(timer)
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_MS
  while (performance.now() < deadline) {
    const end = endOf(child)
    if (end !== undefined) throw new Error(end)
    if (await isListening(port)) return
    await sleep(POLL_MS)
  }
  throw new Error(`nothing listens on port ${port} after ${READY_MS} ms`)
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const answer = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}

/** Returns a port that is currently unused. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port')
  return address.port
}
