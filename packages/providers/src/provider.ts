import type { UpstreamCodec } from '@tollgate/dialects/canonical/codec'
import type { Frames } from '@tollgate/dialects/canonical/frames'
import type { RepairName } from '@tollgate/dialects/canonical/repairs'
import type { OriginalTools } from '@tollgate/dialects/canonical/portable-tools'
import type { UsageReader } from '@tollgate/dialects/dialect'
import type { AudioExtractor } from '@tollgate/dialects/media/answer'
import type { FetchedMedia } from './define/media.ts'
import type { ChannelSettings } from './channel-settings.ts'
import type { ClaudeOptions } from './claude-options.ts'
import type { GeminiOptions } from './gemini-options.ts'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import type { ChunkAdjustment } from '@tollgate/dialects/openai/transform'
import type { TokenExchange } from './sign/exchange.ts'
import type { KeyRenewal } from './sign/renewal.ts'
import type { TaskUpstream } from './tasks/upstream.ts'

/** The operations that clients can call; each is one upstream operation. */
export type Operation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  /** Embeddings in Gemini's format. */
  | 'embed'
  | 'moderations'
  | 'images'
  | 'image-edits'
  | 'image-variations'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'rerank'
  | 'realtime'
  | 'responses'
  /** Compaction of a conversation, an operation of Responses. */
  | 'compact'
  /** A standalone web search. */
  | 'search'
  | 'messages'
  | 'generate'
  /** A conversation in a format that only this vendor has. */
  | 'own'

/** One configured upstream as an attempt sees it. Credential and destination come from here only. */
export interface Upstream {
  readonly channelId: number
  readonly type: number
  /** Without a trailing slash; the provider's default when the channel sets none. */
  readonly baseUrl: string
  /** A single key, already chosen if the channel has several. */
  readonly key: string
  readonly other: string
  readonly organization: string
  readonly createdTime: number
  readonly settings: ChannelSettings
  /** The access token that the key was exchanged for, if the provider has `tokens`. */
  readonly accessToken?: string
}

/**
 * The outgoing request of one attempt. `body` is the JSON object after the model mapping; `model` is the
 * upstream's name of the model.
 */
export interface Outgoing {
  readonly operation: Operation
  readonly model: string
  /** The traits of the model; looked up by the model's name when absent. */
  readonly traits?: ModelTraits
  /** The client's name of the model, for channels that are configured by it. */
  readonly askedModel?: string
  readonly isStream: boolean
  readonly query: URLSearchParams
  /**
   * The client's headers that an upstream with the same API format understands; no other headers are passed
   * on.
   */
  readonly callerHeaders?: Readonly<Record<string, string>>
  /** The operator's settings for Claude models; the defaults when absent. */
  readonly claude?: ClaudeOptions
  /** The operator's settings for Gemini models; the defaults when absent. */
  readonly gemini?: GeminiOptions
  /** Media that were fetched because the upstream does not fetch them itself. */
  readonly media?: FetchedMedia
  /** Whether the body was converted from another API format. */
  readonly isConverted?: boolean
  /** Names of the request members that are not sent to the upstream, see `DroppedMembers`. */
  readonly dropped?: readonly string[]
  /** What a conversion or a repair changed, for the log. */
  readonly repairs?: readonly RepairName[]
  /** Tools that a conversion renamed or changed. */
  readonly originalTools?: OriginalTools
  /** Turns that need reasoning which the client did not send back, by `describeTurn`. */
  readonly unreasonedTurns?: readonly string[]
  readonly body: Readonly<Record<string, unknown>>
}

/**
 * Returns the request to send; must not modify its argument. Members that are left unchanged keep their
 * bytes.
 */
export type RequestQuirk = (outgoing: Outgoing, upstream: Upstream) => Outgoing

/** Returns the headers of one attempt, except content type and accept. */
export type HeaderWriter = (upstream: Upstream, outgoing: Outgoing) => Readonly<Record<string, string>>

