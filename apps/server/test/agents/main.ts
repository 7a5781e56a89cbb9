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
import { installLibrary, libraries, type LibraryProgram, runLibrary, windows } from './run-library.ts'
import type { VendorFault, VendorKind } from './vendor/open-vendor.ts'

/**
 * Runs coding agents from npm on a small task against every vendor and prints the results. `npm run
 * test:agents -- --help`
 */

const HELP = `npm run test:agents -- [--agent ID] [--vendor KIND] [--record] [--verbose]
  --agent    only agents whose name begins so: ${[...programs, ...libraries].map(({ id }) => id).join(', ')}
  --vendor   only one of openai, anthropic, gemini, strings, template, busy, broken, foreign, socket, long, long-socket,
             drain, drain-socket
  --record   writes what each agent sends to its own vendor into the recordings that npm test replays
  --verbose  prints what a failing agent printed
The programs are kept in TOLLGATE_AGENTS_CACHE, else below the system's temporary folder; remove it to get newer ones.
`
const VENDORS = ['openai', 'anthropic', 'gemini', 'strings', 'template'] as const
/** At the agent's own vendor; `foreign` is one of another dialect, and `socket` its own over WebSocket. */
const FAULTS: Readonly<Record<string, readonly VendorFault[]>> = {
  busy: [{ step: 'command', kind: 'busy' }],
  broken: [{ step: 'command', kind: 'broken' }],
  foreign: [
    { step: 'command', kind: 'busy' },
    { step: 'write', kind: 'broken' },
  ],
  socket: [
    { step: 'command', kind: 'busy' },
    { step: 'write', kind: 'broken' },
  ],
}
/** Sessions of fifty turns; in `drain` another node takes over in the middle. */
const LONG = ['long', 'long-socket', 'drain', 'drain-socket']
/** For agents with a WebSocket only: its own vendor over one, and the long sessions. */
const OF_SOCKETS = ['socket', ...LONG]
const ROUNDS = 46
const DRAINED_IN_ROUND = 23
const FOREIGN_VENDORS = {
  chat: 'anthropic',
  responses: 'anthropic',
  messages: 'openai',
  gemini: 'openai',
} as const
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
    [...VENDORS, ...Object.keys(FAULTS), ...LONG].filter((name) => [undefined, name].includes(wanted.vendor)),
  )
  for (const program of programs.filter(({ id }) => id.startsWith(wanted.agent))) {
    const installed = await install(program, cache).catch((error: unknown) => String(error))
    if (typeof installed === 'string') {
      matrix.leaveOut(program.id, `npm did not install ${program.package}: ${installed}`)
      continue
    }
    const { namesNoSession = false, endsOnBreak = false } = program
    matrix.begin(program.id, {
      package: program.package,
      version: installed.version,
      namesNoSession,
      endsOnBreak,
    })
    for (const column of matrix.columns)
      if (!OF_SOCKETS.includes(column) || program.usesWebSocket === true)
        await runOne({ program, installed, column, matrix })
  }
  for (const library of libraries.filter(({ id }) => id.startsWith(wanted.agent)))
    await runLibraryEverywhere(library, { cache, matrix })
  if (wanted.agent === '') for (const [id, reason] of Object.entries(windows)) matrix.leaveOut(id, reason)
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
  const faults = FAULTS[column]
  const isLong = LONG.includes(column)
  const named = VENDORS.find((name) => name === column)
  const vendor = faults ? faultyVendor(program, column) : isLong ? ownVendor(program) : named
  invariant(vendor, 'every column is a vendor, a fault or a long session')
  const run = await runAgent({
    program,
    installed,
    vendor,
    faults,
    rounds: isLong ? ROUNDS : 0,
    passesSockets: column.endsWith('socket'),
    drainedInRound: column.startsWith('drain') ? DRAINED_IN_ROUND : undefined,
  })
  matrix.add(program.id, column, run)
  if (wanted.verbose && run.faults.length > 0) process.stdout.write(`${run.printed}\n`)
  const isRecorded = !faults && !isLong && vendor === ownVendor(program) && !program.usesWebSocket
  if (wanted.record && isRecorded) await record(program, installed, run)
}

/** The program of a library makes one call, so only the vendors of the three formats matter. */
async function runLibraryEverywhere(
  library: LibraryProgram,
  { cache, matrix }: { readonly cache: string; readonly matrix: Matrix },
): Promise<void> {
  const installed = await installLibrary(library, cache).catch((error: unknown) => String(error))
  if (typeof installed === 'string') {
    const reason = installed.trim().split('\n').at(-1) ?? ''
    matrix.leaveOut(
      library.id,
      `${library.packages.join(' ')} cannot be installed (${reason}); it sends ${library.request}`,
    )
    return
  }
  matrix.begin(library.id, { package: '', version: '', namesNoSession: false, endsOnBreak: false })
  for (const vendor of VENDORS.slice(0, 3))
    if (matrix.columns.includes(vendor))
      matrix.add(library.id, vendor, await runLibrary({ library, installed, vendor }))
}

async function record(program: AgentProgram, { version }: InstalledProgram, run: AgentRun): Promise<void> {
  if (run.faults.length > 0) return
  await writeRecording(recordingOf({ program: program.id, version, dialect: program.dialect, run }))
}

function faultyVendor(program: AgentProgram, column: string): VendorKind {
  return column === 'foreign' ? FOREIGN_VENDORS[program.dialect] : ownVendor(program)
}

function ownVendor({ dialect }: AgentProgram): VendorKind {
  return OWN_VENDORS[dialect]
}
