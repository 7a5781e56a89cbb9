import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomAlphanumeric } from '@tollgate/kit/ids'
import { zipfDraws } from './zipf.ts'

/** Keys of many users, and whose turn it is: the load repeats the draws. */
export interface KeyMix {
  /** Without the `sk-` that callers prepend. */
  readonly keys: readonly string[]
  /** Indices of the keys. */
  readonly draws: Uint32Array
}

const KEY_CHARACTERS = 48
const DRAWS = 65_536

export function newKeyMix(users: number): KeyMix {
  const keys = Array.from({ length: users }, () => randomAlphanumeric(KEY_CHARACTERS))
  return { keys, draws: zipfDraws({ users, count: DRAWS }) }
}

/** Writes keys and draws for a load tool, one a line, and returns the paths. */
export function writeKeyMix({ keys, draws }: KeyMix, directory: string): { keys: string; draws: string } {
  const paths = { keys: join(directory, 'keys.txt'), draws: join(directory, 'draws.txt') }
  writeFileSync(paths.keys, keys.join('\n'))
  writeFileSync(paths.draws, draws.join('\n'))
  return paths
}
