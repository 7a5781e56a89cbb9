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
import { askedTier } from '@tollgate/dialects/service-tier'
import { invariant } from '@tollgate/kit/invariant'
import { problem } from '@tollgate/kit/problem'
import { defaultClaudeOptions, headersFor, outputTokensFor, type ClaudeOptions } from './claude-options.ts'
import { convert } from './convert.ts'
import type { GeminiOptions } from './gemini-options.ts'
import type { KnownSignatures } from './build/call-signatures.ts'
import { droppedBetween } from './dropped.ts'
import { membersOf } from './build/form-members.ts'
import type { FetchedMedia } from './build/media.ts'
import { openDraft, type Override } from './override/override.ts'
import type { Outgoing, Provider, Endpoint, Upstream } from './provider.ts'
import { inAcceptedForm, placedBy, withoutLearned } from './fit/accepted-form.ts'
import { needsResponses } from './fit/responses-needs.ts'

export interface AttemptInput {
  readonly provider: Provider
  readonly upstream: Upstream
  /** What the caller asked for. */
  readonly operation: CallOperation
  readonly ask: Ask
  /** The upstream's name of the model, after prefix and mapping. */
  readonly model: string
  /** May differ from the ask: a channel that does not stream is asked for a whole answer. */
  readonly isStream: boolean
  /** The channel's parameter override, the last touch. It cannot change `stream`. */
  readonly parameterOverride?: Override | undefined
  /** All headers of the caller, for an override that looks at them. */
  readonly requestHeaders?: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The caller's query; only what a provider looks for goes on. */
  readonly query: URLSearchParams
  /** The caller's headers that an upstream of the same dialect may see. */
  readonly callerHeaders?: Readonly<Record<string, string>>
  /** What the operator settled for Claude models; the defaults when absent. */
  readonly claude?: ClaudeOptions
  /** The same for Gemini models. */
  readonly gemini?: GeminiOptions
  /** Asks a stream for its usage even if the caller did not. Default true. */
  readonly forcesUsage?: boolean
  /** Wall time, for signatures. */
  readonly nowMs?: number
  /** What lies at addresses that the upstream does not fetch from; `MediaWanted` is thrown for what is missing. */
  readonly media?: FetchedMedia
  /** What Gemini signed of earlier calls, by their ids; `SignaturesWanted` is thrown where nobody looked for them. */
  readonly signatures?: KnownSignatures
  /** What the channel's refusals taught of the model. */
  readonly lessons?: readonly LessonName[]
  /** Sends the caller's body as it is, but for the model's name and whether it streams. */
  readonly isPassThrough?: boolean
}

export interface PreparedAttempt {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The caller's very buffer when nothing had to change; a form in pieces, its files as they came. */
  readonly body: Buffer | readonly Buffer[]
  /** The model's name as it went out. */
  readonly model: string
  readonly isStream: boolean
  readonly endpoint: Endpoint
  /** What the upstream is asked for; another one than the caller's where the call is converted. */
  readonly operation: UpstreamOperation
  /** Headers that the override adds or takes away, after everything else is said. */
  readonly headerChanges: Readonly<Record<string, string | undefined>>
  /** What of the override changes the upstream's charge, in words. */
  readonly overrideNotes: readonly string[]
  /** The service tier that what went out asks for, where that is not the ordinary one. */
  readonly serviceTier: string | undefined
  /** Names of the members that the upstream is not sent. */
  readonly dropped: readonly string[]
  /** Tools that the upstream knows otherwise than the caller; absent where the call was not converted. */
  readonly originalTools: OriginalTools | undefined
}

/** One way of a provider to serve what a caller asks. */
export interface ResolvedEndpoint {
  readonly operation: UpstreamOperation
  readonly endpoint: Endpoint
}

/** The caller's own dialect first; `undefined`: this provider does not offer the operation, so the channel is no candidate for it. */
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

/** The way of a call: some models want some calls at their vendor's Responses endpoint. */
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

/** Whether a caller's limit on output holds there. Elsewhere an answer may be as long as the model writes. */
export function takesOutputLimit({ endpoint }: ResolvedEndpoint): boolean {
  return endpoint.isWithoutOutputLimit !== true && endpoint.codec?.limits['output-limit']?.does !== 'drop'
}

function isOffered({ operation }: ResolvedEndpoint, { responses }: ModelTraits): boolean {
  return operation !== 'responses' || responses !== false
}

/**
 * Everything one attempt sends. Pure. Throws a problem for a channel that is configured wrongly, `MediaWanted` and
 * `SignaturesWanted` for what must be found first.
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
    // Vendors of Messages have them by their own writers, with a version where the caller told none.
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
    serviceTier: askedTier(outgoing.body),
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

/** The caller's own dialect, with media by address where nobody fetches them. */
function isUnfetched({ fetchesUrls }: Endpoint, { bytes }: Ask): boolean {
  return fetchesUrls === false && /"type"\s*:\s*"url"/.test(bytes.toString('latin1'))
}

