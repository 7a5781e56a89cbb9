import type { OriginalTools } from '@tollgate/dialects/canonical/portable-tools'
import type { Ask } from '@tollgate/dialects/dialect'
import {
  codecOf,
  isConversation,
  upstreamOperations,
  type CallOperation,
  type UpstreamOperation,
} from '@tollgate/dialects/conversations'
import { isRecord } from '@tollgate/dialects/json'
import { convertVectors, isVectors } from '@tollgate/dialects/vectors/pair'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { writeForm } from '@tollgate/dialects/media/form'
import { isTranscript } from '@tollgate/dialects/media/operation'
import { traitsTaught, withTraits, type LessonName } from '@tollgate/dialects/traits/lessons'
import { traitsOf } from '@tollgate/dialects/traits/lookup'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { requestedTier } from '@tollgate/dialects/service-tier'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/problems/problem'
import { defaultClaudeOptions, headersFor, outputTokensFor, type ClaudeOptions } from './claude-options.ts'
import { convert } from './convert.ts'
import type { GeminiOptions } from './gemini-options.ts'
import type { KnownSignatures } from './define/call-signatures.ts'
import { droppedBetween } from './dropped.ts'
import { membersOf } from './define/form-members.ts'
import type { FetchedMedia } from './define/media.ts'
import { openDraft, type Override } from './override/override.ts'
import type { Outgoing, Provider, Endpoint, Upstream } from './provider.ts'
import { inAcceptedForm, withSystemPlacement, withoutLearnedRestrictions } from './fit/accepted-form.ts'
import { needsResponses } from './fit/responses-needs.ts'

export interface AttemptInput {
  readonly provider: Provider
  readonly upstream: Upstream
  /** The operation that the client called. */
  readonly operation: CallOperation
  readonly ask: Ask
  /** The upstream's name of the model, after the prefix and the model mapping were applied. */
  readonly model: string
  /** May differ from the client's request: a channel that does not stream is called for a whole response. */
  readonly isStream: boolean
  /** The channel's parameter override, which is applied last. It cannot change `stream`. */
  readonly parameterOverride?: Override | undefined
  /** All headers of the client, for overrides that read them. */
  readonly requestHeaders?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The client's query string; only parameters that a provider uses are passed on. */
  readonly query: URLSearchParams
  /** The client's headers that an upstream with the same API format may receive. */
  readonly callerHeaders?: Readonly<Record<string, string>>
  /** The operator's settings for Claude models; the defaults when absent. */
  readonly claude?: ClaudeOptions
  /** The operator's settings for Gemini models; the defaults when absent. */
  readonly gemini?: GeminiOptions
  /** Requests the usage of a stream even if the client did not. Default: true. */
  readonly forcesUsage?: boolean
  /** The current time, for request signatures. */
  readonly nowMs?: number
  /**
   * Media that were fetched because the upstream does not fetch them itself; `MediaWanted` is thrown for
   * missing ones.
   */
  readonly media?: FetchedMedia
  /**
   * Gemini's signatures of earlier tool calls, by call id; `SignaturesWanted` is thrown when they are needed
   * and no lookup was made.
   */
  readonly signatures?: KnownSignatures
  /** Model restrictions that were learned from the channel's errors. */
  readonly lessons?: readonly LessonName[]
  /** Sends the client's body unchanged, except for the model name and the streaming flag. */
  readonly isPassThrough?: boolean
}

