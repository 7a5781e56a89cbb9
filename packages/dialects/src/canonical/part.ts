import type { JsonObject } from '../json.ts'
import type { DialectName, Raw } from './raw.ts'

/** One piece of a message, of a tool result or of a reply. */
export type Part =
  | TextPart
  | MediaPart
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | RedactedReasoningPart
  | RefusalPart
  | SearchPart
  | OpaquePart

export type MediaPart = ImagePart | AudioPart | VideoPart | FilePart

/**
 * Marks a prompt cache breakpoint: everything up to and including this part should be cached by the upstream.
 */
export interface CacheMarker {
  readonly ttl: '5m' | '1h'
}

interface Markable {
  readonly cache?: CacheMarker
  /** Members that no reader knows, for the dialect they came in. */
  readonly extras?: Raw<JsonObject>
}

export interface TextPart extends Markable {
  readonly type: 'text'
  readonly text: string
  readonly citations?: readonly Citation[]
  /** Log probabilities of the tokens of this text, if the caller requested them. */
  readonly logprobs?: readonly TokenLogprob[]
}

/** Probability of one token, as a natural logarithm. */
export interface TokenLogprob {
  readonly token: string
  readonly logprob: number
  readonly bytes?: readonly number[]
  readonly top: readonly Omit<TokenLogprob, 'top'>[]
}

/** Source of a statement. Members that all dialects have are typed; the rest is in `raw`. */
export interface Citation {
  readonly url?: string
  readonly title?: string
  readonly quote?: string
  /** Position of the cited statement in the text part, in UTF-16 code units; the end is exclusive. */
  readonly start?: number
  readonly end?: number
  readonly raw: Raw
}

export type Source =
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'data'; readonly mediaType: string; readonly base64: string }
  /** Was uploaded to the upstream before; meaningless to another vendor. */
  | { readonly type: 'id'; readonly id: string; readonly dialect: DialectName }

export interface ImagePart extends Markable {
  readonly type: 'image'
  readonly source: Source
  /** Resolution at which the model looks at the image: `low`, `high`, `auto`, or a vendor's own value. */
  readonly detail?: string
}

export interface AudioPart extends Markable {
  readonly type: 'audio'
  readonly source: Source
  /** For audio that the model spoke in an earlier turn: its transcript. */
  readonly transcript?: string
}

export interface VideoPart extends Markable {
  readonly type: 'video'
  readonly source: Source
}

/**
 * A document: PDF, text or an office format. A text document also has a `data` source, with the media type
 * `text/plain`.
 */
export interface FilePart extends Markable {
  readonly type: 'file'
  readonly source: Source
  readonly name?: string
  readonly title?: string
  /** Information from the caller about the document that is not part of it. */
  readonly context?: string
  readonly wantsCitations?: boolean
}

export interface ToolCallPart extends Markable {
  readonly type: 'tool-call'
  readonly id: string
  readonly name: string
  /**
   * Exactly as the model wrote it: JSON text of an object for a `function`, any text for a `custom` tool; may
   * be empty.
   */
  readonly arguments: string
  readonly kind: 'function' | 'custom'
  /** Namespace of the tool, in dialects that group tools. */
  readonly namespace?: string
  /** Marks a call of a tool that finds other tools; its kind is `function`. */
  readonly isToolSearch?: true
  /** Value that the vendor needs back together with the call, such as Gemini's `thoughtSignature`. */
  readonly signature?: Raw<string>
}

export interface ToolResultPart extends Markable {
  readonly type: 'tool-result'
  readonly callId: string
  /** Name of the tool, in dialects whose results carry it. */
  readonly name?: string
  /** Text and media; never a tool call or a tool result. */
  readonly parts: readonly Part[]
  readonly isError?: boolean
}

export interface ReasoningPart extends Markable {
  readonly type: 'reasoning'
  readonly text: string
  /** Proves to its vendor that the model itself wrote the text; without it the vendor may reject the text. */
  readonly signature?: Raw<string>
  /** The text is a summary for people, not the reasoning itself. */
  readonly isSummary?: boolean
  /** Id of the reasoning item in its dialect. */
  readonly id?: Raw<string>
}

/** Encrypted reasoning that only its vendor can read. */
export interface RedactedReasoningPart extends Markable {
  readonly type: 'redacted-reasoning'
  readonly data: Raw<string>
  readonly id?: Raw<string>
}

/** The model's statement that it declines to answer. */
export interface RefusalPart extends Markable {
  readonly type: 'refusal'
  readonly text: string
}

/** A web search that the vendor ran for the model. It does not stream: it is complete when it starts. */
export interface SearchPart extends Markable {
  readonly type: 'search'
  /** Id of the search at its vendor; may be empty. */
  readonly id: string
  /** Empty where the vendor does not name them. */
  readonly queries: readonly string[]
  /** Empty where nothing was found, or where the vendor names pages only as citations of the texts after it. */
  readonly pages: readonly FoundPage[]
  readonly isFailed?: true
  /** The dialect in which the search was reported. */
  readonly origin: DialectName
  /** What that dialect wrote, item by item. Absent where it is no longer known. */
  readonly raw?: Raw<readonly JsonObject[]>
}

export interface FoundPage {
  readonly url: string
  readonly title?: string
}

/**
 * Something only one dialect has, such as a built-in tool's call and its results. It is passed unchanged to
 * that dialect.
 */
export interface OpaquePart {
  readonly type: 'opaque'
  readonly raw: Raw<JsonObject>
}

export function isMediaPart(part: Part): part is MediaPart {
  return part.type === 'image' || part.type === 'audio' || part.type === 'video' || part.type === 'file'
}
