import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { LoadInput, LoadResult } from './load-shape.ts'
import { numbersAfter, runLoadCommand } from './run-command.ts'

const GRACE_MS = 30_000
export const RESULT_MARK = 'RESULT '

/** What `node-client.ts` reads from its file. */
export interface NodeLoadInput extends Omit<LoadInput, 'directory' | 'keyMix'> {
  readonly keyMix?: { readonly keys: readonly string[]; readonly draws: readonly number[] }
  /** Starts so many calls a second at an even pace, instead of keeping every connection busy. */
  readonly perSecond?: number
}

export type PacedInput = LoadInput & Pick<NodeLoadInput, 'perSecond'>

/**
 * For machines without wrk, and for calls at an even pace. One Node process sends fewer requests than wrk, so
 * its results compare only with each other.
 */
export async function nodeLoad({ directory, keyMix, ...input }: PacedInput): Promise<LoadResult> {
  const file = join(directory, 'load.json')
  const mix = keyMix && { keys: keyMix.keys, draws: [...keyMix.draws] }
  writeFileSync(file, JSON.stringify({ ...input, keyMix: mix } satisfies NodeLoadInput))
  const command = [process.execPath, join(import.meta.dirname, 'node-client.ts'), file]
  const output = await runLoadCommand(command, input.seconds * 1000 + GRACE_MS)
  const {
    requests = 0,
    elapsed = 0,
    medianMs = 0,
    p99Ms = 0,
    failures = 0,
  } = numbersAfter(RESULT_MARK, output)
  return { requests, seconds: elapsed, medianMs, p99Ms, failures }
}
