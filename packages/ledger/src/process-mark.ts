import { readFileSync } from 'node:fs'
import process from 'node:process'

/** A process by more than its number, which is given to another once it has ended. */
export interface ProcessMark {
  readonly pid: number
  /** When it began, in ticks since the machine did; empty where the system does not tell (all but Linux). */
  readonly began: string
}

export function ownMark(): ProcessMark {
  return { pid: process.pid, began: beginningOf(process.pid) }
}

/** Whether it runs still and is not this one. Where beginnings are unknown, the number alone has to do. */
export function isAnotherAlive({ pid, began }: ProcessMark): boolean {
  // In a container the next process has the same number as the last.
  if (pid === process.pid || !isTaken(pid)) return false
  const now = beginningOf(pid)
  return began === '' || now === '' || began === now
}

function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** After the name, in brackets that it may have in itself, `starttime` is the twentieth (see proc_pid_stat(5)). */
const STARTTIME = 19

export function beginningOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STARTTIME] ?? ''
  } catch {
    return ''
  }
}
