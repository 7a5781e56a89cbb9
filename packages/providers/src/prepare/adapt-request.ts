import { isConversation } from '@tollgate/dialects/conversations'
import { isRecord } from '@tollgate/dialects/json'
import { listSeals } from '@tollgate/dialects/seals/seals'
import type { ChannelSettings } from '../channel-settings.ts'
import type { Found } from '../define/needs.ts'
import { droppedBetween } from '../dropped.ts'
import { openDraft } from '../override/override.ts'
import type { Endpoint, Outgoing } from '../provider.ts'
import { inAcceptedForm, withoutLearnedRestrictions, withRoleOfHost } from '../fit/accepted-form.ts'
import { limitStops } from '../fit/stop-limits.ts'
import { limitStrings } from '../fit/string-limits.ts'
import { withContinuedTurn } from '../repair/continued-turn.ts'
import { fitThinking } from '../fit/thinking-rules.ts'
import { fitTurnOrder } from '../fit/turn-order.ts'
import { withoutForeignSeals } from '../fit/seals.ts'
import type { AttemptInput, AttemptWithTraits } from './attempt-input.ts'

export interface AdaptedRequest {
  readonly outgoing: Outgoing
  /** Headers that the override adds or removes, applied after all others. */
  readonly headerChanges: Readonly<Record<string, string | undefined>>
  /** Override edits that change the upstream's charge, described for operators. */
  readonly overrideNotes: readonly string[]
  /** Signatures and encrypted reasoning in the request, where it may have some and they could be taken out. */
  readonly sentSeals: readonly string[]
}

const NOTHING_MORE = { headerChanges: {}, overrideNotes: [], sentSeals: [] }

/**
 * Changes a request into the form that its upstream and model accept, then removes the members that the
 * operator does not allow, and last applies the channel's parameter override.
 */
export function adaptRequest(
  addressed: Outgoing,
  input: AttemptWithTraits & Pick<Found, 'reasoning'>,
  endpoint: Endpoint,
): AdaptedRequest {
  const { upstream } = input
  if (input.isPassThrough === true) return { outgoing: addressed, ...NOTHING_MORE }
  const { baseUrl = '' } = input.provider
  const host = { provider: input.provider, address: upstream.baseUrl === '' ? baseUrl : upstream.baseUrl }
  const readable = withoutForeignSeals(addressed, input.seals)
  const formed = inAcceptedForm(withRoleOfHost(withContinuedTurn(readable), host))
  const quirked = endpoint.quirks.reduce((outgoing, quirk) => quirk(outgoing, upstream), formed)
  const wired = { ...host, dialect: endpoint.dialect }
  const limited = limitStops(limitStrings(fitThinking(fitTurnOrder(quirked), input.reasoning), wired), wired)
  const adapted = withoutLearnedRestrictions(limited, input.learned)
  const allowed = { ...adapted, body: withoutForbidden(adapted.body, upstream.settings) }
  const draft = openDraft(streamOptions(allowed, input, endpoint), input.requestHeaders)
  const { body, headers: headerChanges, notes: overrideNotes } = input.parameterOverride?.(draft) ?? draft
  const model = typeof body['model'] === 'string' ? body['model'] : adapted.model
  // Only conversations are compared, because quirks of other operations move members to other places in the
  // body.
  const removed = isConversation(addressed.operation) ? droppedBetween(readable.body, allowed.body) : []
  const dropped = [...(adapted.dropped ?? []), ...removed]
  const sentSeals = input.seals === undefined ? [] : listSeals(adapted.operation, body)
  return { outgoing: { ...adapted, model, body, dropped }, headerChanges, overrideNotes, sentSeals }
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

/**
 * Members that change what the upstream charges, stores or learns about the user, and the setting of the
 * channel that decides whether they are passed on.
 */
const guarded = [
  ['service_tier', 'allowsServiceTier'],
  ['serviceTier', 'allowsServiceTier'],
  ['inference_geo', 'allowsInferenceGeo'],
  ['speed', 'allowsSpeed'],
  ['safety_identifier', 'allowsSafetyIdentifier'],
  ['store', 'allowsStore'],
] as const

function withoutForbidden(body: Body, settings: ChannelSettings): Body {
  let rest = body
  for (const [member, allowed] of guarded) if (!settings[allowed]) rest = without(rest, member)
  return rest
}

function without(body: Body, name: string): Body {
  if (!Object.hasOwn(body, name)) return body
  const { [name]: _dropped, ...rest } = body
  return rest
}
