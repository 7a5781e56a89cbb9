import { readFileSync } from 'node:fs'
import process from 'node:process'

/** Identifies a process by its id and start time, because process ids are reused. */
export interface ProcessIdentity {
  readonly pid: number
  /**
   * Start time in clock ticks since boot; empty where the system does not provide it (everywhere but Linux).
   */
  readonly began: string
}

export function ownMark(): ProcessIdentity {
  return { pid: process.pid, began: beginningOf(process.pid) }
}

/**
 * Whether the process is still running and is not this one. When a start time is unknown, only the process id
 * is compared.
 */
export function isAnotherAlive({ pid, began }: ProcessIdentity): boolean {
  // In a container a restarted process has the same process id as its predecessor.
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

/**
 * Index of `starttime` among the fields after the process name, see proc_pid_stat(5). The name is in
 * parentheses and may contain parentheses itself.
 */
const STARTTIME = 19

export function beginningOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[STARTTIME] ?? ''
  } catch {
    return ''
  }
}