export interface PreparedAttempt {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /**
   * The client's original buffer when nothing had to change; a list of buffers for a form, so that its files
   * are not copied.
   */
  readonly body: Buffer | readonly Buffer[]
  /** The model name that was sent. */
  readonly model: string
  readonly isStream: boolean
  readonly endpoint: Endpoint
  /**
   * The operation that the upstream is called with; it differs from the client's when the call is converted.
   */
  readonly operation: UpstreamOperation
  /** Headers that the override adds or removes, applied after all others. */
  readonly headerChanges: Readonly<Record<string, string | undefined>>
  /** Override edits that change the upstream's charge, described for operators. */
  readonly overrideNotes: readonly string[]
  /** The service tier of the outgoing request, if it is not the default one. */
  readonly serviceTier: string | undefined
  /** Names of the members that are not sent to the upstream. */
  readonly dropped: readonly string[]
  /** Tools that were renamed or changed for the upstream; absent when the call was not converted. */
  readonly originalTools: OriginalTools | undefined
}

/** The endpoint with which a provider serves an operation. */
export interface ResolvedEndpoint {
  readonly operation: UpstreamOperation
  readonly endpoint: Endpoint
}

/**
 * Finds the endpoint for an operation; the client's own API format comes first. `undefined`: the provider
 * does not offer the operation, so the channel is not a candidate for the call.
 */
export function resolveEndpoint(
  provider: Provider,
  operation: CallOperation,
  model?: string,
): ResolvedEndpoint | undefined {
  return waysTo(provider, operation, model).next().value
}

function* waysTo(
  provider: Provider,
  operation: CallOperation,
  model?: string,
): Generator<ResolvedEndpoint, undefined> {
  for (const served of upstreamOperations(operation)) {
    const endpoint = provider.endpoints[served]?.find(
      (resolved) => model === undefined || resolved.models?.test(model) !== false,
    )
    if (endpoint !== undefined) yield { operation: served, endpoint }
  }
}

/** Chooses the endpoint of a call. Some models require their vendor's Responses endpoint for some calls. */
function wayOf(
  { provider, operation, model, ask, isPassThrough }: AttemptInput,
  traits: ModelTraits,
): ResolvedEndpoint | undefined {
  const ways = waysTo(provider, operation, model).filter((resolved) => isOffered(resolved, traits))
  const usual = ways.next().value
  if (usual?.endpoint.yieldsToResponses !== true) return usual
  const isSentAsIs = isPassThrough === true && usual.operation === operation
  if (isSentAsIs || !needsResponses(traits, { operation, body: ask.body })) return usual
  return ways.find((resolved) => resolved.operation === 'responses') ?? usual
}

/**
 * Whether the upstream enforces a client's output limit. If it does not, a response may be as long as the
 * model writes.
 */
export function takesOutputLimit({ endpoint }: ResolvedEndpoint): boolean {
  return endpoint.isWithoutOutputLimit !== true && endpoint.codec?.limits['output-limit']?.does !== 'drop'
}

function isOffered({ operation }: ResolvedEndpoint, { responses }: ModelTraits): boolean {
  return operation !== 'responses' || responses !== false
}

/**
 * Builds everything that one attempt sends; a pure function. Throws a problem for a misconfigured channel,
 * and `MediaWanted` or `SignaturesWanted` when media or signatures must be looked up first.
 */
