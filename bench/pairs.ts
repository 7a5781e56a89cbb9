/**
 * `npm run bench -- pairs [--pairs 10] [--starts 10] [--seconds 8] [--connections 32] [--warmup 40000] [--bundle]
 * [--kind whole] [--frames 200] [--env NAME=value,…]`: what metrics and traces cost. Two gateways take turns; the
 * one sends traces to a collector, which discards them, and is scraped every five seconds, the other does neither. Both are started
 * anew several times, because two processes of the same program differ for as long as they run. `--env` sets
 * variables of the first, such as TRACES_PER_SECOND=0, which traces every call.
 *
 * `--with <commit>`: what changed since a commit instead. One gateway runs from its sources, the other from this
 * tree. `--with main~20 --kind stream --frames 5000` compares the CPU of a frame.
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
import { startCommitPair } from './src/pairs/commit-pair.ts'
import { openCommitTree } from './src/pairs/commit-tree.ts'
import { type GatewayPair, startGatewayPair } from './src/pairs/watched-gateway.ts'
import { placement } from './src/processes.ts'
import { markdown } from './src/report.ts'
import { say } from './src/say.ts'
import type { RunningTarget } from './src/targets/target.ts'
import { startUpstreams, stopUpstreams } from './src/upstreams.ts'
import { FRAMES, type Kind, kinds } from './src/workload.ts'

const SCRAPE_MS = 5_000
const WARM_CONNECTIONS = 32
const WARM_SECONDS = 2

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10' },
    starts: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '32' },
    warmup: { type: 'string', default: '' },
    kind: { type: 'string', default: 'whole' },
    frames: { type: 'string', default: String(FRAMES) },
    with: { type: 'string' },
    bundle: { type: 'boolean', default: false },
    env: { type: 'string', default: '' },
  },
})
const load = loads[installedLoad()]
const directory = mkdtempSync(join(tmpdir(), 'tollgate-pairs-'))
say(
  `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), Node ${process.version}, ${placement()}`,
)
const kind = chosenKind()
const warmUpCalls = Number(
  values.warmup || (kind === 'whole' ? 40_000 : Math.ceil(400_000 / Number(values.frames))),
)
const name = values.with === undefined ? 'with metrics and traces' : `since ${values.with}`
const tree =
  values.with === undefined
    ? undefined
    : openCommitTree(join(import.meta.dirname, '..'), values.with, join(directory, 'commit'))
const upstreams = await startUpstreams(directory, Number(values.frames))
try {
  report(await measureAll())
} finally {
  await stopUpstreams(upstreams)
  tree?.remove()
  rmSync(directory, { recursive: true, force: true })
}

function chosenKind(): Kind {
  const chosen = kinds.find((each) => each === values.kind)
  if (chosen === undefined) throw new Error(`--kind is one of ${kinds.join(', ')}`)
  return chosen
}

interface Pair {
  readonly base: LoadFigures
  readonly changed: LoadFigures
}

async function measureAll(): Promise<Pair[]> {
  const [total, starts] = [Number(values.pairs), Number(values.starts)]
  const pairs: Pair[] = []
  for (let start = 1; start <= starts; start++) {
    const own = join(directory, `start-${start}`)
    mkdirSync(own)
    const gateways = await startPair(own)
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

/** `own`: the folder of this start. */
function startPair(own: string): Promise<GatewayPair> {
  if (tree !== undefined) return startCommitPair({ upstreams, directory: own, commitRoot: tree.directory })
  const env = Object.fromEntries(new URLSearchParams(values.env.replaceAll(',', '&')))
  return startGatewayPair({ upstreams, directory: own, isBundle: values.bundle, env })
}

/**
 * In turns, so that neither has been idle for longer than the other when they are measured. With scrapes, because
 * the first requests that are not calls make V8 compile code anew that it had compiled for calls alone.
 */
async function warmUp(gateways: GatewayPair): Promise<void> {
  const { base, changed } = gateways
  const calls = new Map([
    [base, 0],
    [changed, 0],
  ])
  const isCold = () => [...calls.values()].some((count) => count < warmUpCalls)
  while (isCold())
    for (const [target, count] of calls) {
      if (count >= warmUpCalls) continue
      const figures = await run(target, { connections: WARM_CONNECTIONS, seconds: WARM_SECONDS })
      if (figures.requests === figures.failures) throw new Error(`no call was answered:\n${target.output()}`)
      calls.set(target, count + figures.requests)
      if (target === changed) await gateways.scrape()
    }
}

/**
 * Each gateway runs twice for half of the time, one of them first and last, so that a machine that becomes slower
 * or faster meanwhile slows or speeds up both. They change places in every second pair.
 */
async function measurePair(gateways: GatewayPair, index: number): Promise<Pair> {
  const size = { connections: Number(values.connections), seconds: Number(values.seconds) / 2 }
  const base = () => run(gateways.base, size)
  const changed = () => scraped(gateways, () => run(gateways.changed, size))
  const isBaseOutside = index % 2 === 0
  const [outer, inner] = isBaseOutside ? [base, changed] : [changed, base]
  const first = await outer()
  const between = meanOf(await inner(), await inner())
  const around = meanOf(first, await outer())
  const pair = isBaseOutside ? { base: around, changed: between } : { base: between, changed: around }
  const [before, after] = [pair.base, pair.changed].map(({ requestsPerSecond }) =>
    requestsPerSecond.toFixed(0),
  )
  say(`pair ${index + 1}: ${before} calls/s, ${name} ${after}`)
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
  return measure({ target, load, kind, directory, ...size })
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
    pairSpread(pairs.map(({ base, changed }) => read(changed) / read(base)))
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
  const failures = pairs.reduce((sum, { base, changed }) => sum + base.failures + changed.failures, 0)
  say(`\n${markdown([name, 'median', 'min', 'quartile', 'quartile', 'max'], lines)}`)
  say(
    `${pairs.length} pairs of ${values.seconds} s, ${values.starts} starts, ${values.connections} connections, ${failures} failures`,
  )
  if (tree === undefined) reportAims({ 'watched-loss': 100 * (1 - calls.median) })
}

/** A ratio as a change, for example -3.0 % for 0.97. */
function change(ratio: number): string {
  const percent = 100 * (ratio - 1)
  return `${percent < 0 ? '' : '+'}${percent.toFixed(1)} %`
}
