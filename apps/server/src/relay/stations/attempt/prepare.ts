import { forwardedToVendor } from '@tollgate/dialects/canonical/headers'
import { editedAsk } from '@tollgate/dialects/ask-edit'
import type { Ask } from '@tollgate/dialects/dialect'
import { withSystemPrompt, type Prompted } from '@tollgate/dialects/system-prompt'
import type { LessonName } from '@tollgate/dialects/traits/lessons'
import { problem } from '@tollgate/problems/problem'
import type { Found, Needs } from '@tollgate/providers/define/needs'
import { withChanges } from '@tollgate/providers/override/override'
import { openAttempt, type PreparedAttempt, type SealRules } from '@tollgate/providers/prepare'
import type { Upstream } from '@tollgate/providers/provider'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'
import type { CallSeals } from '../../seals/call-seals.ts'
import { upstreamModel } from '../../upstream-model.ts'
import type { Route } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import { directOperations } from '../../operations/all.ts'
import { queryOf } from '../../query-of.ts'
import type { ChannelLessons } from '../../lessons/channel-lessons.ts'
import type { Choice } from '../route/choice.ts'
import { mapNames, readPath, replaceAt } from '../../naming-values.ts'
import { findSealAccount } from '../../seals/seal-account.ts'
import { mapFurtherName } from './answer-names.ts'
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
  /** When absent, no lessons are applied. */
  readonly lessons?: Pick<ChannelLessons, 'inForce'>
  readonly accessToken?: string | undefined
}

/** The request of an attempt, to be prepared once its needs were looked up. */
export interface OpenRequest {
  readonly needs: Needs
  readonly prepare: (found: Found) => Prepared
}

/** Begins to prepare everything that one attempt sends, and where. Throws as `openAttempt` does. */
export function openRequest(held: Held, choice: Choice, options: PrepareOptions): OpenRequest {
  const { channel } = choice
  const { candidates, settings } = held
  const isPassThrough = settings.isPassThrough || channel.settings.passesBody
  const named = isPassThrough ? held.ask : withMappedNames(held, channel)
  const { ask, isOverwritten } = isPassThrough ? untold(named) : prompted(held.operation, named, channel)
  const { headers: callersHeaders } = held.call.request
  const model = upstreamModel(channel, { asked: ask.model, offered: candidates.model })
  if (model === undefined) throw problem('channel_mapping_circular', { model: ask.model })
  const lessons = options.lessons && lessonsFor(options.lessons.inForce(channel, model), choice)
  const { needs, prepare } = openAttempt({
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
    ...(lessons && { lessons }),
    ...(held.seals && { seals: sealRules(held.seals, choice) }),
    isPassThrough,
  })
  return {
    needs,
    prepare: (found) => {
      const prepared = prepare(found)
      // A signed address is used only once, so it is not cached.
      const isSigned = channel.provider.signUrl !== undefined
      const { origin, path } = isSigned ? takenApart(prepared.url) : destinationOf(prepared.url)
      return {
        ...prepared,
        isSystemPromptOverwritten: isOverwritten,
        lessons,
        lessonModel: model,
        isPassThrough,
        origin,
        path,
        headers: headersFor(held, choice, prepared),
      }
    },
  }
}

/** The headers of the request with those of the channel's header rules. */
function headersFor(
  { call }: Held,
  { channel, keyIndex }: Choice,
  { headers, headerChanges }: PreparedAttempt,
): Prepared['headers'] {
  if (channel.headerRules.length === 0) return withChanges(headers, headerChanges)
  const apiKey = channel.keys[keyIndex] ?? ''
  const { passed, set } = overrideHeaders(channel.headerRules, { apiKey, caller: call.request.headers })
  return withChanges({ ...passed, ...headers, ...set }, headerChanges)
}

function sealRules(seals: CallSeals, { channel, keyIndex }: Choice): SealRules {
  return { isRemoved: seals.findRemoved(findSealAccount(channel, keyIndex)) }
}

function lessonsFor(inForce: readonly LessonName[], { lessons }: Choice): readonly LessonName[] {
  return lessons === undefined ? inForce : [...inForce, ...lessons]
}

/** Further models that the request names, by their names at this channel's vendor. */
function withMappedNames({ ask }: Held, channel: RosterChannel): Ask {
  const naming = ask.names?.naming ?? []
  if (naming.length === 0) return ask
  const map = (name: string) => mapFurtherName(channel, name)
  const body = naming.reduce(
    (changed, { path }) => replaceAt(changed, path, mapNames(readPath(changed, path), map)),
    ask.body,
  )
  const names = new Set(naming.flatMap(({ path: [top] }) => (typeof top === 'string' ? [top] : [])))
  const set = Object.fromEntries([...names].filter((name) => name in body).map((name) => [name, body[name]]))
  return editedAsk(ask, { set })
}

/** Adds the channel's system prompt to the request. */
function prompted({ wire }: Held['operation'], ask: Ask, { settings }: RosterChannel): Prompted {
  const { systemPrompt } = settings
  return systemPrompt === undefined ? untold(ask) : withSystemPrompt(wire, ask, systemPrompt)
}

function untold(ask: Ask): Prompted {
  return { ask, isOverwritten: false }
}

const withShortCache: ReadonlySet<string> = new Set(
  directOperations.filter(({ hasShortPromptCache }) => hasShortPromptCache).map(({ wire }) => wire),
)

/** What later stations need to know about the attempt whose response is delivered. */
export function routeOf({ channel }: Choice, prepared: Prepared): Route {
  const { model, isSystemPromptOverwritten, overrideNotes, serviceTier } = prepared
  const hasShortCache = withShortCache.has(prepared.operation)
  const route = { channel, upstreamModel: model, hasShortCache, isSystemPromptOverwritten, overrideNotes }
  return serviceTier === undefined ? route : { ...route, serviceTier }
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
