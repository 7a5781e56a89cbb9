import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { AgentProgram } from './programs/agent-program.ts'
import { bareEnvironment, type InstalledProgram } from './programs/installed.ts'
import { openAgentGateway, upstreams } from './gateway.ts'
import { billingFaults } from './judge-billing.ts'
import {
  brokenAtOnce,
  cacheFaults,
  drainFaults,
  type Ended,
  refusalFaults,
  sessionFaults,
  transportFaults,
  workFaults,
} from './judge-work.ts'
import { startBlockingProxy } from './blocking-proxy.ts'
import { openTap, type TappedRequest } from './tap.ts'
import {
  type Exchange,
  type Vendor,
  type VendorFault,
  openVendor,
  type VendorKind,
} from './vendor/open-vendor.ts'
import { task } from './vendor/task.ts'

/** Result of one agent's run against one vendor. */
export interface AgentRun {
  /** Reasons why it failed; empty when the run passed. */
  readonly faults: readonly string[]
  readonly requests: readonly TappedRequest[]
  readonly book: readonly Exchange[]
  /** Hosts outside this machine that the agent tried to reach. */
  readonly outside: readonly string[]
  /** The folder the agent worked in; it has been deleted by now. */
  readonly place: string
  /** Standard output and error output of the agent. */
  readonly printed: string
}

export interface AgentRunInput {
  readonly program: AgentProgram
  readonly installed: InstalledProgram
  readonly vendor: VendorKind
  readonly faults?: readonly VendorFault[]
  /** See `TaskScript`. */
  readonly rounds?: number
  /** The calls of an agent with a WebSocket reach the vendor over one, too. */
  readonly passesSockets?: boolean
  /** In this round the node is drained, and another one takes over. */
  readonly drainedInRound?: number | undefined
}

const RUN_MS = 300_000
const KEYS = 3

export async function runAgent({
  program,
  installed,
  vendor: kind,
  faults: due = [],
  passesSockets = false,
  rounds = 0,
  drainedInRound,
}: AgentRunInput): Promise<AgentRun> {
  const place = await mkdtemp(join(tmpdir(), 'tollgate-agent-'))
  const home = join(place, 'home')
  const folder = join(place, 'project')
  const model = program.model ?? upstreams[kind].model
  const isDrained = drainedInRound !== undefined
  const drain = async () => gateway.drain()
  const vendor = await openVendor(kind, {
    folder,
    faults: due,
    rounds,
    ...(isDrained && { pause: { round: drainedInRound, until: drain } }),
  })
  // Another key has an empty cache. A call takes one when its own is busy, or when the node that knew it has ended.
  const keys = due.length > 0 || isDrained || program.namesNoSession === true ? 1 : KEYS
  const gateway = await openAgentGateway(kind, {
    vendorUrl: vendor.url,
    model,
    keys,
    passesSockets,
    isOnDisk: isDrained,
  })
  const tap = await openTap(gateway.address)
  const outside = await startBlockingProxy()
  try {
    const start = program.start({
      address: tap.address,
      key: gateway.key,
      model,
      home,
      folder,
      prompt: task.prompt,
    })
    await writeFiles(home, start.files)
    await writeFiles(folder, task.files)
    const env = { ...bareEnvironment(home), ...proxied(outside.address), ...start.env }
    const ended = await runProgram({ path: installed.path, args: start.args, cwd: folder, env })
    const rows = await gateway.rows()
    const billing = billingFaults({
      book: vendor.book,
      rows,
      spent: await gateway.spent(),
      failed: brokenAtOnce(tap.requests),
    })
    const written = await readFile(join(folder, task.written), 'utf8').catch(() => undefined)
    const faults = [
      ...(program.endsOnBreak && due.some(({ kind }) => kind === 'broken')
        ? []
        : workFaults({ ...ended, written })),
      ...refusalFaults({ requests: tap.requests, book: vendor.book, faults: due }),
      ...cacheFaults(vendor.book),
      ...(program.usesWebSocket ? transportFaults(tap.requests) : []),
      ...roundFaults(vendor, rounds),
      ...(isDrained ? drainFaults(tap.requests, rows) : []),
      ...(passesSockets ? socketFaults(vendor) : []),
      ...sessionFaults(program, rows),
      ...billing,
    ]
    const asked = [...new Set(outside.asked)]
    return {
      faults,
      requests: tap.requests,
      book: vendor.book,
      outside: asked,
      place,
      printed: ended.printed,
    }
  } finally {
    await outside.close()
    await tap.close()
    await gateway.close()
    await vendor.close()
    await rm(place, { recursive: true, force: true })
  }
}

/** Every round is a turn of its own, after the three of the task before them and before its last two. */
function roundFaults({ book }: Vendor, rounds: number): readonly string[] {
  const turns = book.filter(({ usage }) => usage !== undefined).length
  return turns > rounds ? [] : [`${turns} turns instead of more than ${rounds}`]
}

function socketFaults({ sockets, book }: Vendor): readonly string[] {
  return sockets() > 0 ? [] : [`${book.length} calls reached the vendor over HTTP`]
}

export function proxied(address: string): Record<string, string> {
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']
  const local = { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' }
  return { ...Object.fromEntries(names.map((name) => [name, address])), ...local }
}

async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(root, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
}

export function runProgram(input: {
  path: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
}): Promise<Ended> {
  const { path, args, cwd, env } = input
  return new Promise((resolve) => {
    // `detached` gives the agent its own process group, so that its child processes are killed with it.
    const child = spawn(path, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let printed = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => void (printed += chunk.toString()))
    const endGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The process has exited.
      }
    }
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      endGroup()
    }, RUN_MS)
    child.on('error', (error) => void (printed += String(error)))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      endGroup()
      resolve({ code: isLate ? 'no end in five minutes' : (code ?? signal ?? 'unknown'), printed })
    })
  })
}
