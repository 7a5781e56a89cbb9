import type { KeyMix } from './key-mix.ts'
import type { Load } from './load-shape.ts'
import { measure } from './measure.ts'
import type { BenchOptions } from './options.ts'
import type { RunningTarget } from './targets/target.ts'
import type { Kind } from './workload.ts'

/** A run: its options and the targets that were started for it. */
export interface Bench {
  readonly options: BenchOptions
  readonly load: Load
  readonly directory: string
  readonly targets: ReadonlyMap<string, RunningTarget>
  /** With several users. */
  readonly keyMix?: KeyMix
}

export async function warmUp({ options, load, directory, targets, keyMix }: Bench): Promise<void> {
  for (const [name, target] of targets) {
    for (const kind of options.kinds) {
      if (!serves(options, name, kind)) continue
      const seconds = options.warmupSeconds
      const figures = await measure({ target, load, kind, connections: 32, seconds, directory, keyMix })
      if (figures.requests === figures.failures)
        throw new Error(`${name} answered no ${kind} request:\n${target.output()}`)
    }
  }
}

export function serves({ targets }: BenchOptions, name: string, kind: Kind): boolean {
  return targets.find((target) => target.name === name)?.kinds?.includes(kind) ?? true
}
