import type { ToolCallBounds } from '@tollgate/billing/hold'
import type { Bucket } from '@tollgate/billing/buckets'
import type { AskDefaults } from '@tollgate/dialects/ask'
import type { CallerDialect } from '@tollgate/dialects/canonical/codec'
import type { CallOperation } from '@tollgate/dialects/conversations'
import type { Ask } from '@tollgate/dialects/dialect'
import type { FormOperation } from '@tollgate/dialects/media/operation'
import type { TranscriptReader } from '../transcript/transcript-reader.ts'

/**
 * Everything the stations need to know about one kind of call. A station reads these members and never asks
 * for the name, so a new operation is a folder with an `operation.ts` and a line in `index.ts`.
 */
export interface Operation {
  /** Unique; appears in tests and documents only. */
  readonly name: string
  /** The form of its requests and responses, by the name under which dialects and providers know it. */
  readonly wire: CallOperation
  /** Fixed paths, called with POST. */
  readonly paths: readonly OperationPath[]
  /** For paths that contain the model: what the path says, or `undefined` when it is another path. */
  readonly match?: (path: string) => MatchedPath | undefined
  /** The path of a websocket; then a call is a session. */
  readonly sessionPath?: string
  /** Requests may have files, so they may be forms; absent where every body is read as JSON. */
  readonly form?: RequestForm
  /** The path and not the body names the model. */
  readonly isModelInPath?: true
  /** The dialect of errors and comments, which may depend on the URL; that of OpenAI when absent. */
  readonly dialect?: (url: string) => CallerDialect
  /** A conversation in one of the dialects, which converters can pass to upstreams of the others. */
  readonly isConversation?: true
  /** Upstreams of this dialect forget a prompt after five minutes, unless the caller asks for an hour. */
  readonly hasShortPromptCache?: true
  /** Refused from browser extensions, where the operator wants that. */
  readonly isRefusedInExtensions?: true
  /** How the size of a call is foreseen. */
  readonly sizes: SizesKind
  /** How the gateway lowers the output of a call; absent where it cannot. */
  readonly outputLimit?: OutputLimit
  /** Price buckets besides text that every call may use. */
  readonly buckets?: readonly Bucket[]
  /** Calls of the upstream's own tools in every response, where a response is such a call. */
  readonly toolCalls?: ToolCallBounds
  /** One member limits the calls of all tools together, as in the Responses API. */
  readonly hasCommonToolLimit?: true
  /** What receives a response that is neither a stream of events nor one JSON document as it is. */
  readonly sink?: 'pictures' | 'sound'
  /** Output counted by the gateway is audio, where audio has a price of its own. */
  readonly isOutputAudio?: true
  /** A response without a token is credible, because calls are charged otherwise. */
  readonly isWithoutTokens?: true
  /** Text or vectors: a request that its vendor cannot have read may be sent once more. */
  readonly isResendable?: true
  /** Absent where no texts are kept. */
  readonly transcript?: TranscriptReader
  /** The members that answer a request to count the input tokens of a call. */
  readonly tokenCount?: (tokens: number) => Readonly<Record<string, number>>
  readonly probe?: Probe
}

export interface OperationPath {
  readonly path: string
  /** The usual path of the operation, where this one is another spelling; decides about credentials. */
  readonly canonical?: string
  /** How the caller authenticates; `token` when absent. */
  readonly identity?: 'token' | 'session'
  readonly defaults?: AskDefaults
}

export interface MatchedPath {
  readonly defaults: AskDefaults
  /** The usual path of the operation, where this one is another spelling. */
  readonly canonical?: string
}

export interface RequestForm {
  readonly wire: FormOperation
  /** JSON is accepted too. */
  readonly orJson?: true
}

/**
 * `text`: the output limit of the request. `pictures`: the number of images. `speech`: audio of the length of
 * the text. `transcript`: text of the length of the audio. `input`: no output. `session`: turn by turn.
 * `none`: not charged by tokens.
 */
export type SizesKind = 'text' | 'pictures' | 'speech' | 'transcript' | 'input' | 'session' | 'none'

export interface OutputLimit {
  /** Whether a limit may be set where the caller set none. */
  readonly mayBeAdded: boolean
  /** The members of a request that limit its output. */
  write(ask: Ask, outputTokensMax: number): Readonly<Record<string, unknown>>
}

/** The request of a channel test. */
export interface Probe {
  /** Whether the upstream's name of the model says that it serves this operation. */
  isFor?(model: string): boolean
  /** Each test costs as much as a call of a user, so scheduled tests are rare. */
  readonly isCostly?: true
  body(names: ProbeNames): Readonly<Record<string, unknown>>
}

export interface ProbeNames {
  readonly asked: string
  readonly upstream: string
}
