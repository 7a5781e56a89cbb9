import type { CallerDialect, UpstreamCodec, WriteContext } from '../canonical/codec.ts'
import type { Frames } from '../canonical/frames.ts'
import type { CallOperation, UpstreamOperation } from '../conversations.ts'
import type { UsageReader } from '../dialect.ts'
import type { TransformOptions } from '../openai/transform.ts'

/** How an upstream's answer becomes the caller's: what each of them speaks, and what lies between. */
export interface PairRules extends TransformOptions {
  /** What the caller asked for. */
  readonly asked: CallOperation
  /** In whose words the caller is answered. */
  readonly caller: CallerDialect
  /** What the upstream was asked for instead; the same when they speak one dialect. */
  readonly spoken: UpstreamOperation
  /** Where the upstream has a format of its own. */
  readonly codec?: UpstreamCodec
  /** Where its streams are no server-sent events. */
  readonly openFrames?: () => Frames
  readonly readUsage: UsageReader
  /** A 200 answer, or a frame of a stream, that is really an error: its text. */
  readonly errorInside?: (answer: Readonly<Record<string, unknown>>) => string | undefined
  /** Answers the very object when there is nothing to change. */
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** Answers asked for. Default 1. */
  readonly choices?: number
  readonly context: WriteContext
}
