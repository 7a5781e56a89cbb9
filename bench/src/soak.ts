import type { Load } from './load-shape.ts'
import { expectRunning } from './measure.ts'
import { usageOf } from './process-usage.ts'
import { splitLoad } from './split-load.ts'
import type { RunningTarget } from './targets/target.ts'
import { requestBody } from './workload.ts'

export interface SoakInput {
  readonly target: RunningTarget
  readonly load: Load
  readonly calls: number
  readonly directory: string
}

export interface SoakSample {
  readonly calls: number
  readonly residentMiB: number
}

const CONNECTIONS = 32
const SLICE_SECONDS = 5
/** Ends the loop for a target that answers nothing. */
const SLICES_MAX = 400

/** Samples memory after each slice of load until `calls` requests have been answered. */
export async function soak({ target, load, calls, directory }: SoakInput): Promise<SoakSample[]> {
  const samples: SoakSample[] = []
  let answered = 0
  for (let slice = 0; slice < SLICES_MAX && answered < calls; slice++) {
    const addresses = target.addresses('whole')
    const body = requestBody('whole')
    const input = { addresses, body, connections: CONNECTIONS, seconds: SLICE_SECONDS, directory }
    const result = await splitLoad(load, input).finally(() => expectRunning(target))
    if (result.requests === 0) throw new Error('the target stopped answering')
    answered += result.requests
    samples.push({ calls: answered, residentMiB: usageOf(target.processIds('whole')).residentMiB })
  }
  return samples
}

/**
 * Memory growth of the second half by least squares, in MiB per 100,000 calls. The first half is ignored
 * because the target may still be warming up.
 */
export function growthPer100k(samples: readonly SoakSample[]): number {
  const late = samples.slice(Math.floor(samples.length / 2))
  const mean = (read: (sample: SoakSample) => number) =>
    late.reduce((sum, sample) => sum + read(sample), 0) / late.length
  const meanCalls = mean(({ calls }) => calls)
  const meanMiB = mean(({ residentMiB }) => residentMiB)
  const spread = late.reduce((sum, { calls }) => sum + (calls - meanCalls) ** 2, 0)
  if (spread === 0) return 0
  const joint = late.reduce(
    (sum, { calls, residentMiB }) => sum + (calls - meanCalls) * (residentMiB - meanMiB),
    0,
  )
  return (joint / spread) * 100_000
}
