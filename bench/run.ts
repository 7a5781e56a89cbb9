/**
 * `npm run bench -- --help`: compares the gateway with a bare relay and another gateway on one machine in one
 * run, alternating between them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { arch, availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { AimFigures } from './src/aims/aims.ts'
import { comparedFigures } from './src/aims/compared-figures.ts'
import { reportAims } from './src/aims/figures-file.ts'
import { type Bench, warmUp } from './src/bench.ts'
import { compare } from './src/compare.ts'
import { holdRun, type RunInput } from './src/holds/hold-run.ts'
import { newKeyMix } from './src/key-mix.ts'
import { loads } from './src/load.ts'
import { readOptions, usageText, type BenchOptions } from './src/options.ts'
import { placement } from './src/processes.ts'
import { runProfile } from './src/profile/run-profile.ts'
import { ratiosOf, tableOf } from './src/report.ts'
import { say } from './src/say.ts'
import { growthPer100k, soak } from './src/soak.ts'
import { streamsRun } from './src/streams/streams-run.ts'
import type { RunningTarget } from './src/targets/target.ts'
import { startUpstreams, stopUpstreams, type Upstreams } from './src/upstreams.ts'

const MISSING_TOOLS =
  'wrk or nginx is missing (apt-get install wrk nginx-light): load and upstream may be slower than the targets'
const PROFILES = join(import.meta.dirname, 'results')

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
  let upstreams: Upstreams | undefined
  try {
    upstreams = await startUpstreams(directory, options.frames)
    say(circumstances(options.loadTool, upstreams))
    const figures = await run(options, { upstreams, directory })
    if (options.mode !== 'profile') reportAims(figures)
  } finally {
    if (upstreams) await stopUpstreams(upstreams)
    rmSync(directory, { recursive: true, force: true })
  }
}

async function run(options: BenchOptions, input: RunInput): Promise<AimFigures> {
  if (options.mode === 'holds') return holdRun(options, input)
  if (options.mode === 'streams') return streamsRun(options, input)
  return withTargets(options, input)
}

async function withTargets(options: BenchOptions, { upstreams, directory }: RunInput): Promise<AimFigures> {
  const targets = new Map<string, RunningTarget>()
  const keyMix = options.users > 1 ? newKeyMix(options.users) : undefined
  try {
    for (const target of options.targets) {
      const own = join(directory, target.name)
      const profileDirectory = options.mode === 'profile' ? profilesOf(directory, target.name) : undefined
      mkdirSync(own)
      const input = { upstreams, directory: own, profileDirectory, userKeys: keyMix?.keys }
      const started = await target.start(input)
      targets.set(target.name, started)
      if (started.oneNode) targets.set('one node', started.oneNode)
      say(`started ${target.name}: ${target.about}`)
    }
    const bench = { options, load: loads[options.loadTool], directory, targets, keyMix }
    await warmUp(bench)
    return await (options.mode === 'profile' ? profileAll(bench) : compareAll(bench))
  } finally {
    await Promise.all([...targets.values()].map((target) => target.stop()))
  }
}

async function compareAll(bench: Bench): Promise<AimFigures> {
  const rows = await compare(bench)
  say(`\n${tableOf(rows)}\n\n${ratiosOf(rows)}`)
  await memoryRun(bench)
  return comparedFigures(rows, bench.options)
}

function profilesOf(directory: string, target: string): string {
  const own = join(directory, `profile-${target}`)
  mkdirSync(own)
  return own
}

async function profileAll({ options, load, directory, targets, keyMix }: Bench): Promise<AimFigures> {
  const { seconds } = options
  for (const [name, target] of targets)
    for (const kind of options.kinds)
      for (const connections of options.connections) {
        const profileDirectory = join(directory, `profile-${name}`)
        const input = { target, load, kind, connections, seconds, directory, keyMix, name, profileDirectory }
        say(`\n${await runProfile({ ...input, outputDirectory: PROFILES })}`)
      }
  return {}
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
