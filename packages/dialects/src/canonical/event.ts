import type { UpstreamError } from '../dialect.ts'
import type { Usage } from '../usage.ts'
import type { Citation, Part, TokenLogprob } from './part.ts'
import type { Raw } from './raw.ts'
import type { ChoiceEnd } from './reply.ts'

/**
 * One step of a streamed reply. Every reader emits events in this order, and every writer may rely on it (see
 * `check-events.ts`):
 *
 * - `reply-start` comes first and once.
 * - The parts of a choice are numbered 0, 1, 2, … in the order in which they start. **One part of a choice is
 *   open at a time**; a reader that receives two at once buffers the second one until the first is complete.
 * - `part-start` carries the part with its texts empty; deltas fill them; `part-end` closes it. A part that
 *   does not stream (an image, redacted reasoning, an opaque part) is complete in `part-start`, and
 *   `part-end` follows.
 * - `choice-end` comes once for each choice, with no part open.
 * - `usage` comes at most once, with the final figures, before `reply-end`.
 * - Either `reply-end` or `error` comes last. A stream that ends with neither was cut off.
 */
export type ReplyEvent =
  | ReplyStart
  | PartStart
  | TextDelta
  | ArgumentsDelta
  | AudioDelta
  | SignatureDelta
  | CitationDelta
  | PartEnd
  | ChoiceEnded
  | UsageTold
  | ReplyFailed
  | ReplyEnd

export interface ReplyStart {
  readonly type: 'reply-start'
  readonly id: string
  readonly model: string
  readonly createdSeconds?: number
  readonly serviceTier?: string
  /** Input usage that some dialects report at the start; the figures of the `usage` event take precedence. */
  readonly usage?: Usage
}

interface InPart {
  readonly choice: number
  readonly part: number
}

export interface PartStart extends InPart {
  readonly type: 'part-start'
  readonly opening: Part
}

/** For text, reasoning and refusal parts. */
export interface TextDelta extends InPart {
  readonly type: 'text-delta'
  readonly text: string
  readonly logprobs?: readonly TokenLogprob[]
}

/** For tool calls: more of the arguments text. The concatenation is exactly what the upstream wrote. */
export interface ArgumentsDelta extends InPart {
  readonly type: 'arguments-delta'
  readonly text: string
}

/** For audio: more of its data, more of its transcript, or both. Each `base64` can be decoded on its own. */
export interface AudioDelta extends InPart {
  readonly type: 'audio-delta'
  readonly base64: string
  readonly transcript: string
}

/** For reasoning and tool calls: the complete signature. */
export interface SignatureDelta extends InPart {
  readonly type: 'signature-delta'
  readonly signature: Raw<string>
}

/** For text parts. */
export interface CitationDelta extends InPart {
  readonly type: 'citation-delta'
  readonly citation: Citation
}

export interface PartEnd extends InPart {
  readonly type: 'part-end'
}

export interface ChoiceEnded {
  readonly type: 'choice-end'
  readonly choice: number
  readonly end: ChoiceEnd
}

export interface UsageTold {
  readonly type: 'usage'
  readonly usage: Usage
}

export interface ReplyFailed {
  readonly type: 'error'
  readonly error: UpstreamError
}

export interface ReplyEnd {
  readonly type: 'reply-end'
}
