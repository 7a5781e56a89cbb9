// Runs named steps one after the other or in parallel and reports how each ended.
import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { exitOnSignals } from './exit-on-signals.mjs'
import { nodePath, root } from './install.mjs'
import { endProcess, readStartTime } from './servers/processes.mjs'

const isGrouped = process.platform === 'linux'

/** @typedef {{ name: string, args: string[], cwd?: string, env?: Record<string, string> }} Step */

/**
 * Command line of a tool in `node_modules`, run with the pinned Node.
 * @param {string} bin path below node_modules
 */
export function tool(bin, ...args) {
  return [join(root, 'node_modules', bin), ...args]
}

/** What still runs when this process exits is ended with everything it has started. */
const running = new Set()
process.on('exit', () => {
  for (const child of running) endGroup(child.pid)
})

/**
 * Runs one step. An `isPatient` step gets little CPU time while other processes need it.
 * @param {Step} step
 * @returns {Promise<{ name: string, isGreen: boolean, seconds: number, output: string }>}
 */
export async function runStep(step, { isQuiet = false, isPatient = false } = {}) {
  const startedMs = Date.now()
  let output = ''
  const child = spawn(nodePath(), step.args, {
    cwd: step.cwd ?? root,
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
      ...step.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In a group of its own: Vitest does not end its workers when it is ended.
    detached: isGrouped,
  })
  exitOnSignals()
  running.add(child)
  if (isPatient && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
      if (!isQuiet) process.stdout.write(chunk)
    })
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', resolve)
  })
  running.delete(child)
  return { name: step.name, isGreen: code === 0, seconds: (Date.now() - startedMs) / 1000, output }
}

function endGroup(pid) {
  if (pid === undefined) return
  if (!isGrouped) {
    process.kill(pid)
    return
  }
  // Vitest would first wait for the tests under way.
  endProcess({ pid, started: readStartTime(pid) }, 'SIGTERM', 2_000)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error?.code !== 'ESRCH') throw error
  }
}

/**
 * Runs the steps in order, several at a time: one tool can read files while another computes. `isPatient`
 * steps run one at a time, beside something more urgent. Reports each step when it ends, with its full output if it
 * failed.
 * @param {Step[]} steps
 * @returns {Promise<boolean[]>} whether each step passed
 */
export async function runSideBySide(steps, { isPatient = false, atOnce = isPatient ? 1 : 2 } = {}) {
  const left = [...steps.entries()]
  const greens = steps.map(() => false)
  async function work() {
    for (let next = left.shift(); next; next = left.shift()) {
      const [index, step] = next
      const { isGreen, seconds, output } = await runStep(step, { isQuiet: true, isPatient })
      greens[index] = isGreen
      process.stdout.write(`${isGreen ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)\n`)
      if (!isGreen) process.stdout.write(`${output}\n`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, () => work()))
  return greens
}
