import type { CallerDialect, UpstreamCodec, WriteContext } from '../canonical/codec.ts'
import type { Frames } from '../canonical/frames.ts'
import type { OriginalTools } from '../canonical/portable-tools.ts'
import type { CallOperation, UpstreamOperation } from '../conversations.ts'
import type { UsageReader } from '../dialect.ts'
import type { ErrorInside } from '../errors/upstream-error.ts'
import type { AudioExtractor } from '../media/answer.ts'
import type { NamingRule } from './answer-name.ts'
import type { TransformOptions } from '../openai/transform.ts'
import type { EmbeddingRequest } from '../vectors/vectors.ts'

/** Signature that a vendor needs back with a tool call. */
export interface CallSignature {
  readonly callId: string
  readonly signature: string
}

/**
 * Everything needed to turn an upstream's response into the caller's: the operation and format of both sides,
 * and the adjustments in between.
 */
export interface PairRules extends TransformOptions {
  /** Operation that the caller requested. */
  readonly asked: CallOperation
  /** Dialect in which the caller is answered. */
  readonly caller: CallerDialect
  /** Operation that the upstream was called with; the same as `asked` if it supports that. */
  readonly endpoint: UpstreamOperation
  /** Set if the upstream has a private format. */
  readonly codec?: UpstreamCodec
  /** Set if the upstream's streams are not server-sent events. */
  readonly openFrames?: () => Frames
  /** Whether the caller wants embeddings as base64 text. */
  readonly packsVectors?: boolean
  /**
   * Whether the upstream response is a stream that must be collected, because the caller wants a whole
   * response.
   */
  readonly isCollected?: boolean
  readonly readUsage: UsageReader
  readonly errorInside?: ErrorInside
  /** Adjusts the response; returns the same object if there is nothing to change. */
  readonly adjustAnswer?: (answer: Record<string, unknown>) => Record<string, unknown>
  /** Whether the caller requested the transcript as plain text or as subtitles. */
  readonly isPlainText?: boolean
  /** Extracts the audio, for vendors that wrap speech in JSON. */
  readonly extractAudio?: AudioExtractor
  /** Number of choices requested. Default 1. */
  readonly choices?: number
  readonly context: WriteContext
  /** The name that the caller asked for, where the channel maps it and answers are to carry it. */
  readonly answerModel?: NamingRule
  /** Called for every tool call with a Gemini signature; must not throw. */
  readonly onSignedCall?: (signed: CallSignature) => void
  /** Called for every signature and all encrypted reasoning of the answer; must not throw. */
  readonly onSeal?: (seal: string) => void
  /** Tools that the upstream knows under other names, or in another form, than the caller. */
  readonly originalTools?: OriginalTools
  /** The caller's embedding request, if the upstream uses another embedding format. */
  readonly vectors?: EmbeddingRequest
}
