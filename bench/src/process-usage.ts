import { readFileSync, readdirSync } from 'node:fs'

/** CPU and memory use of a process according to the kernel. Linux only; zeros elsewhere. */
export interface ProcessUsage {
  /** CPU time of all threads, user plus system. */
  readonly cpuMs: number
  readonly residentMiB: number
  readonly peakMiB: number
}

/** A clock tick is 10 ms on every Linux that Node supports. */
const TICK_MS = 10

/** What these processes and their child processes use together. */
export function usageOf(pids: readonly number[]): ProcessUsage {
  const all = pids.flatMap(treeOf).map(processUsage)
  const sum = (read: (usage: ProcessUsage) => number) => all.reduce((total, usage) => total + read(usage), 0)
  return {
    cpuMs: sum(({ cpuMs }) => cpuMs),
    residentMiB: sum(({ residentMiB }) => residentMiB),
    peakMiB: sum(({ peakMiB }) => peakMiB),
  }
}

/** A process and all that it started, directly or not. */
export function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)]
}

function childrenOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'))
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}

function processUsage(pid: number): ProcessUsage {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return { cpuMs: cpuMs(pid), residentMiB: mebibytes(status, 'VmRSS'), peakMiB: mebibytes(status, 'VmHWM') }
  } catch {
    return { cpuMs: 0, residentMiB: 0, peakMiB: 0 }
  }
}

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The command name in parentheses may contain spaces; user and system time are the 12th and 13th fields
  // after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

function mebibytes(status: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024
}
