import type { KeyMix } from './key-mix.ts'
import type { Address } from './targets/target.ts'

export interface LoadInput {
  readonly address: Address
  readonly body: string
  readonly connections: number
  readonly seconds: number
  readonly directory: string
  /** Replaces the `authorization` of the address by that of another user for each request. */
  readonly keyMix?: KeyMix
}

export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly medianMs: number
  readonly p99Ms: number
  /** Responses other than 200, and broken connections. */
  readonly failures: number
}

/** Keeps every connection busy with one request after another, from a separate process. */
export type Load = (input: LoadInput) => Promise<LoadResult>
