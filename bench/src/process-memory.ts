import { readFileSync } from 'node:fs'
import { treeOf } from './process-usage.ts'

/** Memory of a process and its children according to the kernel. Linux only. */
export interface ProcessMemory {
  /** All pages in memory, also those of program files, which processes share. */
  readonly residentMiB: number
  /** The same, with shared pages divided by the number of processes that use them. */
  readonly proportionalMiB: number
  /** Pages that no other process has, and that are in no file. */
  readonly privateMiB: number
}

export function memoryOf(pid: number): ProcessMemory {
  const all = treeOf(pid).map((one) => readFileSync(`/proc/${one}/smaps_rollup`, 'utf8'))
  const sum = (field: string): number =>
    all.reduce((total, text) => {
      const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text) ?? []
      return total + Number(kilobytes) / 1024
    }, 0)
  return { residentMiB: sum('Rss'), proportionalMiB: sum('Pss'), privateMiB: sum('Private_Dirty') }
}