export interface ModelList {
  readonly url: (upstream: Upstream) => string
  /** Returns the names in the response; none when it has another shape. */
  readonly read: (body: unknown) => string[]
}

/**
 * Reads the balance of a channel's account. The request goes to the channel's own base URL, so that the key
 * is never sent anywhere else. It takes one GET, or two if the vendor reports the limit and the usage
 * separately.
 */
export interface BalanceReader {
  readonly url: (upstream: Upstream) => string
  /** `undefined` when the response contains no balance. */
  readonly read: (body: unknown) => UpstreamBalance | undefined
  /** If `read` returns a limit, a second GET reads the amount that was used of it. */
  readonly used?: {
    readonly url: (upstream: Upstream, limit: unknown, nowMs: number) => string
    readonly read: (body: unknown) => number | undefined
  }
  /** For vendors that expect the key in another header than in calls. */
  readonly authHeaders?: HeaderWriter
}

export interface UpstreamBalance {
  readonly amount: number
  /** The unit in which the vendor reports the balance. */
  readonly currency: 'USD' | 'CNY' | 'points'
}

/** The outgoing request, complete except for the signature, for providers that sign the body. */
export interface SignableRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** An endpoint of a provider: one operation in one API format at one URL. */
export interface Endpoint {
  readonly dialect: 'openai' | 'anthropic' | 'gemini' | 'own'
  /** Writes conversations and reads responses, if the API format alone does not determine how. */
  readonly codec?: UpstreamCodec
  /** Models that use this endpoint. Absent: all. */
  readonly models?: Pick<RegExp, 'test'>
  /**
   * If the model requires its vendor's Responses endpoint (`responsesFor`), that endpoint is used instead of
   * this one.
   */
  readonly yieldsToResponses?: true
  /**
   * Whether this chat completions endpoint accepts `web_search_options`: for every model, or only for models
   * that `responsesFor` does not send elsewhere.
   */
  readonly takesSearch?: 'always' | 'by-model'
  /** The client's output limit is not passed on, although the API format has one; see `takesOutputLimit`. */
  readonly isWithoutOutputLimit?: true
  /**
   * The vendor also serves the endpoint as a WebSocket at the same path, where each `response.create` frame is a
   * request.
   */
  readonly hasSocket?: true
  /** The endpoint does not fetch media by URL, although the API format allows it. */
  readonly fetchesUrls?: false
  /** Addresses of media in the request that its quirks write inline and that must be fetched before. */
  readonly addressesIn?: (outgoing: Outgoing) => readonly string[]
  /** Splits a stream into frames for the codec. Absent: server-sent events. */
  readonly openFrames?: () => Frames
  /**
   * The endpoint returns only whole responses, or only streams, whatever the client requested. A stream is
   * collected for clients that want a whole response.
   */
  readonly streams?: 'never' | 'always'
  /** Returns the URL of one attempt; may depend on the model, the base URL and the query. */
  readonly url: (outgoing: Outgoing, upstream: Upstream) => string
  /** For endpoints that expect the key in another header than the provider's other endpoints. */
  readonly authHeaders?: HeaderWriter
  readonly quirks: readonly RequestQuirk[]
  readonly readUsage: UsageReader
  /** Whether a streaming request may contain `stream_options`. */
  readonly streamOptions: boolean
  /**
   * Adjusts a whole response that deviates from the API format. Absent: the bytes are passed on unchanged.
   * `asked` is the client's body, if available.
   */
  readonly adjustAnswer?: (
    answer: Record<string, unknown>,
    asked?: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
  /** From a form, only the bytes of the file are sent. */
  readonly takesFile?: true
  /**
   * Forms are converted to JSON: their texts become members, and their files become data URLs under their
   * field names.
   */
  readonly takesForms?: false
  /** The upstream returns a job id, and the job is polled until it is done. */
  readonly asyncJob?: AsyncJobReader
  /** Replaces the provider's `errorInside`, for endpoints with another error shape. */
  readonly errorInside?: Provider['errorInside']
  /** Extracts speech that the endpoint returns inside JSON. */
  readonly extractAudio?: AudioExtractor
  /** Adjusts a stream chunk. Absent: the bytes are passed on unchanged. */
  readonly adjustChunk?: ChunkAdjustment
}

/**
 * Reads the state of an asynchronous job from a response. `orderPath` is the path at which the job was
 * submitted; it is polled at another path of the same origin.
 */
export type AsyncJobReader = (answer: Readonly<Record<string, unknown>>, orderPath: string) => JobState

export type JobState =
  | { readonly type: 'pending'; readonly path: string }
  | { readonly type: 'done' }
  /** `body` carries the error in the format of upstream errors. */
  | { readonly type: 'failed'; readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** The format of a channel's key. */
export interface Credentials {
  /** Shown in the channel form. */
  readonly hint: string
  /** Throws a `channel_key_invalid` problem for a key that cannot work. */
  readonly check: (key: string) => void
}

/** The channel field `other`, whose meaning depends on the provider. */
export interface OtherField {
  readonly label: { readonly en: string; readonly zh: string }
  /** The value that is stored when the field is left empty. */
  readonly usual?: string
  /**
   * The value may depend on the model: a JSON object of texts by model name, with a member `default` for all
   * others.
   */
  readonly isByModel?: boolean
  /**
   * The key goes to the same origin whatever the field contains. If absent, changing the field may send the
   * key to another origin.
   */
  readonly staysAtOrigin?: true
}

/** Help for the channel form: a description of the base address, and an example. */
export interface AddressHelp {
  readonly help: { readonly en: string; readonly zh: string }
  readonly example: string
}

export interface Provider {
  /** The name of the provider's file: `deepseek`. */
  readonly id: string
  /** The channel type number in the API, for example 43. */
  readonly type: number
  readonly label: string
  /** Whether every address of the provider runs OpenAI's own models, such as a gateway before Azure. */
  readonly hostsOpenAi?: boolean
  /** `undefined`: the channel must set a base URL. */
  readonly baseUrl?: string
  /**
   * Help for the channel form, where `addressHelp` cannot derive it, or where there is no default base URL.
   */
  readonly address?: Partial<AddressHelp>
  readonly credentials: Credentials
  /** The meaning of the channel's `other` field; absent: unused. */
  readonly other?: OtherField
  readonly authHeaders: HeaderWriter
  /** Adds signature headers, which depend on the exact bytes of the body and on the time. */
  readonly signRequest?: (
    signable: SignableRequest,
    upstream: Upstream,
    nowMs: number,
  ) => Readonly<Record<string, string>>
  /** Signs the URL instead, for vendors whose signature is in the query. */
  readonly signUrl?: (url: string, upstream: Upstream, nowMs: number) => string
  /** The key must be exchanged for an access token first. */
  readonly tokens?: TokenExchange
  /** The key itself expires, and a refresh replaces it with a new one. */
  readonly renewal?: KeyRenewal
  /** The endpoints of each operation, one for each API format, the preferred one first. */
  readonly endpoints: Partial<Readonly<Record<Operation, readonly Endpoint[]>>>
  /** Asynchronous tasks, such as video generation. */
  readonly tasks?: TaskUpstream
  /** The models that the button "fill in related models" adds. */
  readonly models: readonly string[]
  readonly modelList?: ModelList
  readonly balance?: BalanceReader
  /** Returns the provider definition for a channel whose key or settings determine the endpoints. */
  readonly forChannel?: (channel: Pick<Upstream, 'key' | 'settings'>) => Provider
  /** Returns the message of an error that came with status 200. */
  readonly errorInside?: (answer: Readonly<Record<string, unknown>>) => string | undefined
}
