import type { UpstreamError, UsageReader } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { ModelTraits } from '../traits/model-traits.ts'
import type { ErrorRequest, RenderedError } from '../errors/render-error.ts'
import type { Conversation } from './conversation.ts'
import type { ReplyEvent } from './event.ts'
import type { DroppedMembers } from './dropped.ts'
import type { FeatureLimits } from './feature.ts'
import type { MediaPart } from './part.ts'
import type { DialectName } from './raw.ts'
import type { Reply } from './reply.ts'
import type { ModelFacts } from '../traits/facts.ts'
import type { Usage } from '../usage.ts'

/**
 * The half of a dialect that faces callers: it reads requests and writes responses. All of it is pure and
 * synchronous.
 */
export interface CallerDialect {
  readonly name: DialectName
  /**
   * Reads a request body. Throws a problem for a body that does not fit this dialect; `path` may name the
   * model.
   */
  readConversation(body: JsonObject, path: AskPath): Conversation
  writeReply(reply: Reply, context: WriteContext): JsonObject
  /** Opens a writer for one stream. */
  openWriter(context: WriteContext): ReplyWriter
  writeError(request: ErrorRequest): RenderedError
  writeModels(models: readonly ListedModel[], page?: ModelPage): JsonObject
  /**
   * Bytes that keep a connection alive and carry no content. They may be sent between any two events, even
   * before the first one. `undefined`: clients of the dialect fail on everything but events.
   */
  readonly keepAlive: Buffer | undefined
  /** Media type of a stream; `text/event-stream` if absent. */
  readonly streamType?: string
}

/** Values taken from the URL path, for dialects whose body does not contain them. */
export interface AskPath {
  readonly model?: string
  readonly isStream?: boolean
}

export interface WriteContext {
  /** The model name as the caller requested it; responses carry this name. */
  readonly model: string
  /** Used for a response whose upstream gave it no id. Letters and digits, without a prefix. */
  readonly fallbackId: string
  readonly nowSeconds: number
  /** Input tokens counted locally, for dialects that report them before the upstream does. */
  readonly inputTokensCounted: number
  /** Whether the stream includes usage, in dialects where the caller decides. */
  readonly wantsUsage: boolean
}

export interface ReplyWriter {
  /** Returns the bytes to send, in whole frames. An `error` event writes nothing; see `fail`. */
  push(event: ReplyEvent): readonly Buffer[]
  /** Returns what is kept back for a later frame. Absent: nothing is. */
  flush?(): readonly Buffer[]
  /**
   * Ends a stream with an error, whatever was sent before. Nothing may follow. `number`: that of the event, where
   * events are numbered and others than those of this writer came before.
   */
  fail(request: ErrorRequest, number?: number): readonly Buffer[]
}

export interface ListedModel {
  readonly id: string
  /** Model id without the prefix that the channel adds. */
  readonly root: string
  readonly owner: string
  readonly createdSeconds: number
  readonly facts: ModelFacts
}

/** Pagination state of a model list; absent for an unpaged list. */
export interface ModelPage {
  readonly hasMore: boolean
  /** For dialects whose clients request the next page by a token. */
  readonly nextToken: string | undefined
}

/**
 * The half of a dialect that faces upstreams: it writes requests and reads responses. All of it is pure and
 * synchronous.
 */
export interface UpstreamDialect {
  readonly name: DialectName
  /**
   * Features this dialect cannot express. Callers of `writeRequest` must first reject the refused ones (see
   * `refusedFeature`); `writeRequest` drops the rest.
   */
  readonly limits: FeatureLimits
  /**
   * Whether the upstream accepts this medium as a URL. If not, the caller of `writeRequest` has to refuse the
   * request.
   */
  takesUrl(part: MediaPart): boolean
  /** Pattern of accepted tool names. Absent = {@link PLAIN_TOOL_NAME}. */
  readonly toolNames?: RegExp
  /**
   * Whether a model supports custom tools with free text input. Absent = no model does, and such tools become
   * functions.
   */
  readonly takesCustomTools?: (traits: ModelTraits) => boolean
  /** Models that need the last turn to be the user's. Absent: the table of traits decides alone. */
  readonly refusesPrefill?: RegExp
  /** Whether calls and results of a conversation are written as texts. Absent: they never are. */
  readonly writesCallsAsTexts?: (conversation: Conversation) => boolean
  /** Writes the request body. Throws a problem for a conversation that cannot be expressed in it. */
  writeRequest(conversation: Conversation, context: RequestContext): JsonObject
  /**
   * Reads a complete, parsed response with a 2xx status. Never throws. `fallbackId` is for dialects that give
   * tool calls no ids: it is used where the response has no id either.
   */
  readReply(body: JsonObject, readUsage: UsageReader, fallbackId?: string): ReadReply
  /** Opens a reader for one stream. */
  openReader(readUsage: UsageReader, fallbackId?: string): ReplyReader
  readError(status: number, bytes: Buffer): UpstreamError
  /** The documented usage format; a vendor that deviates from it supplies a reader of its own. */
  readonly readUsage: UsageReader
}

/** A conversation format of a single vendor that callers of this gateway cannot use. */
export type UpstreamCodec = Omit<UpstreamDialect, 'name'>

/**
 * A codec with the dialect name where it has one, for code that must distinguish a dialect from a vendor's
 * private format.
 */
export type NamedCodec = UpstreamCodec & { readonly name?: DialectName }

export interface RequestContext {
  /** Output limit for dialects that require one, when the caller set none. */
  readonly outputTokensDefault: number
  /**
   * Capabilities of the upstream's model, as set on its channel. If absent, they are looked up by model name
   * in the built-in table.
   */
  readonly traits?: ModelTraits
  /** Collects every member that the body leaves out in addition to those dropped by `limits`. */
  readonly dropped?: DroppedMembers
}

export type ReadReply =
  | { readonly type: 'reply'; readonly reply: Reply }
  | { readonly type: 'error'; readonly error: UpstreamError }

/** One frame of a stream: a server-sent event, or one line of JSON. */
export interface Frame {
  /** Value of the `event:` line; `undefined` if the frame has none. */
  readonly event: string | undefined
  /** All `data:` lines of the frame, joined by line breaks. */
  readonly data: string
}

/** Emits events in the order defined in `event.ts`, whatever frames it is given. Never throws. */
export interface ReplyReader {
  push(frame: Frame): readonly ReplyEvent[]
  /**
   * Call when no more frames will come. For dialects whose stream ends with the connection this yields
   * `reply-end`; for the others it yields nothing, because a stream without their end marker was cut off.
   */
  end(): readonly ReplyEvent[]
  /**
   * Number of choices whose finish reason was read, for dialects whose events of the end come later. Absent:
   * the events say it.
   */
  readonly choicesFinished?: number
  /** Usage reported before the end of the stream; it is used if the end never comes. */
  readonly usageWithCounts?: Usage | undefined
}
