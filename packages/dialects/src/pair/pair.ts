import type { CallerDialect, UpstreamCodec, WriteContext } from '../canonical/codec.ts'
import type { Frames } from '../canonical/frames.ts'
import type { OriginalTools } from '../canonical/portable-tools.ts'
import type { CallOperation, UpstreamOperation } from '../conversations.ts'
import type { UsageReader } from '../dialect.ts'
import type { SoundOfAnswer } from '../media/answer.ts'
import type { TransformOptions } from '../openai/transform.ts'
import type { VectorsWanted } from '../vectors/vectors.ts'

/** What a vendor wants back with a call of a tool. */
export interface CallSignature {
  readonly callId: string
  readonly signature: string
}

/** How an upstream's answer becomes the caller's: what each of them speaks, and what lies between. */
export interface PairRules extends TransformOptions {
  /** What the caller asked for. */
  readonly asked: CallOperation
  /** In whose words the caller is answered. */
  readonly caller: CallerDialect
  /** What the upstream was asked for instead; the same when they speak one dialect. */
  readonly endpoint: UpstreamOperation
  /** Where the upstream has a format of its own. */
  readonly codec?: UpstreamCodec
  /** Where its streams are no server-sent events. */
  readonly openFrames?: () => Frames
  /** The caller wants vectors as text. */
  readonly packsVectors?: boolean
  /** The answer is a stream, and the caller wants it whole. */
  readonly isCollected?: boolean
  readonly readUsage: UsageReader
  /** A 200 answer, or a frame of a stream, that is really an error: its text. */
  readonly errorInside?: (answer: Readonly<Record<string, unknown>>) => string | undefined
  /** Answers the very object when there is nothing to change. */
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** The caller asked for a transcript as bare text or as subtitles. */
  readonly isPlainText?: boolean
  /** Speech that a vendor wraps in JSON. */
  readonly readSound?: SoundOfAnswer
  /** Answers asked for. Default 1. */
  readonly choices?: number
  readonly context: WriteContext
  /** Told of every call of a tool that Gemini signed; must not throw. */
  readonly onSignedCall?: (signed: CallSignature) => void
  /** Tools that the upstream knows under other names, or in another form, than the caller. */
  readonly originalTools?: OriginalTools
  /** What a caller wants who asked for vectors in another format than the upstream's. */
  readonly vectors?: VectorsWanted
}
