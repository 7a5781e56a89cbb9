import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export interface OwnRun {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

const PROGRAM = fileURLToPath(new URL('../program.ts', import.meta.url))
const CHARACTERS_MAX = 1_000_000

/**
 * Runs a command of this program in a process of its own and at a low priority, so that long work takes neither
 * memory nor time from calls. Resolves once it has ended.
 */
export async function runOwnProgram(
  args: readonly string[],
  { env, signal }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal },
): Promise<OwnRun> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env,
    signal,
    killSignal: 'SIGTERM',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { output: '', errors: '' }
  child.stdout.on('data', (chunk: Buffer) => (texts.output = added(texts.output, chunk)))
  child.stderr.on('data', (chunk: Buffer) => (texts.errors = added(texts.errors, chunk)))
  if (child.pid !== undefined) lowerPriority(child.pid)
  const failed = once(child, 'error').then(([error]) => Promise.reject(error))
  await Promise.race([once(child, 'close'), failed])
  return { code: child.exitCode, ...texts }
}

function added(text: string, chunk: Buffer): string {
  return (text + chunk.toString()).slice(0, CHARACTERS_MAX)
}

/** Not every system allows it, and it may have ended already. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It runs at the usual priority.
  }
}
