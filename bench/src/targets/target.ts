import type { Upstreams } from '../upstreams.ts'
import type { Kind } from '../workload.ts'

/** Something that is measured. Each is a process of its own with the two upstreams behind it. */
export interface Target {
  readonly name: string
  readonly about: string
  /** What it can be asked for; everything when absent. */
  readonly kinds?: readonly Kind[]
  start(input: TargetInput): Promise<RunningTarget>
}

export interface TargetInput {
  readonly upstreams: Upstreams
  /** A directory of its own, deleted at the end. */
  readonly directory: string
}

export interface RunningTarget {
  /** The process that does the work for this kind. */
  processId(kind: Kind): number
  /** What a client needs to reach it. */
  address(kind: Kind): Address
  output(): string
  /** How its process ended, when it has: nobody asked it to. */
  ended(): string | undefined
  stop(): Promise<void>
}

export interface Address {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
