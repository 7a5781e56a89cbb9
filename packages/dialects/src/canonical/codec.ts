import type { UpstreamError, UsageReader } from '../dialect.ts'
import type { JsonObject } from '../json.ts'
import type { ModelTraits } from '../traits/model-traits.ts'
import type { ErrorRequest, RenderedError } from '../openai/error.ts'
import type { Conversation } from './conversation.ts'
import type { ReplyEvent } from './event.ts'
import type { DroppedMembers } from './dropped.ts'
import type { Limits } from './feature.ts'
import type { MediaPart } from './part.ts'
import type { DialectName } from './raw.ts'
import type { Reply } from './reply.ts'
import type { ModelFacts } from '../traits/facts.ts'
import type { Usage } from '../usage.ts'

/** The half of a dialect that talks to callers. All of it is pure and synchronous. */
export interface CallerDialect {
  readonly name: DialectName
  /** What the caller asks. Throws a problem for a body that is not one of this dialect; `path` may name the model. */
  readConversation(body: JsonObject, path: AskPath): Conversation
  writeReply(reply: Reply, context: WriteContext): JsonObject
  /** One writer per stream. */
  openWriter(context: WriteContext): ReplyWriter
  writeError(request: ErrorRequest): RenderedError
  writeModels(models: readonly ListedModel[], page?: ModelPage): JsonObject
  /** Keeps a connection in use without saying anything; may come at any moment, also first. */
  readonly keepAlive: Buffer
  /** Media type of a stream; server-sent events unless told. */
  readonly streamType?: string
}

/** What a path tells where the body does not. */
export interface AskPath {
  readonly model?: string
  readonly isStream?: boolean
}

export interface WriteContext {
  /** As the caller asked for it; answers carry it. */
  readonly model: string
  /** For an answer whose upstream gave it no id, without a prefix: letters and digits. */
  readonly fallbackId: string
  readonly nowSeconds: number
  /** Input counted locally, for dialects that tell it before the upstream does. */
  readonly inputTokensCounted: number
  /** Whether usage is part of a stream, in dialects where the caller decides. */
  readonly wantsUsage: boolean
}

export interface ReplyWriter {
  /** The bytes to send, whole frames; an `error` event writes nothing, see `fail`. */
  push(event: ReplyEvent): readonly Buffer[]
  /** Ends a stream honestly, whatever it has said so far. Nothing may follow. */
  fail(request: ErrorRequest): readonly Buffer[]
}

export interface ListedModel {
  readonly id: string
  /** Without what the channel puts before it. */
  readonly root: string
  readonly owner: string
  readonly createdSeconds: number
  readonly facts: ModelFacts
}

/** What follows a part of a list; nothing where it is absent. */
export interface ModelPage {
  readonly hasMore: boolean
  /** For dialects that ask for the next part by a token. */
  readonly nextToken: string | undefined
}

/** The half of a dialect that talks to upstreams. All of it is pure and synchronous. */
export interface UpstreamDialect {
  readonly name: DialectName
  /** What it has no words for. Callers of `writeRequest` refuse these first (see `refusedFeature`); it drops the rest. */
  readonly limits: Limits
  /** Whether it takes this medium by the address it came with. If not, the caller of `writeRequest` refuses the call. */
  takesUrl(part: MediaPart): boolean
  /** What it takes for the name of a tool. Absent = {@link PLAIN_TOOL_NAME}. */
  readonly toolNames?: RegExp
  /** Whether a model knows tools that take free text. Absent = none does, and they become functions. */
  readonly takesCustomTools?: (traits: ModelTraits) => boolean
  /** The body. Throws a problem for a conversation that makes no sense in it. */
  writeRequest(conversation: Conversation, context: RequestContext): JsonObject
  /**
   * A whole answer with a 2xx status, parsed. Never throws. `fallbackId` is for dialects that give calls no id of their
   * own, where the answer has none either.
   */
  readReply(body: JsonObject, readUsage: UsageReader, fallbackId?: string): ReadReply
  /** One reader per stream. */
  openReader(readUsage: UsageReader, fallbackId?: string): ReplyReader
  readError(status: number, bytes: Buffer): UpstreamError
  /** As documented; a vendor who speaks with an accent brings a reader of its own. */
  readonly readUsage: UsageReader
}

/** A format without callers: how one vendor alone writes conversations. */
export type UpstreamCodec = Omit<UpstreamDialect, 'name'>

/** Either, where it matters whether it is a dialect. */
export type NamedCodec = UpstreamCodec & { readonly name?: DialectName }

export interface RequestContext {
  /** For dialects that must be told, when the caller did not. */
  readonly outputTokensDefault: number
  /** What the upstream's model takes, by its channel; what the table knows of its name when absent. */
  readonly traits?: ModelTraits
  /** Told of every member that the body leaves out beyond what `limits` drop. */
  readonly dropped?: DroppedMembers
}

export type ReadReply =
  | { readonly type: 'reply'; readonly reply: Reply }
  | { readonly type: 'error'; readonly error: UpstreamError }

/** One frame of a stream: of server-sent events, or a line of JSON. */
export interface Frame {
  /** Of the `event:` line; `undefined` without one. */
  readonly event: string | undefined
  /** All `data:` lines of the frame, joined by line breaks. */
  readonly data: string
}

/** Keeps the promises of `event.ts`, whatever it is given. Never throws. */
export interface ReplyReader {
  push(frame: Frame): readonly ReplyEvent[]
  /**
   * No more frames come. For dialects whose end is the end of the connection this yields `reply-end`; for the others
   * nothing, because without their end marker the stream was cut off.
   */
  end(): readonly ReplyEvent[]
  /** Figures told while the answer is under way; they count where its end never comes. */
  readonly usageSoFar?: Usage | undefined
}
