import type { Upstreams } from '../upstreams.ts'
import type { Kind } from '../workload.ts'

/** A program to be measured. Each runs in its own process with the two upstreams behind it. */
export interface Target {
  readonly name: string
  readonly about: string
  /** Kinds of requests it supports; all when absent. */
  readonly kinds?: readonly Kind[]
  start(input: TargetInput): Promise<RunningTarget>
}

export interface TargetInput {
  readonly upstreams: Upstreams
  /** A directory for this target alone, deleted at the end. */
  readonly directory: string
  /** Where its processes offer to be profiled, if they shall: see `profile/preload.ts`. */
  readonly profileDirectory?: string
  /** Keys of further users, without `sk-`, if the target knows users. */
  readonly userKeys?: readonly string[]
}

export interface RunningTarget {
  /** Ids of the processes that serve this kind; their child processes count with them. */
  processIds(kind: Kind): readonly number[]
  /** The address and headers that a client needs, for each node. */
  addresses(kind: Kind): readonly Address[]
  output(): string
  /** How its process ended unexpectedly, if it did. */
  ended(): string | undefined
  /** Of several nodes the first alone, for comparison. */
  readonly oneNode?: RunningTarget
  stop(): Promise<void>
}

export interface Address {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
