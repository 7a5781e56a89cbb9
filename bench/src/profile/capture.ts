import { readFileSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { aggregate } from './aggregate.ts'
import type { CpuProfile } from './cpu-profile.ts'
import type { ProfiledThread } from './report.ts'
import type { ThreadRecord } from './thread-record.ts'

/** Starts the profilers of all processes that `preload.ts` was loaded into with this directory. */
export async function startProfilers(directory: string): Promise<void> {
  await Promise.all(socketsIn(directory).map((path) => send(path, 'start')))
}

export interface Captured {
  readonly threads: readonly ProfiledThread[]
  /** The raw profiles. */
  readonly files: readonly string[]
}

export async function stopProfilers(directory: string): Promise<Captured> {
  const answers = await Promise.all(socketsIn(directory).map((path) => send(path, 'stop')))
  const records = answers.flatMap(recordsIn)
  const isAlone = new Set(records.map(({ processId }) => processId)).size === 1
  return {
    threads: records.map((record) => profiledThread(record, isAlone ? '' : ` of ${record.processId}`)),
    files: records.map(({ file }) => file),
  }
}

function profiledThread({ name, file, cpuMicros }: ThreadRecord, of: string): ProfiledThread {
  // The file was written by the inspector, so the cast is safe.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const profile = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile
  const times = aggregate(profile)
  // The samples of an idle thread take processor time too, which is not that of a call.
  return { name: name + of, cpuMicros: Math.min(cpuMicros, times.busyMicros), times }
}

function socketsIn(directory: string): string[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sock'))
  if (names.length === 0) throw new Error(`no profiled process listens in ${directory}`)
  return names.map((name) => join(directory, name))
}

function send(path: string, command: 'start' | 'stop'): Promise<string> {
  const socket = connect(path)
  socket.write(command)
  return text(socket)
}

function recordsIn(answer: string): ThreadRecord[] {
  // `preload.ts` wrote the answer, so the cast is safe.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(answer) as ThreadRecord[]
}
