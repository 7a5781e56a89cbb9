import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AimFigures } from '../aims/aims.ts'
import type { RunInput } from '../holds/hold-run.ts'
import { newKeyMix } from '../key-mix.ts'
import type { NodeLoadInput } from '../node-load.ts'
import type { BenchOptions } from '../options.ts'
import { usageOf } from '../process-usage.ts'
import { placed } from '../processes.ts'
import { say } from '../say.ts'
import { runGateway } from '../targets/gateway.ts'
import { startOpenStreams } from '../upstreams.ts'
import { requestBody } from '../workload.ts'

/** The gateway opens at most 1,024 connections to one address. */
const STREAMS_PER_ADDRESS = 600
const USERS = 200
/** Streams before the first look at the memory, so that it has everything that a first call loads. */
const FIRST = 300
const SETTLE_MS = 5_000
/** Files of the gateway that are not streams. */
const OTHER_FILES = 300
/** With fewer streams, what the process takes for itself would count too much. */
const AIM_STREAMS = 9_000
const BYTES_PER_KB = 1_000

/** Opens many streams in one gateway process and tells how much memory each of them takes. */
export async function streamsRun(
  {
    streams: wanted,
    store,
    workers,
    isBundle,
  }: Pick<BenchOptions, 'streams' | 'store' | 'workers' | 'isBundle'>,
  { upstreams, directory }: RunInput,
): Promise<AimFigures> {
  const streams = Math.min(wanted, possibleStreams())
  if (streams < wanted) say(`this system allows ${openFilesMax()} open files, so only ${streams} streams`)
  const own = join(directory, 'streams')
  mkdirSync(own)
  const { keys } = newKeyMix(USERS)
  const stream = await startOpenStreams(Math.ceil(streams / STREAMS_PER_ADDRESS))
  const input = { upstreams: { ...upstreams, stream }, directory: own, userKeys: keys }
  const env = { STREAMING_TIMEOUT: '3600', DRAIN_SECONDS: '1' }
  const gateway = await runGateway({ store, nodes: 1, workers, isBundle }, input, env)
  const [address = { url: '', headers: {} }] = gateway.addresses('stream')
  const file = join(own, 'streams.json')
  const keyMix = { keys, draws: keys.map((_, index) => index) }
  const load: NodeLoadInput = { address, body: requestBody('stream'), connections: 0, seconds: 0, keyMix }
  writeFileSync(file, JSON.stringify(load))
  const client = startClient(file)
  try {
    const residentMiB = async (count: number): Promise<{ open: number; residentMiB: number }> => {
      const open = await client.open(count)
      await sleep(SETTLE_MS)
      return { open, residentMiB: usageOf(gateway.processIds('stream')).residentMiB }
    }
    const before = await residentMiB(FIRST)
    const after = await residentMiB(streams)
    const each =
      ((after.residentMiB - before.residentMiB) * 2 ** 20) / BYTES_PER_KB / (after.open - before.open)
    say(
      `${before.open} open streams: ${before.residentMiB.toFixed(0)} MiB; ${after.open}: ${after.residentMiB.toFixed(0)} MiB; each ${each.toFixed(1)} KB`,
    )
    return after.open < AIM_STREAMS ? {} : { 'stream-memory': each }
  } finally {
    client.stop()
    await gateway.stop()
    await stream.process.stop()
  }
}

interface Client {
  /** Resolves to the number of open streams once so many were tried. */
  open(count: number): Promise<number>
  stop(): void
}

function startClient(file: string): Client {
  const [program, ...args] = placed('load', [
    process.execPath,
    join(import.meta.dirname, 'stream-client.ts'),
    file,
  ])
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  return { open: (count) => openStreams(child, count), stop: () => void child.kill('SIGKILL') }
}

async function openStreams({ stdin, stdout }: ChildProcess, count: number): Promise<number> {
  if (!stdin || !stdout) throw new Error('the client has pipes')
  stdin.write(`${count}\n`)
  const lines = createInterface({ input: stdout })
  for await (const line of lines) {
    const [, open, failures] = line.split(' ').map(Number)
    if (failures) say(`${failures} streams could not be opened`)
    return open ?? 0
  }
  throw new Error('the client has ended')
}

/** A stream takes two connections of the gateway. */
function possibleStreams(): number {
  return Math.floor((openFilesMax() - OTHER_FILES) / 2)
}

/** Node raises its soft limit to the hard one. */
function openFilesMax(): number {
  const limits = readFileSync('/proc/self/limits', 'utf8')
  return Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Number.MAX_SAFE_INTEGER)
}
