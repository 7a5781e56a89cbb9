/**
 * `npm run bench -- start [--rounds 5] [--idle 10]`: how long sources and bundle take from their start to the first
 * ready answer on a database that exists, and how much memory they hold when idle.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { AimFigures } from './src/aims/aims.ts'
import { reportAims } from './src/aims/figures-file.ts'
import { usageOf } from './src/process-usage.ts'
import { freePort, start } from './src/processes.ts'
import { markdown } from './src/report.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, idle: { type: 'string', default: '10' } },
})
const root = join(import.meta.dirname, '..')
const directory = mkdtempSync(join(tmpdir(), 'tollgate-start-'))
const cache = { NODE_COMPILE_CACHE: join(directory, 'compile-cache') }
const programs = [
  { name: 'sources', file: 'apps/server/src/main.ts', env: {} },
  { name: 'sources, compile cache', file: 'apps/server/src/main.ts', env: cache },
  { name: 'bundle', file: 'dist/bin/tollgate.mjs', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  { name: 'bundle, compile cache', file: 'dist/bin/tollgate.mjs', env: cache },
] as const
/** The program as it is installed. */
const SHIPPED = 'bundle, compile cache'
let shipped: AimFigures = {}

interface Figures {
  readonly readyMs: number
  readonly idleMegabytes: number
}

async function measure({ file, env }: (typeof programs)[number], idleMs: number): Promise<Figures> {
  const port = await freePort()
  const startedMs = performance.now()
  const gateway = await start({
    place: 'target',
    command: [process.execPath, join(root, file)],
    cwd: directory,
    env: { ...env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn', NODE_ENV: 'production' },
    port,
  })
  try {
    while (!(await isReady(port))) await sleep(5)
    const readyMs = performance.now() - startedMs
    await sleep(idleMs)
    return { readyMs, idleMegabytes: usageOf([gateway.pid]).residentMiB }
  } finally {
    await gateway.stop()
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return answer?.status === 200
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}

try {
  const rows: string[][] = []
  for (const program of programs) {
    await measure(program, 0)
    const figures: Figures[] = []
    for (let round = 0; round < Number(values.rounds); round++)
      figures.push(await measure(program, Number(values.idle) * 1000))
    const ready = middle(figures.map(({ readyMs }) => readyMs))
    const idle = middle(figures.map(({ idleMegabytes }) => idleMegabytes))
    rows.push([program.name, ready.toFixed(0), idle.toFixed(0)])
    if (program.name === SHIPPED) shipped = { ready, 'idle-memory': idle }
  }
  process.stdout.write(`${markdown(['program', 'ms to ready', 'MiB resident idle'], rows)}\n`)
  reportAims(shipped)
} finally {
  rmSync(directory, { recursive: true, force: true })
}
