import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { invariant } from '@tollgate/kit/invariant'
import { Matrix } from './matrix.ts'
import type { AgentProgram } from './programs/agent-program.ts'
import { programs } from './programs/index.ts'
import { install, type InstalledProgram } from './programs/installed.ts'
import { recordingOf, writeRecording } from './recording.ts'
import { type AgentRun, runAgent } from './run-agent.ts'
import type { VendorFault, VendorKind } from './vendor/open-vendor.ts'

/**
 * Runs coding agents from npm on a small task against every vendor and prints the results. `npm run
 * test:agents -- --help`
 */

const HELP = `npm run test:agents -- [--agent ID] [--vendor KIND] [--record] [--verbose]
  --agent    only agents whose name begins so: ${programs.map(({ id }) => id).join(', ')}
  --vendor   only one of openai, anthropic, gemini, strings, template, busy, broken
  --record   writes what each agent sends to its own vendor into the recordings that npm test replays
  --verbose  prints what a failing agent printed
The programs are kept in TOLLGATE_AGENTS_CACHE, else below the system's temporary folder; remove it to get newer ones.
`
const VENDORS = ['openai', 'anthropic', 'gemini', 'strings', 'template'] as const
const FAULTS: Readonly<Record<string, VendorFault>> = {
  busy: { step: 'command', kind: 'busy' },
  broken: { step: 'command', kind: 'broken' },
}
const OWN_VENDORS = { chat: 'openai', responses: 'openai', messages: 'anthropic', gemini: 'gemini' } as const
/** A run with fewer different agents than this does not count as proof. */
const PACKAGES_MIN = 4

const { values: wanted } = parseArgs({
  options: {
    agent: { type: 'string', default: '' },
    vendor: { type: 'string' },
    record: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (wanted.help) process.stdout.write(HELP)
else await runAll()

async function runAll(): Promise<void> {
  const cache = process.env['TOLLGATE_AGENTS_CACHE'] ?? join(tmpdir(), 'tollgate-agents')
  const matrix = new Matrix(
    [...VENDORS, ...Object.keys(FAULTS)].filter((name) => [undefined, name].includes(wanted.vendor)),
  )
  for (const program of programs.filter(({ id }) => id.startsWith(wanted.agent))) {
    const installed = await install(program, cache).catch((error: unknown) => String(error))
    if (typeof installed === 'string') {
      matrix.leaveOut(program.id, `npm did not install ${program.package}: ${installed}`)
      continue
    }
    matrix.begin(program.id, { package: program.package, version: installed.version })
    for (const column of matrix.columns) await runOne({ program, installed, column, matrix })
  }
  process.stdout.write(matrix.text())
  const isWhole = wanted.agent === ''
  const isEnough = !isWhole || matrix.packagesRun >= PACKAGES_MIN
  if (!isEnough)
    process.stdout.write(`Only ${matrix.packagesRun} programs ran; at least ${PACKAGES_MIN} are needed.\n`)
  process.exit(matrix.isGreen && isEnough ? 0 : 1)
}

async function runOne(input: {
  program: AgentProgram
  installed: InstalledProgram
  column: string
  matrix: Matrix
}): Promise<void> {
  const { program, installed, column, matrix } = input
  const fault = FAULTS[column]
  const vendor = fault ? ownVendor(program) : VENDORS.find((name) => name === column)
  invariant(vendor, 'every column is a vendor or a fault')
  const run = await runAgent({ program, installed, vendor, ...(fault && { fault }) })
  matrix.add(program.id, column, run)
  if (wanted.verbose && run.faults.length > 0) process.stdout.write(`${run.printed}\n`)
  const isRecorded = !fault && vendor === ownVendor(program) && !program.usesWebSocket
  if (wanted.record && isRecorded) await record(program, installed, run)
}

async function record(program: AgentProgram, { version }: InstalledProgram, run: AgentRun): Promise<void> {
  if (run.faults.length > 0) return
  await writeRecording(recordingOf({ program: program.id, version, dialect: program.dialect, run }))
}

function ownVendor({ dialect }: AgentProgram): VendorKind {
  return OWN_VENDORS[dialect]
}