export function prepareAttempt(given: AttemptInput): PreparedAttempt {
  const { provider, ask } = given
  const { learned, traits } = traitsIn(given)
  const resolved = wayOf(given, traits)
  if (resolved === undefined) throw problem('api_not_implemented')
  const { endpoint, operation } = resolved
  const input = { ...given, traits, learned, isStream: isStreamed(given.isStream, endpoint) }
  const { isStream } = input
  const upstream = checkedUpstream(input)
  const isConverted = operation !== input.operation || isUnfetched(endpoint, ask)
  const addressed = isConverted ? converted(input, resolved) : addressedAsIs(input, endpoint)
  const { outgoing, headerChanges, overrideNotes } = shaped(addressed, {
    input: isConverted ? withoutPassing(input) : input,
    upstream,
    endpoint,
  })
  const body = isConverted ? Buffer.from(JSON.stringify(outgoing.body)) : bodyOf(ask, outgoing.body, endpoint)
  const { nowMs = 0 } = input
  const address = endpoint.url(outgoing, upstream)
  const url = provider.signUrl?.(address, upstream, nowMs) ?? address
  const headers = {
    ...contentOf(ask, body, endpoint),
    accept: isStream ? 'text/event-stream' : acceptedFor(operation),
    // Endpoints of the Messages API forward these headers in their own header writers, with a default version
    // if the client set none.
    ...(endpoint.dialect === 'openai' && outgoing.callerHeaders),
    ...(endpoint.authHeaders ?? provider.authHeaders)(upstream, outgoing),
    ...(endpoint.dialect === 'anthropic' && headersFor(input.claude ?? defaultClaudeOptions, outgoing.model)),
  }
  const signRequest = provider.signRequest?.({ url, headers, body: wholeOf(body) }, upstream, nowMs)
  return {
    url,
    headers: { ...headers, ...signRequest },
    body,
    model: outgoing.model,
    isStream,
    endpoint,
    operation,
    headerChanges,
    overrideNotes,
    serviceTier: requestedTier(outgoing.body),
    dropped: [...new Set(outgoing.dropped)],
    originalTools: outgoing.originalTools,
  }
}

const NOTHING_LEARNED: ModelTraits = {}

function traitsIn({ upstream, model, lessons = [] }: AttemptInput): Pick<Judged, 'traits' | 'learned'> {
  const known = (upstream.traitsOf ?? traitsOf)(model)
  if (lessons.length === 0) return { traits: known, learned: NOTHING_LEARNED }
  const learned = traitsTaught(lessons)
  return { traits: withTraits(known, learned), learned }
}

function isStreamed(isWanted: boolean, { streams }: Endpoint): boolean {
  return streams === undefined ? isWanted : streams === 'always'
}

/**
 * Whether a request refers to media by URL that this upstream does not fetch, although its API format allows
 * it. Such a request is converted even within the same format.
 */
function isUnfetched({ fetchesUrls }: Endpoint, { bytes }: Ask): boolean {
  return fetchesUrls === false && /"type"\s*:\s*"url"/.test(bytes.toString('latin1'))
}

type SentBody = PreparedAttempt['body']

/** A form is re-encoded around its files; the file contents are not copied. */
function bodyOf(ask: Ask, body: Outgoing['body'], { takesFile, takesForms }: Endpoint): SentBody {
  if (takesFile === true) return fileIn(ask)
  if (ask.form !== undefined && takesForms === false) return Buffer.from(JSON.stringify(body))
  return ask.form === undefined ? encodeBody(ask, body) : writeForm(ask.form, body)
}

function fileIn({ form }: Ask): Buffer {
  const file = form?.parts.find(({ fileName }) => fileName !== undefined)
  invariant(file !== undefined, 'a form without its file was refused when it was read')
  return file.content
}

function contentOf({ form }: Ask, body: SentBody, { takesFile }: Endpoint): Readonly<Record<string, string>> {
  if (takesFile === true) return { 'content-type': 'application/octet-stream' }
  if (form === undefined || Buffer.isBuffer(body)) return { 'content-type': 'application/json' }
  const bytes = body.reduce((sum, piece) => sum + piece.length, 0)
  return {
    'content-type': `multipart/form-data; boundary="${form.boundary}"`,
    'content-length': String(bytes),
  }
}

/** Speech and transcripts (which may be subtitles) are not necessarily JSON. */
function acceptedFor(operation: UpstreamOperation): string {
  return operation === 'speech' || isTranscript(operation) ? '*/*' : 'application/json'
}

function wholeOf(body: SentBody): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/** A converted body cannot be passed through, because the upstream could not read the original bytes. */
function withoutPassing(input: Judged): Judged {
  return { ...input, isPassThrough: false }
}

function checkedUpstream({ provider, upstream }: AttemptInput): Upstream {
  provider.credentials.check(upstream.key)
  const baseUrl = baseUrlOf({ provider, upstream })
  return baseUrl === upstream.baseUrl ? upstream : { ...upstream, baseUrl }
}

