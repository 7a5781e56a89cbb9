import { parseArgs } from 'node:util'
import { installedLoad, type LoadTool } from './load.ts'
import { bareTarget } from './targets/bare.ts'
import { gatewayTarget } from './targets/gateway.ts'
import { portkeyTarget } from './targets/portkey.ts'
import type { Target } from './targets/target.ts'
import { upstreamTarget } from './targets/upstream.ts'
import { FRAMES, kinds, type Kind } from './workload.ts'

export interface BenchOptions {
  readonly targets: readonly Target[]
  readonly kinds: readonly Kind[]
  readonly connections: readonly number[]
  /** Frames of one stream. */
  readonly frames: number
  readonly seconds: number
  readonly warmupSeconds: number
  readonly rounds: number
  /** Calls of the memory test; 0 skips it. */
  readonly soakCalls: number
  readonly loadTool: LoadTool
  /** Profile each case instead of comparing targets. */
  readonly isProfiling: boolean
}

const allTargets: readonly Target[] = [upstreamTarget, bareTarget, gatewayTarget, portkeyTarget]
const COMPARED = {
  target: allTargets.map(({ name }) => name).join(),
  kind: 'whole,stream',
  connections: '1,32,256',
}
const PROFILED = { target: 'bare,gateway', kind: 'whole', connections: '32' }
const SECONDS_MAX = 120
const ROUNDS_MAX = 20
const CONNECTIONS_MAX = 4096
const FRAMES_MAX = 100_000
const SOAK_CALLS_MAX = 5_000_000

export const usageText = `Options
  --target a,b       ${allTargets.map(({ name }) => name).join(', ')} (all)
  --kind a,b         ${kinds.join(', ')} (whole, stream)
  --connections a,b  numbers (1,32,256)
  --frames n         of one stream (200)
  --seconds n        of one measurement (8)
  --rounds n         of everything; the middle is printed (3)
  --soak n           calls of the memory run against the gateway (200000; 0 leaves it out)
  --load name        wrk, node (wrk when it is installed)
  --quick            2 seconds, 1 round, no memory run
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
      load: { type: 'string' },
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
  })
  const { quick } = values
  const usual = values.profile ? PROFILED : COMPARED
  const { target = usual.target, kind = usual.kind, connections = usual.connections } = values
  return {
    targets: listOf(target).map(targetNamed),
    kinds: listOf(kind).map(kindNamed),
    connections: listOf(connections).map((text) => whole(text, 1, CONNECTIONS_MAX)),
    isProfiling: values.profile,
    frames: whole(values.frames, 4, FRAMES_MAX),
    seconds: whole(values.seconds ?? (quick ? '2' : '8'), 1, SECONDS_MAX),
    warmupSeconds: quick ? 1 : 4,
    rounds: whole(values.rounds ?? (quick ? '1' : '3'), 1, ROUNDS_MAX),
    soakCalls: whole(values.soak ?? (quick ? '0' : '200000'), 0, SOAK_CALLS_MAX),
    loadTool: values.load === undefined ? installedLoad() : loadNamed(values.load),
  }
}

function listOf(text: string): string[] {
  return text.split(',').map((part) => part.trim())
}

function targetNamed(name: string): Target {
  const target = allTargets.find((candidate) => candidate.name === name)
  if (!target) throw new Error(`there is no target ${name}`)
  return target
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
