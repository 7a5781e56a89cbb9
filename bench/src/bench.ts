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

/** V8 has compiled a stream's frames after far fewer streams than whole answers. */
const STREAM_SHARE = 0.1
const STEP_SECONDS = 2
const STEPS_MAX = 60

/**
 * Sends every target the same number of calls, so that each is measured when its code is compiled. V8 goes on
 * compiling the gateway for some 80,000 calls; the bare relay has less code and is done after a tenth of them.
 */
export async function warmUp(bench: Bench): Promise<void> {
  const { options, targets } = bench
  for (const [name, target] of targets)
    for (const kind of options.kinds)
      if (serves(options, name, kind)) await warmUpTarget(bench, { name, target, kind })
}

interface Warming {
  readonly name: string
  readonly target: RunningTarget
  readonly kind: Kind
}

async function warmUpTarget(bench: Bench, { name, target, kind }: Warming): Promise<void> {
  const { options, load, directory, keyMix } = bench
  const wanted = options.warmupCalls * (kind === 'whole' ? 1 : STREAM_SHARE)
  let calls = 0
  for (let step = 0; step < STEPS_MAX && calls < wanted; step++) {
    const input = { target, load, kind, connections: 32, seconds: STEP_SECONDS, directory, keyMix }
    const figures = await measure(input)
    if (figures.requests === figures.failures)
      throw new Error(`${name} answered no ${kind} request:\n${target.output()}`)
    calls += figures.requests
  }
}

export function serves({ targets }: BenchOptions, name: string, kind: Kind): boolean {
  return targets.find((target) => target.name === name)?.kinds?.includes(kind) ?? true
}
