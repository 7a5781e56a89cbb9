import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type LoadFigures, measure, type MeasureInput } from '../measure.ts'
import { usageOf } from '../process-usage.ts'
import { startProfilers, stopProfilers } from './capture.ts'
import { flamePage } from './flame-page.ts'
import { functionTable, idleShare, type ProfileReport, stationTable } from './report.ts'

export interface ProfileInput extends MeasureInput {
  readonly name: string
  readonly profileDirectory: string
  /** Where the pages, tables and raw profiles are kept. */
  readonly outputDirectory: string
}

const WARM_CALLS = 20_000
const WARM_ROUNDS_MAX = 20

/**
 * Runs load until the engine has compiled what calls need; before that a profile shows the interpreter.
 * Returns the last figures.
 */
async function warmCompiler(input: MeasureInput): Promise<LoadFigures> {
  const callsMin = input.kind === 'whole' ? WARM_CALLS : WARM_CALLS / 10
  let figures = await measure(input)
  let calls = figures.requests
  for (let round = 0; round < WARM_ROUNDS_MAX && calls < callsMin; round++) {
    figures = await measure(input)
    calls += figures.requests
  }
  return figures
}

/** Profiles one target under load. Writes a page and a table, and returns the table. */
export async function runProfile(input: ProfileInput): Promise<string> {
  const { target, kind, connections, name, profileDirectory, outputDirectory } = input
  const pids = target.processIds(kind)
  const plain = await warmCompiler(input)
  await startProfilers(profileDirectory)
  const before = usageOf(pids)
  const figures = await measure(input)
  const after = usageOf(pids)
  const { threads, files } = await stopProfilers(profileDirectory)
  const javaScriptMicros = threads.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0)
  const nativeMicros = Math.max(0, (after.cpuMs - before.cpuMs) * 1000 - javaScriptMicros)
  const report: ProfileReport = { calls: figures.requests, threads, nativeMicros }
  const title = `${name}, ${kind}, ${connections} connections: ${figures.requests} calls, ${figures.requestsPerSecond.toFixed(0)}/s under the profiler`
  const idle = threads.map(({ name, times }) => `${name} ${(100 * idleShare(times)).toFixed(0)} %`).join(', ')
  const without = `without it: ${plain.requestsPerSecond.toFixed(0)}/s, ${plain.cpuMicrosPerRequest.toFixed(0)} CPU µs/call`
  const text = `${title}; ${without}\nidle by the clock: ${idle}\n\n${stationTable(report)}\n\n${functionTable(report)}\n`
  const own = join(outputDirectory, `${name}-${kind}-${connections}`)
  rmSync(own, { recursive: true, force: true })
  mkdirSync(own, { recursive: true })
  for (const file of files) copyFileSync(file, join(own, basename(file)))
  writeFileSync(join(own, 'flame.html'), flamePage(title, report))
  writeFileSync(join(own, 'table.txt'), text)
  return `${text}\nflame graph and raw profiles: ${own}`
}
