import type { RepairName } from '@tollgate/dialects/canonical/repairs'
import type { OriginalTools } from '@tollgate/dialects/canonical/portable-tools'
import type { Ask } from '@tollgate/dialects/dialect'
import type { UpstreamOperation } from '@tollgate/dialects/conversations'
import { isTranscript } from '@tollgate/dialects/media/operation'
import { traitsTaught, withTraits } from '@tollgate/dialects/traits/lessons'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import { requestedTier } from '@tollgate/dialects/service-tier'
import { isConversation } from '@tollgate/dialects/conversations'
import { problem } from '@tollgate/problems/problem'
import { defaultClaudeOptions, headersFor } from '../claude-options.ts'
import type { Found, Needs } from '../define/needs.ts'
import { hasThinkingRule } from '../fit/thinking-rules.ts'
import type { Endpoint, Outgoing, Upstream } from '../provider.ts'
import { adaptRequest, type AdaptedRequest } from './adapt-request.ts'
import type { AttemptInput, AttemptWithTraits } from './attempt-input.ts'
import { bodyOf, contentOf, wholeOf, type SentBody } from './encode-body.ts'
import { baseUrlOf, openAsIs, openConverted } from './outgoing.ts'
import { chooseEndpoint, type ResolvedEndpoint } from './resolve-endpoint.ts'

export type { SealRules } from './attempt-input.ts'

export interface PreparedAttempt extends Pick<
  AdaptedRequest,
  'headerChanges' | 'overrideNotes' | 'sentSeals'
> {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: SentBody
  /** The model name that was sent. */
  readonly model: string
  readonly isStream: boolean
  readonly endpoint: Endpoint
  /**
   * The operation that the upstream is called with; it differs from the client's when the call is converted.
   */
  readonly operation: UpstreamOperation
  /** The service tier of the outgoing request, if it is not the default one. */
  readonly serviceTier: string | undefined
  /** Names of the members that are not sent to the upstream. */
  readonly dropped: readonly string[]
  /** What a conversion or a repair changed, for the log. */
  readonly repairs: readonly RepairName[]
  /** Tools that were renamed or changed for the upstream; absent when the call was not converted. */
  readonly originalTools: OriginalTools | undefined
  /** Turns that need reasoning which the client did not send back, by `describeTurn`. */
  readonly unreasonedTurns: readonly string[]
  /** Whether later requests have to bring the reasoning of this answer back. */
  readonly demandsReasoning: boolean
}

/** An attempt whose request can be written once its needs were looked up. */
export interface OpenAttempt {
  readonly needs: Needs
  readonly prepare: (found?: Found) => PreparedAttempt
}

/**
 * Begins to build what one attempt sends, so far that its needs are known; a pure function. Throws a problem
 * for a misconfigured channel.
 */
export function openAttempt(given: AttemptInput): OpenAttempt {
  const { ask } = given
  const { learned, traits } = traitsIn(given)
  const resolved = chooseEndpoint(given, traits)
  if (resolved === undefined) throw problem('api_not_implemented')
  const { endpoint, operation } = resolved
  const isStream = isStreamed(given.isStream, endpoint) || mustStream(given, traits)
  const input = { ...given, traits, learned, isStream, upstream: checkedUpstream(given) }
  const isConverted = operation !== input.operation || isUnfetched(endpoint, ask)
  const { needs, write } = isConverted ? openConverted(input, resolved) : openAsIs(input, endpoint)
  const opened = { input: isConverted ? withoutPassing(input) : input, resolved, isConverted }
  return { needs, prepare: (lookups = {}) => prepared(write(lookups), opened, lookups) }
}

interface Opened {
  readonly input: AttemptWithTraits
  readonly resolved: ResolvedEndpoint
  readonly isConverted: boolean
}

function prepared(
  addressed: Outgoing,
  { input, resolved: { endpoint, operation }, isConverted }: Opened,
  { nowMs = 0, reasoning }: Found,
): PreparedAttempt {
  const { provider, upstream, ask, isStream } = input
  const { outgoing, headerChanges, overrideNotes, sentSeals } = adaptRequest(
    addressed,
    { ...input, reasoning },
    endpoint,
  )
  const body = isConverted ? Buffer.from(JSON.stringify(outgoing.body)) : bodyOf(ask, outgoing.body, endpoint)
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
    headers: signRequest === undefined ? headers : { ...headers, ...signRequest },
    body,
    model: outgoing.model,
    isStream,
    endpoint,
    operation,
    headerChanges,
    overrideNotes,
    sentSeals,
    serviceTier: requestedTier(outgoing.body),
    dropped: [...new Set(outgoing.dropped)],
    repairs: outgoing.repairs ?? [],
    originalTools: outgoing.originalTools,
    unreasonedTurns: outgoing.unreasonedTurns ?? [],
    demandsReasoning: input.isPassThrough !== true && hasThinkingRule(outgoing),
  }
}

const NOTHING_LEARNED: ModelTraits = {}

function traitsIn({
  upstream,
  model,
  lessons = [],
}: AttemptInput): Pick<AttemptWithTraits, 'traits' | 'learned'> {
  const known = upstream.settings.traitsOf(model)
  if (lessons.length === 0) return { traits: known, learned: NOTHING_LEARNED }
  const learned = traitsTaught(lessons)
  return { traits: withTraits(known, learned), learned }
}

/** What a channel's setting or a refusal says; only conversations can be collected from a stream. */
function mustStream({ operation, upstream }: AttemptInput, { streams }: ModelTraits): boolean {
  const isStreamOnly = streams === 'always' || upstream.settings.canOnlyStream
  return isStreamOnly && upstream.settings.canStream && isConversation(operation)
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

/** Speech and transcripts (which may be subtitles) are not necessarily JSON. */
function acceptedFor(operation: UpstreamOperation): string {
  return operation === 'speech' || isTranscript(operation) ? '*/*' : 'application/json'
}

/** A converted body cannot be passed through, because the upstream could not read the original bytes. */
function withoutPassing(input: AttemptWithTraits): AttemptWithTraits {
  return { ...input, isPassThrough: false }
}

function checkedUpstream({ provider, upstream }: AttemptInput): Upstream {
  provider.credentials.check(upstream.key)
  const baseUrl = baseUrlOf({ provider, upstream })
  return baseUrl === upstream.baseUrl ? upstream : { ...upstream, baseUrl }
}
