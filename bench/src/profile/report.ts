import { markdown } from '../report.ts'
import type { ThreadTimes } from './aggregate.ts'

export interface ProfiledThread {
  readonly name: string
  readonly cpuMicros: number
  readonly times: ThreadTimes
}

export interface ProfileReport {
  readonly calls: number
  readonly threads: readonly ProfiledThread[]
  /** Processor time of threads without JavaScript: collection, compilation, files, profilers. */
  readonly nativeMicros: number
}

const TOP = 25
/** Stations below this share of all processor time are summed up in one line. */
const SHARE_MIN = 0.003

/**
 * Microseconds a call by station. Samples are taken by the clock, so they also cover waits for a disk, a lock
 * or a processor; "CPU" scales those of a thread to its processor time.
 */
export function stationTable({ calls, threads, nativeMicros }: ProfileReport): string {
  const total = sum(threads.map(({ cpuMicros }) => cpuMicros)) + nativeMicros
  const line = (
    thread: string,
    station: string,
    { cpu, busy }: { cpu: number; busy: number | undefined },
  ) => [
    thread,
    station,
    (cpu / calls).toFixed(1),
    `${((100 * cpu) / total).toFixed(1)} %`,
    busy === undefined ? '' : (busy / calls).toFixed(1),
  ]
  const lines = threads.flatMap(({ name, cpuMicros, times }) => {
    const scale = cpuScale({ cpuMicros, times })
    const all = [...times.stations].toSorted(([, left], [, right]) => right - left)
    const isShown = ([, micros]: (typeof all)[number]) => micros * scale >= total * SHARE_MIN
    const rest = sum(all.filter((each) => !isShown(each)).map(([, micros]) => micros))
    return [
      line(name, '**all**', { cpu: cpuMicros, busy: times.busyMicros }),
      ...all
        .filter(isShown)
        .map(([station, micros]) => line(name, station, { cpu: micros * scale, busy: micros })),
      ...(rest > 0 ? [line(name, 'all others', { cpu: rest * scale, busy: rest })] : []),
    ]
  })
  const native = line('of V8 and libuv', 'collecting, compiling, files, sampling', {
    cpu: nativeMicros,
    busy: undefined,
  })
  const all = line('**all**', '', { cpu: total, busy: undefined })
  return markdown(['thread', 'station', 'CPU µs/call', 'share', 'busy µs/call'], [all, ...lines, native])
}

/** The functions with the most processor time of their own, without what they call. */
export function functionTable({ calls, threads }: ProfileReport): string {
  const all = threads.flatMap(({ name, cpuMicros, times }) => {
    const scale = cpuScale({ cpuMicros, times })
    return times.functions
      .slice(0, TOP)
      .map((each) => ({ ...each, thread: name, cpu: each.selfMicros * scale }))
  })
  const lines = all
    .toSorted((left, right) => right.cpu - left.cpu)
    .slice(0, TOP)
    .map(({ cpu, name, place, station, thread }) => [(cpu / calls).toFixed(2), name, thread, station, place])
  return markdown(['CPU µs/call', 'function', 'thread', 'station', 'place'], lines)
}

/** What share of the main threads' clock time they were idle. */
export function idleShare({ idleMicros, busyMicros }: ThreadTimes): number {
  return idleMicros / Math.max(1, idleMicros + busyMicros)
}

export function cpuScale({ cpuMicros, times }: Pick<ProfiledThread, 'cpuMicros' | 'times'>): number {
  return cpuMicros / Math.max(1, times.busyMicros)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
