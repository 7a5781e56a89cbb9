import type { KeyMix } from './key-mix.ts'
import type { Load } from './load-shape.ts'
import { usageOf } from './process-usage.ts'
import { splitLoad } from './split-load.ts'
import type { RunningTarget } from './targets/target.ts'
import { requestBody, type Kind } from './workload.ts'

export interface Case {
  readonly kind: Kind
  readonly connections: number
}

export interface LoadFigures {
  readonly requestsPerSecond: number
  readonly medianMs: number
  readonly p99Ms: number
  readonly cpuMicrosPerRequest: number
  readonly residentMiB: number
  readonly requests: number
  readonly failures: number
}

export interface MeasureInput extends Case {
  readonly target: RunningTarget
  readonly load: Load
  readonly seconds: number
  readonly directory: string
  readonly keyMix?: KeyMix
}

/** Runs load against one target once and records what its process used meanwhile. */
export async function measure({ target, load, kind, ...input }: MeasureInput): Promise<LoadFigures> {
  const before = usageOf(target.processIds(kind))
  const work = { ...input, addresses: target.addresses(kind), body: requestBody(kind) }
  const result = await splitLoad(load, work).finally(() => expectRunning(target))
  const after = usageOf(target.processIds(kind))
  return {
    requestsPerSecond: result.requests / result.seconds,
    medianMs: result.medianMs,
    p99Ms: result.p99Ms,
    cpuMicrosPerRequest: ((after.cpuMs - before.cpuMs) * 1000) / Math.max(1, result.requests),
    residentMiB: after.residentMiB,
    requests: result.requests,
    failures: result.failures,
  }
}

/** Throws if the target has ended: otherwise a crash under load would look like a slow target. */
export function expectRunning(target: RunningTarget): void {
  const end = target.ended()
  if (end !== undefined) throw new Error(`the target is gone: ${end}. It last said:\n${target.output()}`)
}

/** The median of each figure over several rounds; failures are summed. */
export function medianOf(rounds: readonly LoadFigures[]): LoadFigures {
  const middle = (read: (figures: LoadFigures) => number) => {
    const sorted = rounds.map(read).sort((left, right) => left - right)
    return sorted[Math.floor(sorted.length / 2)] ?? 0
  }
  const sum = (read: (figures: LoadFigures) => number) =>
    rounds.reduce((total, figures) => total + read(figures), 0)
  return {
    requestsPerSecond: middle((figures) => figures.requestsPerSecond),
    medianMs: middle((figures) => figures.medianMs),
    p99Ms: middle((figures) => figures.p99Ms),
    cpuMicrosPerRequest: middle((figures) => figures.cpuMicrosPerRequest),
    residentMiB: middle((figures) => figures.residentMiB),
    requests: sum((figures) => figures.requests),
    failures: sum((figures) => figures.failures),
  }
}
