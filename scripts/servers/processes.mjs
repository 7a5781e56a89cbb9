// Processes by their number and start time. A number alone may belong to another process by now.
import { readFileSync } from 'node:fs'
import process from 'node:process'

/** @typedef {{ pid: number, started: string }} ProcessIdentity */

/** Longer than any server needs to end at once. */
const END_MS = 10_000

/**
 * The start time of a process in ticks since the machine started, or `undefined` where there is none. A process that
 * has ended and waits for its parent counts as ended.
 * @param {number} pid
 */
export function readStartTime(pid) {
  let line
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name in parentheses may contain spaces and parentheses itself.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}

/** @param {ProcessIdentity} identity */
export function isRunning({ pid, started }) {
  return started !== undefined && readStartTime(pid) === started
}

/**
 * Ends a process with its group and waits for its end, without the event loop, because a script that exits has none.
 * @param {ProcessIdentity} identity
 * @param {NodeJS.Signals} signal
 * @param {number} [patienceMs] how long it may take until it gets SIGKILL
 */
export function endProcess(identity, signal, patienceMs = END_MS) {
  for (const next of [signal, 'SIGKILL']) {
    if (!isRunning(identity)) return
    send(identity.pid, next)
    for (let waitedMs = 0; waitedMs < patienceMs && isRunning(identity); waitedMs += 10) sleep(10)
  }
}

function send(pid, signal) {
  // A server leads its own group, so the group has the same number.
  for (const target of [-pid, pid])
    try {
      process.kill(target, signal)
      return
    } catch (error) {
      if (error?.code !== 'ESRCH') throw error
    }
}

function sleep(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