type SentBody = PreparedAttempt['body']

/** A form is written anew around its files, which nobody copies. */
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

/** Sound and subtitles are no JSON. */
function acceptedFor(operation: UpstreamOperation): string {
  return operation === 'speech' || isTranscript(operation) ? '*/*' : 'application/json'
}

function wholeOf(body: SentBody): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.concat(body)
}

/** Bytes that the upstream could not read cannot be passed. */
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

/** An attempt, and what its model takes. */
interface Judged extends AttemptInput {
  readonly traits: ModelTraits
  /** Those of them that only lessons tell. */
  readonly learned: ModelTraits
}

/** The ask under the upstream's name of the model. */
function addressedAsIs(input: Judged, { dialect, takesForms }: Endpoint): Outgoing {
  const { operation, model, isStream, query, ask, callerHeaders, media } = input
  const asked = takesForms === false ? membersOf(ask) : ask.body
  const changes: Record<string, unknown> = {}
  // In one dialect both are said by the path.
  const isInBody = dialect !== 'gemini'
  if (isInBody && ask.body['model'] !== model) changes['model'] = model
  if (isInBody && ask.isStream !== isStream) changes['stream'] = isStream
  if (dialect === 'anthropic' && ask.outputTokensMax === undefined) changes['max_tokens'] = defaultOf(input)
  const body = Object.keys(changes).length === 0 ? asked : { ...asked, ...changes }
  const told = { ...(callerHeaders && { callerHeaders }), ...(media && { media }), ...settled(input) }
  return { operation, model, isStream, query, ...told, body }
}

/** What the caller called the model, and what the operator settled for single vendors. */
function settled({
  ask,
  traits,
  claude,
  gemini,
}: Judged): Pick<Outgoing, 'traits' | 'askedModel' | 'claude' | 'gemini'> {
  return { traits, askedModel: ask.model, ...(claude && { claude }), ...(gemini && { gemini }) }
}

/** The ask in the upstream's own dialect; the caller's query and headers mean nothing there. */
function converted(input: Judged, resolved: ResolvedEndpoint): Outgoing {
  const { operation: asked, model, isStream, ask, callerHeaders, media = NO_MEDIA, signatures } = input
  const { operation: endpoint } = resolved
  const told = {
    query: new URLSearchParams(),
    isConverted: true,
    ...settled(input),
    ...(asked === endpoint && callerHeaders && { callerHeaders }),
  }
  if (isVectors(asked) && isVectors(endpoint)) {
    const body = convertVectors({ asked, endpoint, body: ask.body, model })
    return { operation: endpoint, model, isStream: false, ...told, body }
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
    traits: placedBy(input.traits, baseUrlOf(input)),
    isWithoutSearch: isWithoutSearch(resolved, input.traits),
    isStream,
    outputTokensDefault,
    media,
    signatures,
  })
  return { operation: endpoint, model, isStream, ...told, body, dropped, originalTools }
}

const NO_MEDIA: FetchedMedia = new Map()

/** Vendors refuse `web_search_options` they do not know, and OpenAI refuses them for all but its search models. */
function isWithoutSearch(
  { operation, endpoint }: ResolvedEndpoint,
  { responsesFor = [] }: ModelTraits,
): boolean {
  if (operation !== 'chat' || endpoint.takesSearch === 'always') return false
  return endpoint.takesSearch === undefined || responsesFor.includes('search')
}

/** For dialects that must be told a limit on output, when the caller told none. */
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
  const adapted = withoutLearned(quirked, input.learned)
  const allowed = { ...adapted, body: withoutForbidden(adapted.body, upstream.setting) }
  const draft = openDraft(streamOptions(allowed, input, endpoint), input.requestHeaders)
  const { body, headers: headerChanges, notes: overrideNotes } = input.parameterOverride?.(draft) ?? draft
  const model = typeof body['model'] === 'string' ? body['model'] : adapted.model
  // Quirks of other operations move members to other places.
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
  const told = body['stream_options'] ?? undefined
  if (!isStream || !endpoint.streamOptions) return without(body, 'stream_options')
  if (!forcesUsage || (isRecord(told) && told['include_usage'] === true)) return body
  return { ...body, stream_options: { ...(isRecord(told) ? told : {}), include_usage: true } }
}

/** Members that change what the upstream charges: they pass where the operator allows them. */
const priced: readonly (readonly [member: string, setting: string])[] = [
  ['service_tier', 'allow_service_tier'],
  ['serviceTier', 'allow_service_tier'],
  ['inference_geo', 'allow_inference_geo'],
  ['speed', 'allow_speed'],
]

/** Members that change what the upstream keeps or is told: they pass unless the operator says otherwise. */
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

/** Members that are what they were keep their bytes, down to the last space. */
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
