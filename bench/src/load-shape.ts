import type { Address } from './targets/target.ts'

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
