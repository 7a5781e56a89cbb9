import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import { features, refusedFeature } from '@tollgate/dialects/canonical/feature'
import type { DialectName } from '@tollgate/dialects/canonical/raw'
import type { Ask } from '@tollgate/dialects/dialect'
import { isRecord } from '@tollgate/dialects/json'
import { spliceTopLevel } from '@tollgate/dialects/json-splice'
import { openaiCaller } from '@tollgate/dialects/openai/chat/codec'
import { problem } from '@tollgate/kit/problem'
import type { Operation, Outgoing, Provider, Spoken, Upstream } from './provider.ts'

export interface AttemptInput {
  readonly provider: Provider
  readonly upstream: Upstream
  readonly operation: Operation
  readonly ask: Ask
  /** Of the call. Default: chat completions. */
  readonly dialect?: DialectName
  /** What the call asks for, wanted when the provider speaks another dialect; media that it cannot fetch are in it. */
  readonly conversation?: Conversation
  /** Wall time, for signatures. */
  readonly nowMs?: number
  /** The upstream's name of the model, after prefix and mapping. */
  readonly model: string
  /** May differ from the ask: a channel that does not stream is asked for a whole answer. */
  readonly isStream: boolean
  /** The channel's parameter override, merged shallowly and last. It cannot change `stream`. */
  readonly parameterOverride?: Readonly<Record<string, unknown>> | undefined
  /** The caller's query; only what a provider looks for goes on. */
  readonly query: URLSearchParams
  /** Asks a stream for its usage even if the caller did not. Default true. */
  readonly forcesUsage?: boolean
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
}

/**
 * How the provider is spoken to: in the dialect of the call if it can be, else in the one it prefers. `undefined`: it does
 * not offer the operation, so the channel is no candidate for it.
 */
export function spokenBy(
  provider: Provider,
  operation: Operation,
  dialect: DialectName = 'openai',
): Spoken | undefined {
  const ways = provider.speaks[operation]
  return ways?.find((way) => way.dialect === dialect) ?? ways?.[0]
}

/** Everything one attempt sends. Pure. Throws a problem for a channel that is configured wrongly. */
export function prepareAttempt(input: AttemptInput): PreparedAttempt {
  const { provider, operation, isStream, dialect = 'openai' } = input
  const spoken = spokenBy(provider, operation, dialect)
  if (spoken === undefined) throw problem('api_not_implemented')
  const upstream = checkedUpstream(input)
  const isConverted = spoken.dialect !== dialect
  const addressedTo = isConverted ? converted(input, spoken) : addressed(input, spoken)
  const outgoing = changeBody(addressedTo, { input, upstream, spoken, isConverted })
  const body = isConverted ? Buffer.from(JSON.stringify(outgoing.body)) : encodeBody(input.ask, outgoing.body)
  const url = spoken.url(outgoing, upstream)
  const headers = {
    'content-type': 'application/json',
    accept: isStream ? 'text/event-stream' : 'application/json',
    ...provider.sign(upstream, outgoing),
  }
  const sealed = provider.seal?.({ url, headers, body }, upstream, input.nowMs ?? 0)
  return { url, headers: { ...headers, ...sealed }, body, model: outgoing.model, isStream, spoken }
}

function checkedUpstream({ provider, upstream }: AttemptInput): Upstream {
  provider.credentials.check(upstream.key)
  const baseUrl = upstream.baseUrl === '' ? provider.baseUrl : upstream.baseUrl
  if (baseUrl === undefined) throw problem('channel_base_url_missing')
  return baseUrl === upstream.baseUrl ? upstream : { ...upstream, baseUrl }
}

/** The ask under the upstream's name of the model. One dialect names both in the address instead of the body. */
function addressed({ operation, model, isStream, query, ask }: AttemptInput, { dialect }: Spoken): Outgoing {
  const changes: Record<string, unknown> = {}
  const isInBody = dialect !== 'gemini'
  if (isInBody && ask.body['model'] !== model) changes['model'] = model
  if (isInBody && ask.isStream !== isStream) changes['stream'] = isStream
  return { operation, model, isStream, query, body: { ...ask.body, ...changes } }
}

/** Models that must be told a limit, when nobody told one. */
const OUTPUT_TOKENS_DEFAULT = 8192

/** The conversation in the words of the provider. Throws `not_expressible` for what it has no words for. */
function converted(
  { operation, model, isStream, query, ...input }: AttemptInput,
  { codec }: Spoken,
): Outgoing {
  const conversation = input.conversation ?? openaiCaller.readConversation(input.ask.body, {})
  const refused = refusedFeature(conversation, codec.limits)
  if (refused !== undefined) throw problem('not_expressible', { feature: features[refused].words })
  const context = { outputTokensDefault: OUTPUT_TOKENS_DEFAULT }
  const body = codec.writeRequest({ ...conversation, model, isStream }, context)
  return { operation, model, isStream, query, body }
}

interface Setting {
  readonly input: AttemptInput
  readonly upstream: Upstream
  readonly spoken: Spoken
  readonly isConverted: boolean
}

function changeBody(addressed: Outgoing, { input, upstream, spoken, isConverted }: Setting): Outgoing {
  if (input.isPassThrough === true && !isConverted) return addressed
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
  if (spoken.dialect !== 'openai') return body
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
