/**
 * `npm run bench -- --help`: compares the gateway with a bare relay and another gateway on one machine in one
 * run, alternating between them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { arch, availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { loads } from './src/load.ts'
import type { Load } from './src/load-shape.ts'
import { measure, medianOf, type Case, type LoadFigures } from './src/measure.ts'
import { readOptions, usageText, type BenchOptions } from './src/options.ts'
import { placement } from './src/processes.ts'
import { ratiosOf, tableOf, type Row } from './src/report.ts'
import { growthPer100k, soak } from './src/soak.ts'
import type { RunningTarget } from './src/targets/target.ts'
import type { Kind } from './src/workload.ts'
import { startUpstreams, stopUpstreams, type Upstreams } from './src/upstreams.ts'

const MISSING_TOOLS =
  'wrk or nginx is missing (apt-get install wrk nginx-light): load and upstream may be slower than the targets'

interface Bench {
  readonly options: BenchOptions
  readonly load: Load
  readonly directory: string
  readonly targets: ReadonlyMap<string, RunningTarget>
}

const options = askedFor(process.argv.slice(2))
if (options) await main(options)

/** Returns `undefined` when there is nothing to run: help was requested, or the options are invalid. */
function askedFor(args: readonly string[]): BenchOptions | undefined {
  if (args.includes('--help')) {
    say(usageText)
    return undefined
  }
  try {
    return readOptions(args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usageText}`)
    process.exitCode = 2
    return undefined
  }
}

async function main(options: BenchOptions): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-bench-'))
  const targets = new Map<string, RunningTarget>()
  let upstreams: Upstreams | undefined
  try {
    upstreams = await startUpstreams(directory, options.frames)
    say(circumstances(options.loadTool, upstreams))
    for (const target of options.targets) {
      const own = join(directory, target.name)
      mkdirSync(own)
      targets.set(target.name, await target.start({ upstreams, directory: own }))
      say(`started ${target.name}: ${target.about}`)
    }
    const bench = { options, load: loads[options.loadTool], directory, targets }
    await warmUp(bench)
    const rows = await measureAll(bench)
    say(`\n${tableOf(rows)}\n\n${ratiosOf(rows)}`)
    await memoryRun(bench)
  } finally {
    await Promise.all([...targets.values()].map((target) => target.stop()))
    if (upstreams) await stopUpstreams(upstreams)
    rmSync(directory, { recursive: true, force: true })
  }
}

async function warmUp({ options, load, directory, targets }: Bench): Promise<void> {
  for (const [name, target] of targets) {
    for (const kind of options.kinds) {
      if (!serves(options, name, kind)) continue
      const figures = await measure({
        target,
        load,
        kind,
        connections: 32,
        seconds: options.warmupSeconds,
        directory,
      })
      if (figures.requests === figures.failures)
        throw new Error(`${name} answered no ${kind} request:\n${target.output()}`)
    }
  }
}

/** Targets alternate within each case, so that other activity on the machine affects all of them equally. */
async function measureAll({ options, load, directory, targets }: Bench): Promise<Row[]> {
  const rounds = new Map<string, LoadFigures[]>()
  const cases = options.kinds.flatMap((kind) =>
    options.connections.map((connections): Case => ({ kind, connections })),
  )
  for (let round = 1; round <= options.rounds; round++) {
    for (const { kind, connections } of cases) {
      for (const [name, target] of targets) {
        if (!serves(options, name, kind)) continue
        const figures = await measure({
          target,
          load,
          kind,
          connections,
          seconds: options.seconds,
          directory,
        })
        const key = `${kind} ${connections} ${name}`
        rounds.set(key, [...(rounds.get(key) ?? []), figures])
        say(`round ${round}: ${key}: ${figures.requestsPerSecond.toFixed(0)} requests/s`)
      }
    }
  }
  return cases.flatMap(({ kind, connections }) =>
    [...targets.keys()]
      .filter((target) => serves(options, target, kind))
      .map((target) => {
        const figures = medianOf(rounds.get(`${kind} ${connections} ${target}`) ?? [])
        return { kind, connections, target, figures }
      }),
  )
}

function serves({ targets }: BenchOptions, name: string, kind: Kind): boolean {
  return targets.find((target) => target.name === name)?.kinds?.includes(kind) ?? true
}

async function memoryRun({ options, load, directory, targets }: Bench): Promise<void> {
  const target = targets.get('gateway')
  if (!target || options.soakCalls === 0) return
  const samples = await soak({ target, load, calls: options.soakCalls, directory })
  const shown = samples.map(({ calls, residentMiB }) => `${calls}: ${residentMiB.toFixed(0)}`).join(', ')
  say(`\nMemory of the gateway in MiB after so many calls: ${shown}`)
  say(`Growth over the second half: ${growthPer100k(samples).toFixed(2)} MiB per 100,000 calls`)
}

function circumstances(load: string, upstreams: Upstreams): string {
  const model = cpus()[0]?.model ?? arch()
  const isComplete = load === 'wrk' && upstreams.whole.server === 'nginx'
  return [
    `${availableParallelism()} cores (${model}), Node ${process.version}, ${placement()}`,
    `load: ${load}; upstream of whole answers: ${upstreams.whole.server}; of streams: ${upstreams.stream.server}`,
    ...(isComplete ? [] : [MISSING_TOOLS]),
  ].join('\n')
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
