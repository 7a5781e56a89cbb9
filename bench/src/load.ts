import type { Address } from './targets/target.ts'
import { nodeLoad } from './node-load.ts'
import { hasWrk, wrkLoad } from './wrk.ts'

export interface LoadInput {
  readonly address: Address
  readonly body: string
  readonly connections: number
  readonly seconds: number
  readonly directory: string
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly medianMs: number
  readonly p99Ms: number
  /** Answers that were not 200, and connections that broke. */
  readonly failures: number
}

/** Keeps every connection busy with one request after another, in a process of its own. */
export type Load = (input: LoadInput) => Promise<LoadResult>

export type LoadTool = 'wrk' | 'node'

export const loads: Readonly<Record<LoadTool, Load>> = { wrk: wrkLoad, node: nodeLoad }

/** The load tool of this machine: wrk when it is installed, otherwise ours. */
export function installedLoad(): LoadTool {
  return hasWrk() ? 'wrk' : 'node'
}
