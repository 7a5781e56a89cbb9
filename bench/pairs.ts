/**
 * `npm run bench -- pairs [--pairs 10] [--starts 10] [--seconds 8] [--connections 32] [--warmup 40000] [--bundle]
 * [--env NAME=value,…]`: what metrics and traces cost. Two gateways take turns; the one sends traces to a
 * collector, which discards them, and is scraped every five seconds, the other does neither. Both are started
 * anew several times, because two processes of the same program differ for as long as they run. `--env` sets
 * variables of the first, such as TRACES_PER_SECOND=0, which traces every call.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { reportAims } from './src/aims/figures-file.ts'
import { installedLoad, loads } from './src/load.ts'
import { type LoadFigures, measure } from './src/measure.ts'
import { pairSpread } from './src/pairs/pair-spread.ts'
import { type GatewayPair, startGatewayPair } from './src/pairs/watched-gateway.ts'
import { placement } from './src/processes.ts'
import { markdown } from './src/report.ts'
import { say } from './src/say.ts'
import type { RunningTarget } from './src/targets/target.ts'
import { startUpstreams, stopUpstreams } from './src/upstreams.ts'
import { FRAMES } from './src/workload.ts'

const SCRAPE_MS = 5_000
const WARM_CONNECTIONS = 32
const WARM_SECONDS = 2

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10' },
    starts: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '32' },
    warmup: { type: 'string', default: '40000' },
    bundle: { type: 'boolean', default: false },
    env: { type: 'string', default: '' },
  },
})
const load = loads[installedLoad()]
const directory = mkdtempSync(join(tmpdir(), 'tollgate-pairs-'))
say(
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, ${placement()}`,
)
const upstreams = await startUpstreams(directory, FRAMES)
try {
  report(await measureAll())
} finally {
  await stopUpstreams(upstreams)
  rmSync(directory, { recursive: true, force: true })
}

interface Pair {
  readonly plain: LoadFigures
  readonly watched: LoadFigures
}

async function measureAll(): Promise<Pair[]> {
  const env = Object.fromEntries(new URLSearchParams(values.env.replaceAll(',', '&')))
  const [total, starts] = [Number(values.pairs), Number(values.starts)]
  const pairs: Pair[] = []
  for (let start = 1; start <= starts; start++) {
    const own = join(directory, `start-${start}`)
    mkdirSync(own)
    const gateways = await startGatewayPair({ upstreams, directory: own, isBundle: values.bundle, env })
    try {
      await warmUp(gateways)
      while (pairs.length < Math.round((total * start) / starts))
        pairs.push(await measurePair(gateways, pairs.length))
    } finally {
      await gateways.stop()
    }
  }
  return pairs
}

/**
 * In turns, so that neither has been idle for longer than the other when they are measured. With scrapes, because
 * the first requests that are not calls make V8 compile code anew that it had compiled for calls alone.
 */
async function warmUp(gateways: GatewayPair): Promise<void> {
  const { plain, watched } = gateways
  const calls = new Map([
    [plain, 0],
    [watched, 0],
  ])
  const isCold = () => [...calls.values()].some((count) => count < Number(values.warmup))
  while (isCold())
    for (const [target, count] of calls) {
      if (count >= Number(values.warmup)) continue
      const figures = await run(target, { connections: WARM_CONNECTIONS, seconds: WARM_SECONDS })
      if (figures.requests === figures.failures) throw new Error(`no call was answered:\n${target.output()}`)
      calls.set(target, count + figures.requests)
      if (target === watched) await gateways.scrape()
    }
}

/**
 * Each gateway runs twice for half of the time, one of them first and last, so that a machine that becomes slower
 * or faster meanwhile slows or speeds up both. They change places in every second pair.
 */
async function measurePair(gateways: GatewayPair, index: number): Promise<Pair> {
  const size = { connections: Number(values.connections), seconds: Number(values.seconds) / 2 }
  const plain = () => run(gateways.plain, size)
  const watched = () => scraped(gateways, () => run(gateways.watched, size))
  const isPlainOutside = index % 2 === 0
  const [outer, inner] = isPlainOutside ? [plain, watched] : [watched, plain]
  const first = await outer()
  const between = meanOf(await inner(), await inner())
  const around = meanOf(first, await outer())
  const pair = isPlainOutside ? { plain: around, watched: between } : { plain: between, watched: around }
  const [before, after] = [pair.plain, pair.watched].map(({ requestsPerSecond }) =>
    requestsPerSecond.toFixed(0),
  )
  say(`pair ${index + 1}: ${before} calls/s, with metrics and traces ${after}`)
  return pair
}

/** Of two runs of the same length; requests and failures are summed. */
function meanOf(first: LoadFigures, second: LoadFigures): LoadFigures {
  const mean = (read: (figures: LoadFigures) => number) => (read(first) + read(second)) / 2
  return {
    requestsPerSecond: mean(({ requestsPerSecond }) => requestsPerSecond),
    medianMs: mean(({ medianMs }) => medianMs),
    p99Ms: mean(({ p99Ms }) => p99Ms),
    cpuMicrosPerRequest: mean(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest),
    residentMiB: mean(({ residentMiB }) => residentMiB),
    requests: first.requests + second.requests,
    failures: first.failures + second.failures,
  }
}

async function run(
  target: RunningTarget,
  size: { readonly connections: number; readonly seconds: number },
): Promise<LoadFigures> {
  return measure({ target, load, kind: 'whole', directory, ...size })
}

async function scraped<Value>(pair: GatewayPair, work: () => Promise<Value>): Promise<Value> {
  const scrapes: Promise<void>[] = [pair.scrape()]
  const timer = setInterval(() => scrapes.push(pair.scrape()), SCRAPE_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    await Promise.all(scrapes)
  }
}

function report(pairs: readonly Pair[]): void {
  const ratio = (read: (figures: LoadFigures) => number) =>
    pairSpread(pairs.map(({ plain, watched }) => read(watched) / read(plain)))
  const calls = ratio(({ requestsPerSecond }) => requestsPerSecond)
  const cpu = ratio(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest)
  const p99 = ratio(({ p99Ms }) => p99Ms)
  const changes = [
    { name: 'calls a second', ...calls },
    { name: 'CPU of a call', ...cpu },
    { name: 'p99', ...p99 },
  ]
  const lines = changes.map(({ name, median, min, lowerQuartile, upperQuartile, max }) => [
    name,
    ...[median, min, lowerQuartile, upperQuartile, max].map(change),
  ])
  const failures = pairs.reduce((sum, { plain, watched }) => sum + plain.failures + watched.failures, 0)
  say(`\n${markdown(['with metrics and traces', 'median', 'min', 'quartile', 'quartile', 'max'], lines)}`)
  say(
    `${pairs.length} pairs of ${values.seconds} s, ${values.starts} starts, ${values.connections} connections, ${failures} failures`,
  )
  reportAims({ 'watched-loss': 100 * (1 - calls.median) })
}

/** A ratio as a change, for example -3.0 % for 0.97. */
function change(ratio: number): string {
  const percent = 100 * (ratio - 1)
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`
}
