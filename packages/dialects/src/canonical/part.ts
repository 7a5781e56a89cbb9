import type { JsonObject } from '../json.ts'
import type { DialectName, Raw } from './raw.ts'

/** One piece of a message, of a tool's result or of a reply. */
export type Part =
  | TextPart
  | MediaPart
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | RedactedReasoningPart
  | RefusalPart
  | OpaquePart

export type MediaPart = ImagePart | AudioPart | VideoPart | FilePart

/** Everything up to and with this part is worth keeping in the upstream's prompt cache. */
export interface CacheMarker {
  readonly ttl: '5m' | '1h'
}

interface Markable {
  readonly cache?: CacheMarker
  /** Members we do not know, for the dialect they came in. */
  readonly extras?: Raw<JsonObject>
}

export interface TextPart extends Markable {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
  /** Of the tokens of this text, where the caller asked for them. */
  readonly logprobs?: readonly TokenLogprob[]
}

/** The chance of one token, as a natural logarithm. */
export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top: readonly Omit<TokenLogprob, 'top'>[]
}

/** Where a statement comes from. What all dialects tell is typed, the rest is in `raw`. */
export interface Citation {
  readonly url?: string
  readonly title?: string
  readonly quote?: string
  /** Of the cited statement, in UTF-16 units of the text part; the end is exclusive. */
  readonly start?: number
  readonly end?: number
  readonly raw: Raw
}

export type Source =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'data'; readonly mediaType: string; readonly base64: string }
  /** Uploaded to the upstream before; means nothing to another vendor. */
  | { readonly type: 'id'; readonly id: string; readonly dialect: DialectName }

export interface ImagePart extends Markable {
  readonly type: 'image'
  readonly source: Source
  /** How closely the model looks: `low`, `high`, `auto`, or a vendor's own word. */
  readonly detail?: string
}

export interface AudioPart extends Markable {
  readonly type: 'audio'
  readonly source: Source
  /** Spoken by the model earlier, with what it said. */
  readonly transcript?: string
}

export interface VideoPart extends Markable {
  readonly type: 'video'
  readonly source: Source
}

/** A document: PDF, text or an office format. A text document is `data` too, of media type `text/plain`. */
export interface FilePart extends Markable {
  readonly type: 'file'
  readonly source: Source
  readonly name?: string
  readonly title?: string
  /** What the caller says about the document, outside of it. */
  readonly context?: string
  readonly wantsCitations?: boolean
}

export interface ToolCallPart extends Markable {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /** As the model wrote it: JSON text of an object for a `function`, any text for a `custom` tool; may be empty. */
  readonly arguments: string
  readonly kind: 'function' | 'custom'
  /** Of the tool, where the dialect groups them. */
  readonly namespace?: string
  /** A call of a tool that finds further tools; its kind is `function`. */
  readonly isToolSearch?: true
  /** What the vendor wants back with the call, such as Gemini's `thoughtSignature`. */
  readonly signature?: Raw<string>
}

export interface ToolResultPart extends Markable {
  readonly type: 'tool-result'
  readonly callId: string
  /** Of the tool, where the dialect tells it. */
  readonly name?: string
  /** Text and media; never a call or a result. */
  readonly parts: readonly Part[]
  readonly isError?: boolean
}

export interface ReasoningPart extends Markable {
  readonly type: 'reasoning'
  readonly text: string
  /** Proves to its vendor that the text is the model's own; without it the vendor may refuse the text. */
  readonly signature?: Raw<string>
  /** A summary for people, not what the model thought. */
  readonly isSummary?: boolean
  /** Of the item in its dialect. */
  readonly id?: Raw<string>
}

/** Reasoning nobody but its vendor can read. */
export interface RedactedReasoningPart extends Markable {
  readonly type: 'redacted-reasoning'
  readonly data: Raw<string>
  readonly id?: Raw<string>
}

/** The model says, in words, that it will not. */
export interface RefusalPart extends Markable {
  readonly type: 'refusal'
  readonly text: string
}

/** Something only one dialect has, such as a built-in tool's call and its results. It goes back there untouched. */
export interface OpaquePart {
  readonly type: 'opaque'
  readonly raw: Raw<JsonObject>
}
