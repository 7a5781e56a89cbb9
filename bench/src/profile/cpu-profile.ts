/** The parts of V8's `.cpuprofile` format that are read here. Times are in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** Ids of the nodes on top of the stack, one for each sample. */
  readonly samples: readonly number[]
  /** The time before each sample since the one before. */
  readonly timeDeltas: readonly number[]
}

export interface ProfileNode {
  readonly id: number
  readonly callFrame: CallFrame
  readonly children?: readonly number[]
}

export interface CallFrame {
  readonly functionName: string
  /** Empty for functions of the engine, such as `JSON.parse`. */
  readonly url: string
  /** From 0. */
  readonly lineNumber: number
}