function baseUrlOf({ provider, upstream }: Pick<AttemptInput, 'provider' | 'upstream'>): string {
  const baseUrl = upstream.baseUrl === '' ? provider.baseUrl : upstream.baseUrl
  if (baseUrl === undefined) throw problem('channel_base_url_missing')
  return baseUrl
}

/** An attempt with the traits of its model. */
interface Judged extends AttemptInput {
  readonly traits: ModelTraits
  /** The part of the traits that was learned from errors. */
  readonly learned: ModelTraits
}

/** The request in the client's own format, with the upstream's name of the model. */
function addressedAsIs(input: Judged, { dialect, takesForms }: Endpoint): Outgoing {
  const { operation, model, isStream, query, ask, callerHeaders, media } = input
  const asked = takesForms === false ? membersOf(ask) : ask.body
  const changes: Record<string, unknown> = {}
  // In the Gemini API the model and the streaming flag are in the path.
  const isInBody = dialect !== 'gemini'
  if (isInBody && ask.body['model'] !== model) changes['model'] = model
  if (isInBody && ask.isStream !== isStream) changes['stream'] = isStream
  if (dialect === 'anthropic' && ask.outputTokensMax === undefined) changes['max_tokens'] = defaultOf(input)
  const body = Object.keys(changes).length === 0 ? asked : { ...asked, ...changes }
  const context = { callerHeaders, media, ...settled(input) }
  return { operation, model, isStream, query, ...context, body }
}

/** The client's name of the model, and the operator's settings for single vendors. */
function settled({
  ask,
  traits,
  claude,
  gemini,
}: Judged): Pick<Outgoing, 'traits' | 'askedModel' | 'claude' | 'gemini'> {
  return { traits, askedModel: ask.model, claude, gemini }
}

/**
 * The request converted to the upstream's format. The client's query and headers are left out, because they
 * have no meaning there.
 */
function converted(input: Judged, resolved: ResolvedEndpoint): Outgoing {
  const { operation: asked, model, isStream, ask, callerHeaders, media = NO_MEDIA, signatures } = input
  const { operation: endpoint } = resolved
  const reported = {
    query: new URLSearchParams(),
    isConverted: true,
    ...settled(input),
    ...(asked === endpoint && callerHeaders && { callerHeaders }),
  }
  if (isVectors(asked) && isVectors(endpoint)) {
    const body = convertVectors({ asked, endpoint, body: ask.body, model })
    return { operation: endpoint, model, isStream: false, ...reported, body }
  }
  const known = codecOf(endpoint, resolved.endpoint.codec)
  const codec = known && resolved.endpoint.fetchesUrls === false ? { ...known, takesUrl: () => false } : known
  if (!isConversation(asked) || codec === undefined) throw problem('api_not_implemented')
  const outputTokensDefault = defaultOf(input)
  const { body, dropped, originalTools } = convert({
    asked,
    codec,
    body: ask.body,
    model,
    traits: withSystemPlacement(input.traits, baseUrlOf(input)),
    isWithoutSearch: isWithoutSearch(resolved, input.traits),
    isStream,
    outputTokensDefault,
    media,
    signatures,
  })
  return { operation: endpoint, model, isStream, ...reported, body, dropped, originalTools }
}

const NO_MEDIA: FetchedMedia = new Map()

/**
 * Vendors that do not support `web_search_options` refuse them, and OpenAI refuses them for all models except
 * its search models.
 */
function isWithoutSearch(
  { operation, endpoint }: ResolvedEndpoint,
  { responsesFor = [] }: ModelTraits,
): boolean {
  if (operation !== 'chat' || endpoint.takesSearch === 'always') return false
  return endpoint.takesSearch === undefined || responsesFor.includes('search')
}

/** The output limit for API formats that require one, when the client set none. */
function defaultOf({ claude = defaultClaudeOptions, model }: AttemptInput): number {
  return outputTokensFor(claude, model)
}

