import { join } from 'node:path'
import process from 'node:process'
import type { LoadInput, LoadResult } from './load-shape.ts'
import { numbersAfter, runLoadCommand } from './run-command.ts'

const GRACE_MS = 30_000
export const RESULT_MARK = 'RESULT '

/**
 * For machines without wrk. One Node process sends fewer requests than wrk, so its results compare only with
 * each other.
 */
export async function nodeLoad({ address, body, connections, seconds }: LoadInput): Promise<LoadResult> {
  const input = JSON.stringify({ address, body, connections, seconds })
  const command = [process.execPath, join(import.meta.dirname, 'node-client.ts'), input]
  const result = numbersAfter(RESULT_MARK, await runLoadCommand(command, seconds * 1000 + GRACE_MS))
  const { requests = 0, elapsed = 0, medianMs = 0, p99Ms = 0, failures = 0 } = result
  return { requests, seconds: elapsed, medianMs, p99Ms, failures }
}
