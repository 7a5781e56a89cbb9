import type { TaskAsk } from '@tollgate/providers/tasks/task'
import type { TaskUpstream, VideoTokens } from '@tollgate/providers/tasks/upstream'
import type { TaskApi, TaskView } from './task-api.ts'

/**
 * An operation that ends later: a call submits a task, and other calls ask how far it is. The stations read
 * these members and never ask for the name, as with an `Operation`.
 */
export interface LaterOperation {
  /** Unique; appears in tests and documents only. */
  readonly name: string
  /** Matches every path of the operation, also those that none of its APIs knows; slashes may be doubled. */
  readonly ownPaths: RegExp
  readonly apis: readonly TaskApi[]
  /** Adds to a follow-up the properties that it takes over from the original task. */
  readonly follow?: (ask: TaskAsk, origin: TaskView) => TaskAsk
  /** Absent where all tasks of a model have the same size. */
  readonly sizeOf?: (ask: TaskAsk, maker: TaskUpstream | undefined) => TaskSize
  readonly endsLater: TaskLife
}

/** How a task is stored and what happens to it after its submission. */
export interface TaskLife {
  /** Stored with every task; providers name by it what they perform. */
  readonly platform: string
  /** A task that has not finished after this time is considered lost. */
  readonly lifeMs: number
  /** Clients get task ids of this gateway instead of the upstream's. */
  readonly hidesIds?: true
  /** The path at which an upstream may report on a task. */
  readonly callbackPath?: string
}

/** The size of a task, by which it is priced. */
export interface TaskSize {
  /** The submission, with the upstream's defaults for what the caller did not set. */
  readonly ask: TaskAsk
  /** Names under which a task of these qualities may have a price, the most specific first. */
  readonly priceNames?: readonly string[]
  /** A size such as `1280x720`, which may change the price of the model. */
  readonly pixels?: string
  /** The length of the result, where it is priced per second. */
  readonly seconds?: number
  /** Estimated tokens, where the upstream reports their number on completion. */
  readonly tokens?: VideoTokens
}
