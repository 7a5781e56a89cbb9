import type { UpstreamCodec } from '@tollgate/dialects/canonical/codec'
import type { Frames } from '@tollgate/dialects/canonical/frames'
import type { OriginalTools } from '@tollgate/dialects/canonical/portable-tools'
import type { UsageReader } from '@tollgate/dialects/dialect'
import type { SoundOfAnswer } from '@tollgate/dialects/media/answer'
import type { FetchedMedia } from './build/media.ts'
import type { ClaudeOptions } from './claude-options.ts'
import type { GeminiOptions } from './gemini-options.ts'
import type { TraitsOf } from '@tollgate/dialects/traits/lookup'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import type { ChunkAdjustment } from '@tollgate/dialects/openai/transform'
import type { TokenExchange } from './sign/exchange.ts'
import type { KeyRenewal } from './sign/renewal.ts'
import type { TaskUpstream } from './tasks/upstream.ts'

/** What a client asks for; each is one upstream operation. */
export type Operation =
  | 'chat'
  | 'completions'
  | 'embeddings'
  /** Vectors, as Gemini has them. */
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
  /** A conversation made shorter, as Responses have it. */
  | 'compact'
  /** A web search by itself. */
  | 'search'
  | 'messages'
  | 'generate'
  /** A conversation in a format that this vendor alone has. */
  | 'own'

/** One configured upstream as an attempt sees it: credential and destination come from here and nowhere else. */
export interface Upstream {
  readonly channelId: number
  readonly type: number
  /** Without a trailing slash; the provider's default when the channel names none. */
  readonly baseUrl: string
  /** One key, already chosen among several. */
  readonly key: string
  readonly other: string
  readonly organization: string
  readonly createdTime: number
  readonly setting: Readonly<Record<string, unknown>>
  /** What its models take, where the channel knows better than the table. */
  readonly traitsOf?: TraitsOf
  /** What the key was exchanged for, where the provider has `tokens`. */
  readonly accessToken?: string
}

/** What goes out for one attempt. `body` is the JSON object after mapping; `model` is the upstream's name of it. */
export interface Outgoing {
  readonly operation: Operation
  readonly model: string
  /** What the model takes; what the table knows of its name when absent. */
  readonly traits?: ModelTraits
  /** The caller's name of the model, where a channel is set up by it. */
  readonly askedModel?: string
  readonly isStream: boolean
  readonly query: URLSearchParams
  /** Headers of the caller's that mean something to upstreams of the same dialect; none else is ever handed on. */
  readonly callerHeaders?: Readonly<Record<string, string>>
  /** What the operator settled for Claude models; the defaults when absent. */
  readonly claude?: ClaudeOptions
  /** The same for Gemini models. */
  readonly gemini?: GeminiOptions
  /** What lies at addresses that the upstream does not fetch from, as far as it was asked for. */
  readonly media?: FetchedMedia
  /** Written by us in another dialect than the caller's. */
  readonly isConverted?: boolean
  /** Members of the request that the upstream is not sent, see `DroppedMembers`. */
  readonly dropped?: readonly string[]
  /** Tools that a conversion gave other names, or another form. */
  readonly originalTools?: OriginalTools
  readonly body: Readonly<Record<string, unknown>>
}

/** Returns what to send; never writes into what it received. A member left as it was keeps its bytes. */
export type RequestQuirk = (outgoing: Outgoing, upstream: Upstream) => Outgoing

/** Headers for one attempt, beyond content type and accept. */
export type HeaderWriter = (upstream: Upstream, outgoing: Outgoing) => Readonly<Record<string, string>>

export interface ModelList {
  readonly url: (upstream: Upstream) => string
  /** Names out of the answer; none when it has another shape. */
  readonly read: (body: unknown) => string[]
}

/**
 * What is left on a channel's account, at the channel's own base, so that a key is never sent anywhere else. One GET, or
 * two where the vendor tells a limit and what was used of it apart.
 */
export interface BalanceReader {
  readonly url: (upstream: Upstream) => string
  /** `undefined` when the answer tells no balance. */
  readonly read: (body: unknown) => Balance | undefined
  /** Where `read` tells a limit: what was used of it is the answer to a second GET. */
  readonly used?: {
    readonly url: (upstream: Upstream, limit: unknown, nowMs: number) => string
    readonly read: (body: unknown) => number | undefined
  }
  /** Where it wants the key shown otherwise than calls do. */
  readonly authHeaders?: HeaderWriter
}

export interface Balance {
  readonly amount: number
  /** What the vendor counts in. */
  readonly currency: 'USD' | 'CNY' | 'points'
}