interface Setting {
  readonly input: Judged
  readonly upstream: Upstream
  readonly endpoint: Endpoint
}

interface Shaped extends Pick<PreparedAttempt, 'headerChanges' | 'overrideNotes'> {
  readonly outgoing: Outgoing
}

const NOTHING_MORE = { headerChanges: {}, overrideNotes: [] }

function shaped(addressed: Outgoing, { input, upstream, endpoint }: Setting): Shaped {
  if (input.isPassThrough === true) return { outgoing: addressed, ...NOTHING_MORE }
  const formed = inAcceptedForm(addressed)
  const quirked = endpoint.quirks.reduce((outgoing, quirk) => quirk(outgoing, upstream), formed)
  const adapted = withoutLearnedRestrictions(quirked, input.learned)
  const allowed = { ...adapted, body: withoutForbidden(adapted.body, upstream.setting) }
  const draft = openDraft(streamOptions(allowed, input, endpoint), input.requestHeaders)
  const { body, headers: headerChanges, notes: overrideNotes } = input.parameterOverride?.(draft) ?? draft
  const model = typeof body['model'] === 'string' ? body['model'] : adapted.model
  // Only conversations are compared, because quirks of other operations move members to other places in the
  // body.
  const removed = isConversation(addressed.operation) ? droppedBetween(addressed.body, allowed.body) : []
  const dropped = [...(adapted.dropped ?? []), ...removed]
  return { outgoing: { ...adapted, model, body, dropped }, headerChanges, overrideNotes }
}

type Body = Outgoing['body']

function streamOptions(
  { body, isStream }: Outgoing,
  { forcesUsage = true }: AttemptInput,
  endpoint: Endpoint,
): Body {
  const reported = body['stream_options'] ?? undefined
  if (!isStream || !endpoint.streamOptions) return without(body, 'stream_options')
  if (!forcesUsage || (isRecord(reported) && reported['include_usage'] === true)) return body
  return { ...body, stream_options: { ...(isRecord(reported) ? reported : {}), include_usage: true } }
}

/** Members that change what the upstream charges. They are passed on only where the operator allows it. */
const priced: readonly (readonly [member: string, setting: string])[] = [
  ['service_tier', 'allow_service_tier'],
  ['serviceTier', 'allow_service_tier'],
  ['inference_geo', 'allow_inference_geo'],
  ['speed', 'allow_speed'],
]

/**
 * Members that change what the upstream stores or learns about the user. They are passed on unless the
 * operator forbids it.
 */
const kept: readonly (readonly [member: string, setting: string, forbids: boolean])[] = [
  ['safety_identifier', 'allow_safety_identifier', false],
  ['store', 'disable_store', true],
]

function withoutForbidden(body: Body, setting: Upstream['setting']): Body {
  const refused = [
    ...priced.filter(([, name]) => setting[name] !== true),
    ...kept.filter(([, name, forbids]) => setting[name] === forbids),
  ]
  return refused.reduce((rest, [member]) => without(rest, member), body)
}

function without(body: Body, name: string): Body {
  if (!Object.hasOwn(body, name)) return body
  const { [name]: _dropped, ...rest } = body
  return rest
}

/** Unchanged members keep their original bytes, including white space. */
function encodeBody(ask: Ask, body: Body): Buffer {
  if (body === ask.body) return ask.bytes
  const set: Record<string, unknown> = {}
  let hasChange = false
  for (const [name, value] of Object.entries(body)) {
    if (Object.hasOwn(ask.body, name) && ask.body[name] === value) continue
    set[name] = value
    hasChange = true
  }
  const remove = Object.keys(ask.body).filter((name) => !Object.hasOwn(body, name))
  return hasChange || remove.length > 0
    ? spliceTopLevel(ask.bytes, { set, remove, members: ask.members })
    : ask.bytes
}
