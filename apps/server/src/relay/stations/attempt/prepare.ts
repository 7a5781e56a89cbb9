import { forwardedToVendor } from '@tollgate/dialects/canonical/headers'
import type { Ask } from '@tollgate/dialects/dialect'
import { withSystemPrompt, type Prompted } from '@tollgate/dialects/system-prompt'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import { problem } from '@tollgate/problems/problem'
import type { KnownSignatures } from '@tollgate/providers/define/call-signatures'
import type { FetchedMedia } from '@tollgate/providers/define/media'
import { withChanges } from '@tollgate/providers/override/override'
import { prepareAttempt, type PreparedAttempt } from '@tollgate/providers/prepare'
import type { Upstream } from '@tollgate/providers/provider'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import type { Route } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { queryOf } from '../../query-of.ts'
import type { ChannelLessons } from '../../lessons/channel-lessons.ts'
import type { Choice } from '../route/choice.ts'
import { overrideHeaders } from './override-headers.ts'

export interface Prepared extends PreparedAttempt {
  readonly origin: string
  /** Path and query of the request to the upstream. */
  readonly path: string
  readonly isSystemPromptOverwritten: boolean
  /** The lessons applied to the request; absent where learning is off. */
  readonly lessons: readonly LessonName[] | undefined
  /** The vendor's name of the model; lessons are stored by it. */
  readonly lessonModel: string
  readonly isPassThrough: boolean
}

export interface PrepareOptions {
  readonly forcesUsage: boolean
  readonly nowMs: number
  /** When absent, no lessons are applied. */
  readonly lessons?: Pick<ChannelLessons, 'inForce'>
  readonly accessToken?: string
  readonly media?: FetchedMedia
  readonly signatures?: KnownSignatures
}

/** Prepares everything that one attempt sends, and where. Throws as `prepareAttempt` does. */
export function prepare(held: Held, choice: Choice, options: PrepareOptions): Prepared {
  const { channel } = choice
  const { candidates, settings } = held
  const isPassThrough = settings.isPassThrough || channel.settings.passesBody
  const { ask, isOverwritten } = isPassThrough ? untold(held.ask) : prompted(held, channel)
  const { headers: callersHeaders } = held.call.request
  const model = upstreamModel(channel, { asked: ask.model, offered: candidates.model })
  if (model === undefined) throw problem('channel_mapping_circular', { model: ask.model })
  const lessons = options.lessons && lessonsFor(options.lessons.inForce(channel, model), choice)
  const prepared = prepareAttempt({
    provider: channel.provider,
    upstream: upstreamOf(choice, options.accessToken),
    operation: held.operation.wire,
    ask,
    model,
    isStream: ask.isStream && channel.settings.canStream,
    parameterOverride: channel.parameterOverride,
    query: queryOf(held.call.request.url ?? ''),
    claude: settings.claude,
    gemini: settings.gemini,
    callerHeaders: forwardedToVendor(callersHeaders, held.operation.wire),
    requestHeaders: callersHeaders,
    forcesUsage: options.forcesUsage,
    nowMs: options.nowMs,
    ...(options.media && { media: options.media }),
    ...(options.signatures && { signatures: options.signatures }),
    ...(lessons && { lessons }),
    isPassThrough,
  })
  const { passed, set } = overrideHeaders(channel.headerRules, {
    apiKey: channel.keys[choice.keyIndex] ?? '',
    caller: callersHeaders,
  })
  // A signed address is used only once, so it is not cached.
  const isSigned = channel.provider.signUrl !== undefined
  return {
    ...prepared,
    isSystemPromptOverwritten: isOverwritten,
    lessons,
    lessonModel: model,
    isPassThrough,
    ...(isSigned ? takenApart(prepared.url) : destinationOf(prepared.url)),
    headers: withChanges({ ...passed, ...prepared.headers, ...set }, prepared.headerChanges),
  }
}

function lessonsFor(inForce: readonly LessonName[], { lesson }: Choice): readonly LessonName[] {
  return lesson === undefined ? inForce : [...inForce, lesson]
}

/** Adds the channel's system prompt to the request. */
function prompted({ operation, ask }: Held, { settings }: RosterChannel): Prompted {
  const { systemPrompt } = settings
  return systemPrompt === undefined ? untold(ask) : withSystemPrompt(operation.wire, ask, systemPrompt)
}

function untold(ask: Ask): Prompted {
  return { ask, isOverwritten: false }
}

/** What later stations need to know about the attempt whose response is delivered. */
export function routeOf({ channel }: Choice, prepared: Prepared): Route {
  const { model, isSystemPromptOverwritten, overrideNotes, serviceTier } = prepared
  const tier = serviceTier !== undefined && { serviceTier }
  return { channel, upstreamModel: model, isSystemPromptOverwritten, overrideNotes, ...tier }
}

/** Credential and destination come only from the stored channel. */
export function upstreamOf({ channel, keyIndex }: Choice, accessToken?: string): Upstream {
  return {
    channelId: channel.id,
    type: channel.type,
    baseUrl: channel.baseUrl,
    key: channel.keys[keyIndex] ?? '',
    other: channel.other,
    organization: channel.organization,
    createdTime: channel.createdTime,
    settings: channel.settings,
    accessToken,
  }
}

/**
 * The mapping may contain the model name as the caller wrote it, including the prefix, or as the channel
 * offers it. `undefined` when the mapping is circular.
 */
export function upstreamModel(
  { modelMapping }: RosterChannel,
  names: { asked: string; offered: string },
): string | undefined {
  for (const name of [names.asked, names.offered]) if (modelMapping.has(name)) return modelMapping.get(name)
  return names.offered
}

interface Destination {
  readonly origin: string
  readonly path: string
}

const destinations = new Map<string, Destination>()
const DESTINATIONS_MAX = 2_000

/** Cached, because there are few channels and their addresses repeat. */
function destinationOf(url: string): Destination {
  const known = destinations.get(url)
  if (known) return known
  const destination = takenApart(url)
  if (destinations.size >= DESTINATIONS_MAX) destinations.clear()
  destinations.set(url, destination)
  return destination
}

function takenApart(url: string): Destination {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}
