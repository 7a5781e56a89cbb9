import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Load, LoadInput, LoadResult } from './load-shape.ts'
import type { Address } from './targets/target.ts'

export interface SplitInput extends Omit<LoadInput, 'address'> {
  readonly addresses: readonly Address[]
}

/** Sends the load to several nodes at once, each with an equal share of the connections. */
export async function splitLoad(load: Load, { addresses, ...input }: SplitInput): Promise<LoadResult> {
  const connections = Math.max(1, Math.floor(input.connections / addresses.length))
  const results = await Promise.all(
    addresses.map((address, index) => {
      const directory = join(input.directory, `load-${index}`)
      mkdirSync(directory, { recursive: true })
      return load({ ...input, address, connections, directory })
    }),
  )
  return merged(results)
}

/** The median of the nodes' medians by requests, and the worst p99: good for nodes that do the same work. */
export function merged(results: readonly LoadResult[]): LoadResult {
  const sum = (read: (result: LoadResult) => number) =>
    results.reduce((total, result) => total + read(result), 0)
  const requests = sum((result) => result.requests)
  return {
    requests,
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
    medianMs: sum((result) => result.medianMs * result.requests) / Math.max(1, requests),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
    failures: sum((result) => result.failures),
  }
}