/** What leaves for a provider that signs bytes, complete but for the signature. */
export interface SignableRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** One way a provider speaks: an operation in a dialect at a place. */
export interface Endpoint {
  readonly dialect: 'openai' | 'anthropic' | 'gemini' | 'own'
  /** How conversations are written here and answers read, where the dialect alone does not say it. */
  readonly codec?: UpstreamCodec
  /** Models that are spoken to this way. Absent = all. */
  readonly models?: Pick<RegExp, 'test'>
  /** Where a model wants its vendor's Responses endpoint (`responsesFor`), this way gives way to it. */
  readonly yieldsToResponses?: true
  /** Chat completions that take `web_search_options`: of every model, or of those that `responsesFor` does not send elsewhere. */
  readonly takesSearch?: 'always' | 'by-model'
  /** A limit on output is not passed on, though the dialect knows one; see `takesOutputLimit`. */
  readonly isWithoutOutputLimit?: true
  /** Media by address, which the dialect knows, are not fetched here. */
  readonly fetchesUrls?: false
  /** Takes a stream apart for the codec. Absent = server-sent events. */
  readonly openFrames?: () => Frames
  /** Whatever the caller asked for: only whole answers, or only streams, which are collected for who wants a whole one. */
  readonly streams?: 'never' | 'always'
  /** Destination for one attempt; may look at model, base and query. */
  readonly url: (outgoing: Outgoing, upstream: Upstream) => string
  /** Where it wants the key shown otherwise than the provider's other ways. */
  readonly authHeaders?: HeaderWriter
  readonly quirks: readonly RequestQuirk[]
  readonly readUsage: UsageReader
  /** Whether a stream may carry `stream_options`. */
  readonly streamOptions: boolean
  /**
   * Last touch on a whole answer, for answers that are not quite the dialect's. Absent = bytes pass through. `asked` is the
   * caller's body, where it is at hand.
   */
  readonly adjustAnswer?: (
    answer: Record<string, unknown>,
    asked?: Readonly<Record<string, unknown>>,
  ) => Record<string, unknown>
  /** Of a form it takes the bytes of the file, and nothing else. */
  readonly takesFile?: true
  /** Forms go out as JSON: their texts as members, their files as data URLs under their names. */
  readonly takesForms?: false
  /** The upstream takes an order, and is asked after it until it is done. */
  readonly later?: LaterWork
  /** Instead of the provider's, where failures are told otherwise here. */
  readonly errorInside?: Provider['errorInside']
  /** Speech that comes wrapped in JSON. */
  readonly readSound?: SoundOfAnswer
  /** Last touch on a stream chunk. Absent = bytes pass through. */
  readonly adjustChunk?: ChunkAdjustment
}

/** What an answer says of an order that was given at a path; it is asked after at another one of the same origin. */
export type LaterWork = (answer: Readonly<Record<string, unknown>>, orderPath: string) => OrderState

export type OrderState =
  | { readonly type: 'pending'; readonly path: string }
  | { readonly type: 'done' }
  /** `body` tells the error as upstreams do. */
  | { readonly type: 'failed'; readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** What a channel's key looks like. */
export interface Credentials {
  /** Shown in the channel form. */
  readonly hint: string
  /** Throws a `channel_key_invalid` problem for a key that cannot work. */
  readonly check: (key: string) => void
}

/** The one field of a channel that each provider reads its own way. */
export interface OtherField {
  readonly label: { readonly en: string; readonly zh: string }
  /** What is stored when it is left empty. */
  readonly usual?: string
  /** It may say it model by model: a JSON object of texts, with a member `default` for the others. */
  readonly isByModel?: boolean
  /** Whatever it says, the key goes to the same origin. Absent: a change of it may send the key elsewhere. */
  readonly staysAtOrigin?: true
}

/** What the base address of a channel must be, and one that could be. */
export interface AddressHelp {
  readonly help: { readonly en: string; readonly zh: string }
  readonly example: string
}

export interface Provider {
  /** The file's name: `deepseek`. */
  readonly id: string
  /** The channel type of the wire contract: 43. */
  readonly type: number
  readonly label: string
  /** `undefined`: the channel must name one. */
  readonly baseUrl?: string
  /** For the channel form, where `addressHelp` cannot find it out by itself, or no base URL is usual. */
  readonly address?: Partial<AddressHelp>
  readonly credentials: Credentials
  /** What the channel's `other` field means; absent = unused. */
  readonly other?: OtherField
  readonly authHeaders: HeaderWriter
  /** Headers that depend on the very bytes and the time: signatures. */
  readonly signRequest?: (
    signable: SignableRequest,
    upstream: Upstream,
    nowMs: number,
  ) => Readonly<Record<string, string>>
  /** The same where the address itself is signed. */
  readonly signUrl?: (url: string, upstream: Upstream, nowMs: number) => string
  /** The key is exchanged for an access token first. */
  readonly tokens?: TokenExchange
  /** The key itself ends, and another one follows it. */
  readonly renewal?: KeyRenewal
  /** By operation, each in the dialects the provider speaks, the preferred one first. */
  readonly endpoints: Partial<Readonly<Record<Operation, readonly Endpoint[]>>>
  /** Work it does on its own time. */
  readonly tasks?: TaskUpstream
  /** Offered by "fill in related models". */
  readonly models: readonly string[]
  readonly modelList?: ModelList
  readonly balance?: BalanceReader
  /** Where a channel itself says how it is spoken to. */
  readonly forChannel?: (channel: Pick<Upstream, 'key' | 'setting'>) => Provider
  /** A 200 answer that is really an error: its text. */
  readonly errorInside?: (answer: Readonly<Record<string, unknown>>) => string | undefined
}
