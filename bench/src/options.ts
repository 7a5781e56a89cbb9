import { parseArgs } from 'node:util'
import { installedLoad, type LoadTool } from './load.ts'
import { bareTarget } from './targets/bare.ts'
import { gatewayTarget, type GatewaySetup } from './targets/gateway.ts'
import { storeNames, type StoreName } from './targets/gateway-database.ts'
import { portkeyTarget } from './targets/portkey.ts'
import type { Target } from './targets/target.ts'
import { upstreamTarget } from './targets/upstream.ts'
import { FRAMES, kinds, type Kind } from './workload.ts'

/** What is done with the targets, or with a gateway of its own. */
export type Mode = 'compare' | 'profile' | 'holds' | 'streams'

export interface BenchOptions extends GatewaySetup {
  readonly mode: Mode
  readonly targets: readonly Target[]
  readonly kinds: readonly Kind[]
  readonly connections: readonly number[]
  /** Frames of one stream. */
  readonly frames: number
  readonly seconds: number
  /** Calls that every target gets before it is measured. */
  readonly warmupCalls: number
  readonly rounds: number
  /** Calls of the memory test; 0 skips it. */
  readonly soakCalls: number
  readonly loadTool: LoadTool
  /** Users whose calls are mixed by Zipf's law. */
  readonly users: number
  /** Calls a second, at an even pace, to see what the hold adds. */
  readonly holdRate: number
  /** Streams that are open at once, to see what memory each takes. */
  readonly streams: number
}

const targetNames = ['upstream', 'bare', 'gateway', 'portkey'] as const
const COMPARED = {
  target: targetNames.join(),
  kind: 'whole,stream',
  connections: '1,32,256',
}
const PROFILED = { target: 'bare,gateway', kind: 'whole', connections: '32' }
const SECONDS_MAX = 120
const ROUNDS_MAX = 20
const CONNECTIONS_MAX = 4096
const FRAMES_MAX = 100_000
const SOAK_CALLS_MAX = 5_000_000
const WARMUP_CALLS_MAX = 1_000_000
const NODES_MAX = 16
const USERS_MAX = 200_000
const RATE_MAX = 5_000
const STREAMS_MIN = 1_000
const STREAMS_MAX = 100_000

export const usageText = `Options
  --target a,b       ${targetNames.join(', ')} (all)
  --kind a,b         ${kinds.join(', ')} (whole, stream)
  --connections a,b  numbers (1,32,256)
  --frames n         of one stream (200)
  --seconds n        of one measurement (8)
  --rounds n         of everything; the middle is printed (3)
  --warmup n         whole calls to each target before it is measured, and a tenth as many streams (80000)
  --soak n           calls of the memory run against the gateway (200000; 0 leaves it out)
  --load name        wrk, node (wrk when it is installed)
  --quick            2 seconds, 1 round, no memory run
  --store name       of the gateway: sqlite, postgres, mariadb (sqlite); the servers that tests use
  --nodes n          gateways over one database, with the load split, beside one of them alone (1; more need a server)
  --workers n        worker processes of each gateway (1)
  --bundle           the gateway as it is installed, from dist/ (npm run bundle), instead of its sources
  --users n          callers, mixed by Zipf's law (1)
  --hold-rate n      instead: calls a second at an even pace, and what the hold adds to each
  --streams n        instead: streams open at once in one gateway, and the memory of each
  --profile          where the processor time of a call goes, by station, with a flame graph in bench/results;
                     of bare and gateway, whole, 32 connections, unless other ones are named
`

/** Throws an `Error` whose message can be shown to the user. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      target: { type: 'string' },
      kind: { type: 'string' },
      connections: { type: 'string' },
      frames: { type: 'string', default: String(FRAMES) },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      soak: { type: 'string' },
      warmup: { type: 'string' },
      bundle: { type: 'boolean', default: false },
      load: { type: 'string' },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      store: { type: 'string', default: 'sqlite' },
      nodes: { type: 'string', default: '1' },
      workers: { type: 'string', default: '1' },
      users: { type: 'string', default: '1' },
      'hold-rate': { type: 'string' },
      streams: { type: 'string' },
    },
  })
  const { quick } = values
  const usual = values.profile ? PROFILED : COMPARED
  const { target = usual.target, kind = usual.kind, connections = usual.connections } = values
  const setup: GatewaySetup = {
    store: storeNamed(values.store),
    nodes: whole(values.nodes, 1, NODES_MAX),
    workers: whole(values.workers, 1, NODES_MAX),
    isBundle: values.bundle,
  }
  if (setup.store === 'sqlite' && setup.nodes > 1)
    throw new Error('several nodes need --store postgres or mariadb')
  return {
    ...setup,
    mode: modeOf(values),
    targets: listOf(target).map((name) => targetNamed(name, setup)),
    users: whole(values.users, 1, USERS_MAX),
    holdRate: whole(values['hold-rate'] ?? '500', 1, RATE_MAX),
    streams: whole(values.streams ?? '10000', STREAMS_MIN, STREAMS_MAX),
    kinds: listOf(kind).map(kindNamed),
    connections: listOf(connections).map((text) => whole(text, 1, CONNECTIONS_MAX)),
    frames: whole(values.frames, 4, FRAMES_MAX),
    seconds: whole(values.seconds ?? (quick ? '2' : '8'), 1, SECONDS_MAX),
    warmupCalls: whole(values.warmup ?? (quick ? '4000' : '80000'), 1, WARMUP_CALLS_MAX),
    rounds: whole(values.rounds ?? (quick ? '1' : '3'), 1, ROUNDS_MAX),
    soakCalls: whole(values.soak ?? (quick ? '0' : '200000'), 0, SOAK_CALLS_MAX),
    loadTool: values.load === undefined ? installedLoad() : loadNamed(values.load),
  }
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function modeOf(values: { profile: boolean; 'hold-rate'?: string; streams?: string }): Mode {
  if (values.profile) return 'profile'
  if (values['hold-rate'] !== undefined) return 'holds'
  return values.streams === undefined ? 'compare' : 'streams'
}

function targetNamed(name: string, setup: GatewaySetup): Target {
  const target = {
    upstream: upstreamTarget,
    bare: bareTarget,
    gateway: gatewayTarget(setup),
    portkey: portkeyTarget,
  }
  const known = targetNames.find((candidate) => candidate === name)
  if (known === undefined) throw new Error(`there is no target ${name}`)
  return target[known]
}

function storeNamed(name: string): StoreName {
  const store = storeNames.find((known) => known === name)
  if (store !== undefined) return store
  throw new Error(`there is no store ${name}`)
}

function kindNamed(name: string): Kind {
  const kind = kinds.find((known) => known === name)
  if (kind !== undefined) return kind
  throw new Error(`there is no kind ${name}`)
}

function loadNamed(name: string): LoadTool {
  if (name === 'wrk' || name === 'node') return name
  throw new Error(`there is no load tool ${name}`)
}

function whole(text: string, min: number, max: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new Error(`${text} is not a whole number from ${min} to ${max}`)
}
