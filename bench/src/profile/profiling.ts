import { join } from 'node:path'

export interface Profiling {
  readonly nodeOptions: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** What a Node process is started with so that it can be profiled; nothing without a directory. */
export function profiling(directory: string | undefined): Profiling {
  if (directory === undefined) return { nodeOptions: [], env: {} }
  return {
    nodeOptions: ['--import', join(import.meta.dirname, 'preload.ts')],
    env: { BENCH_PROFILE: directory },
  }
}
