import type { Ask } from '@tollgate/dialects/dialect'
import {
  codecOf,
  isConversation,
  servedBy,
  type CallOperation,
  type UpstreamOperation,
} from '@tollgate/dialects/conversations'
import { isRecord } from '@tollgate/dialects/json'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { problem } from '@tollgate/kit/problem'
import { defaultClaudeOptions, headersFor, outputTokensFor, type ClaudeOptions } from './claude-options.ts'
import { convert } from './convert.ts'
import type { Outgoing, Provider, Spoken, Upstream } from './provider.ts'

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
  /** The channel's parameter override, merged shallowly and last. It cannot change `stream`. */
  readonly parameterOverride?: Readonly<Record<string, unknown>> | undefined
  /** The caller's query; only what a provider looks for goes on. */
  readonly query: URLSearchParams
  /** The caller's headers that an upstream of the same dialect may see. */
  readonly callerHeaders?: Readonly<Record<string, string>>
  /** What the operator settled for Claude models; the defaults when absent. */
  readonly claude?: ClaudeOptions
  /** Asks a stream for its usage even if the caller did not. Default true. */
  readonly forcesUsage?: boolean
  /** Wall time, for signatures. */
  readonly nowMs?: number
  /** Sends the caller's body as it is, but for the model's name and whether it streams. */
  readonly isPassThrough?: boolean
}

export interface PreparedAttempt {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The caller's very buffer when nothing had to change. */
  readonly body: Buffer
  /** The model's name as it went out. */
  readonly model: string
  readonly isStream: boolean
  readonly spoken: Spoken
  /** What the upstream is asked for; another one than the caller's where the call is converted. */
  readonly operation: UpstreamOperation
}

/** One way of a provider to serve what a caller asks. */
export interface Way {
  readonly operation: UpstreamOperation
  readonly spoken: Spoken
}

/** The caller's own dialect first; `undefined`: this provider does not offer the operation, so the channel is no candidate for it. */
export function wayTo(provider: Provider, operation: CallOperation, model?: string): Way | undefined {
  for (const served of servedBy(operation)) {
    const spoken = provider.speaks[served]?.find(
      (way) => model === undefined || way.models?.test(model) !== false,
    )
    if (spoken !== undefined) return { operation: served, spoken }
  }
  return undefined
}

/** Everything one attempt sends. Pure. Throws a problem for a channel that is configured wrongly. */
export function prepareAttempt(input: AttemptInput): PreparedAttempt {
  const { provider, ask, isStream } = input
  const way = wayTo(provider, input.operation, input.model)
  if (way === undefined) throw problem('api_not_implemented')
  const { spoken, operation } = way
  const upstream = checkedUpstream(input)
  const isConverted = operation !== input.operation
  const addressed = isConverted ? converted(input, way) : addressedAsIs(input, spoken)
  const outgoing = changeBody(addressed, {
    input: isConverted ? withoutPassing(input) : input,
    upstream,
    spoken,
  })
  const body = isConverted ? Buffer.from(JSON.stringify(outgoing.body)) : encodeBody(ask, outgoing.body)
  const url = spoken.url(outgoing, upstream)
  const headers = {
    'content-type': 'application/json',
    accept: isStream ? 'text/event-stream' : 'application/json',
    ...(spoken.sign ?? provider.sign)(upstream, outgoing),
    ...(spoken.dialect === 'anthropic' && headersFor(input.claude ?? defaultClaudeOptions, outgoing.model)),
  }
  const seal = provider.seal?.({ url, headers, body }, upstream, input.nowMs ?? 0)
  return { url, headers: { ...headers, ...seal }, body, model: outgoing.model, isStream, spoken, operation }
}

/** Bytes that the upstream could not read cannot be passed. */
function withoutPassing(input: AttemptInput): AttemptInput {
  return { ...input, isPassThrough: false }
}

function checkedUpstream({ provider, upstream }: AttemptInput): Upstream {
  provider.credentials.check(upstream.key)
  const baseUrl = upstream.baseUrl === '' ? provider.baseUrl : upstream.baseUrl
  if (baseUrl === undefined) throw problem('channel_base_url_missing')
  return baseUrl === upstream.baseUrl ? upstream : { ...upstream, baseUrl }
}

/** The ask under the upstream's name of the model. */
function addressedAsIs(input: AttemptInput, { dialect }: Spoken): Outgoing {
  const { operation, model, isStream, query, ask, callerHeaders, claude } = input
  const changes: Record<string, unknown> = {}
  // In one dialect both are said by the path.
  const isInBody = dialect !== 'gemini'
  if (isInBody && ask.body['model'] !== model) changes['model'] = model
  if (isInBody && ask.isStream !== isStream) changes['stream'] = isStream
  if (dialect === 'anthropic' && ask.outputTokensMax === undefined) changes['max_tokens'] = defaultOf(input)
  const body = Object.keys(changes).length === 0 ? ask.body : { ...ask.body, ...changes }
  const told = { ...(callerHeaders && { callerHeaders }), ...(claude && { claude }) }
  return { operation, model, isStream, query, ...told, body }
}

/** The ask in the upstream's own dialect; the caller's query and headers mean nothing there. */
function converted(input: AttemptInput, way: Way): Outgoing {
  const { operation: asked, model, isStream, ask, claude } = input
  const { operation: spoken } = way
  const known = codecOf(spoken, way.spoken.codec)
  const codec = known && way.spoken.fetchesUrls === false ? { ...known, takesUrl: () => false } : known
  if (!isConversation(asked) || codec === undefined) throw problem('api_not_implemented')
  const outputTokensDefault = defaultOf(input)
  const body = convert({ asked, codec, body: ask.body, model, isStream, outputTokensDefault })
  const query = new URLSearchParams()
  return { operation: spoken, model, isStream, query, ...(claude && { claude }), body }
}

/** For dialects that must be told a limit on output, when the caller told none. */
function defaultOf({ claude = defaultClaudeOptions, model }: AttemptInput): number {
  return outputTokensFor(claude, model)
}

interface Setting {
  readonly input: AttemptInput
  readonly upstream: Upstream
  readonly spoken: Spoken
}

function changeBody(addressed: Outgoing, { input, upstream, spoken }: Setting): Outgoing {
  if (input.isPassThrough === true) return addressed
  const adapted = spoken.quirks.reduce((outgoing, quirk) => quirk(outgoing, upstream), addressed)
  const body = overridden(streamOptions(adapted, input, spoken), input.parameterOverride)
  const model = body['model']
  return { ...adapted, model: typeof model === 'string' ? model : adapted.model, body }
}

type Body = Outgoing['body']

function streamOptions(
  { body, isStream }: Outgoing,
  { forcesUsage = true }: AttemptInput,
  spoken: Spoken,
): Body {
  const told = body['stream_options'] ?? undefined
  if (!isStream || !spoken.streamOptions) return without(body, 'stream_options')
  if (!forcesUsage || (isRecord(told) && told['include_usage'] === true)) return body
  return { ...body, stream_options: { ...(isRecord(told) ? told : {}), include_usage: true } }
}

/** Names that mean something to JavaScript, or that decide how the answer is read. */
const untouchable = new Set(['__proto__', 'constructor', 'prototype', 'stream'])

function overridden(body: Body, override: AttemptInput['parameterOverride']): Body {
  if (override === undefined) return body
  const merged: Record<string, unknown> = { ...body }
  for (const [name, value] of Object.entries(override)) if (!untouchable.has(name)) merged[name] = value
  return merged
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
