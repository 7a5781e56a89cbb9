/**
 * `npm run bench -- wrappers [--rounds 5] [--idle 10] [--only image,npm,deb,program,sources]`: size, time to ready on a
 * database that exists, and idle memory of everything that `npm run release -- --skip-tests` has made, and of the
 * sources. As root, with `node_modules/.cache/deploy/debian.tar` of `npm run test:deploy`, the Debian package runs in
 * that Debian; otherwise from its unpacked files.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memoryOf } from './src/process-memory.ts'
import { freePort, start } from './src/processes.ts'
import { markdown } from './src/report.ts'
import { type Wrapper, openWrappers } from './src/wrappers.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    idle: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
  },
})
const root = join(import.meta.dirname, '..')
const work = mkdtempSync(join(tmpdir(), 'tollgate-wrappers-'))

/** Starts the gateway once; `idleMs` later its memory is read. */
async function startOnce({ command, data, env }: Wrapper, idleMs: number) {
  const port = await freePort()
  const startedMs = performance.now()
  const gateway = await start({
    place: 'target',
    command,
    cwd: work,
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      SQLITE_PATH: join(data, 'tollgate.db'),
      ...env,
    },
    port,
  })
  try {
    while (!(await isReady(port))) await sleep(5)
    const readyMs = performance.now() - startedMs
    await sleep(idleMs)
    return { readyMs, memory: memoryOf(gateway.pid) }
  } finally {
    await gateway.stop()
  }
}

async function isReady(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
  return answer?.status === 200
}

async function rowOf(wrapper: Wrapper): Promise<string[]> {
  await startOnce(wrapper, 0)
  const times: number[] = []
  for (let round = 0; round < Number(values.rounds); round++)
    times.push((await startOnce(wrapper, 0)).readyMs)
  const { memory } = await startOnce(wrapper, Number(values.idle) * 1000)
  const { residentMiB, proportionalMiB, privateMiB } = memory
  const middle = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  return [
    wrapper.name,
    megabytes(wrapper.diskBytes),
    megabytes(wrapper.packedBytes),
    `${middle.toFixed(0)} ms`,
    ...[residentMiB, proportionalMiB, privateMiB].map((mebibytes) => `${mebibytes.toFixed(0)} MiB`),
  ]
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? '' : `${(bytes / 1_000_000).toFixed(1)} MB`
}

try {
  const only = values.only.split(',').filter(Boolean)
  const rows: string[][] = []
  for (const wrapper of openWrappers({ root, work }))
    if (only.length === 0 || only.includes(wrapper.key)) rows.push(await rowOf(wrapper))
  const head = ['wrapper', 'on disk', 'packed', 'ready', 'resident', 'proportional', 'private']
  process.stdout.write(`${markdown(head, rows)}\n`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
