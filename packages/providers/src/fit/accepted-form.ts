import { withJoinedTexts } from '@tollgate/dialects/openai/chat/joined-texts'
import { withSystemPlaces } from '@tollgate/dialects/openai/chat/system-places'
import { isRecord, type JsonObject } from '@tollgate/dialects/json'
import { joinRepairs } from '@tollgate/dialects/canonical/repairs'
import type { ModelTraits, SystemRole } from '@tollgate/dialects/traits/model-traits'
import type { Outgoing, Provider } from '../provider.ts'
import { omit, type Body } from '../quirks/body.ts'
import { withWholeTexts } from '../repair/well-formed.ts'
import { withoutLearnedInputs } from './extra-inputs.ts'
import { otherLimit, swapRole } from './lesson-effect.ts'
import { withShortDescriptions } from './tool-descriptions.ts'

/**
 * Only OpenAI itself is known to accept system messages at any position. For other upstreams a conversion
 * moves them.
 */
export function withSystemPlacement(traits: ModelTraits, address: string): ModelTraits {
  if (traits.systemMessages !== undefined) return traits
  return { ...traits, systemMessages: isOpenAi(address) ? 'anywhere' : 'reminders' }
}

const OPENAI = /(?:^|\.)(?:api\.openai|openai\.azure|cognitiveservices\.azure)\.com$/

function isOpenAi(address: string): boolean {
  return URL.canParse(address) && OPENAI.test(new URL(address).hostname)
}

export interface UpstreamHost {
  readonly provider: Pick<Provider, 'hostsOpenAi'>
  readonly address: string
}

/** Whether OpenAI's own models and rules are behind the address. */
export function isOpenAiHost({ provider, address }: UpstreamHost): boolean {
  return provider.hostsOpenAi === true || isOpenAi(address)
}

/**
 * Gives the instructions of a chat completions request the role that its host takes. Hosts other than OpenAI's
 * and Azure's take `system` for every model; `developer` is what OpenAI's newer models call it.
 */
export function withRoleOfHost(outgoing: Outgoing, host: UpstreamHost): Outgoing {
  const { traits = {}, operation, body } = outgoing
  if (operation !== 'chat') return outgoing
  const role = traits.systemRole ?? (isOpenAiHost(host) ? traits.vendorSystemRole : 'system')
  const changed = withRole(body, role)
  return changed === body ? outgoing : { ...outgoing, body: changed }
}

/**
 * Rewrites the messages of a chat completions request as the channel requires. The original bytes are kept
 * when nothing changes.
 */
export function inAcceptedForm(outgoing: Outgoing): Outgoing {
  const { traits = {}, operation, body } = outgoing
  const { systemMessages = 'anywhere', joinedTexts = false } = traits
  if (operation !== 'chat' || (systemMessages === 'anywhere' && !joinedTexts)) return outgoing
  const given: unknown = body['messages']
  if (!Array.isArray(given) || !given.every(isRecord)) return outgoing
  const messages = formed(given, { systemMessages, joinedTexts })
  const isSame = messages.length === given.length && messages.every((each, at) => each === given[at])
  return isSame ? outgoing : { ...outgoing, body: { ...body, messages } }
}

function formed(
  given: readonly JsonObject[],
  { systemMessages, joinedTexts }: Required<Pick<ModelTraits, 'systemMessages' | 'joinedTexts'>>,
): readonly JsonObject[] {
  const placed = withSystemPlaces(given, systemMessages)
  return joinedTexts ? placed.map(withJoinedTexts) : placed
}

/**
 * Removes from a body what earlier errors showed that the model refuses, whatever the provider's definition
 * says. An output limit moves to its other name (`max_tokens` or `max_completion_tokens`) with its value.
 */
export function withoutLearnedRestrictions(outgoing: Outgoing, learned: ModelTraits): Outgoing {
  const { refuses = [], outputLimit, systemRole } = learned
  const taken = withoutLearnedInputs(outgoing, learned)
  const omitted = omit(taken.body, ...refuses, ...(refuses.includes('logprobs') ? ['top_logprobs'] : []))
  const named =
    outgoing.operation === 'chat' ? withRole(withLimit(omitted, outputLimit), systemRole) : omitted
  const described = withDescriptions(named, outgoing.operation, learned)
  const whole = learned.wholeTexts === true ? withWholeTexts(described) : described
  if (whole === taken.body) return taken
  const repairs = joinRepairs(
    taken.repairs,
    described === named ? [] : ['moved_descriptions'],
    whole === described ? [] : ['whole_characters'],
  )
  return { ...taken, body: whole, ...(repairs.length > 0 && { repairs }) }
}

function withDescriptions(
  body: Body,
  operation: Outgoing['operation'],
  { toolDescription }: ModelTraits,
): Body {
  if (toolDescription === undefined || (operation !== 'chat' && operation !== 'responses')) return body
  return withShortDescriptions(body, toolDescription)
}

function withLimit(body: Body, name: ModelTraits['outputLimit']): Body {
  if (name === undefined) return body
  const other = otherLimit(name)
  if ((body[other] ?? undefined) === undefined) return body
  return { ...omit(body, other), [name]: smallerOf(body[name] ?? body[other], body[other]) }
}

/** The hold is computed from the smaller of the two limits, so that is the one to send. */
function smallerOf(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? Math.min(left, right) : left
}

/** Only the first message becomes `developer`, because later system messages are reminders of an agent. */
function withRole(body: Body, role: SystemRole | undefined): Body {
  const messages: unknown = body['messages']
  if (role === undefined || !Array.isArray(messages)) return body
  const other = swapRole(role)
  const changeable = role === 'system' ? messages : messages.slice(0, 1)
  if (!changeable.some((message: unknown) => isRecord(message) && message['role'] === other)) return body
  const renamed = changeable.map((message: unknown) =>
    isRecord(message) && message['role'] === other ? { ...message, role } : message,
  )
  return { ...body, messages: [...renamed, ...messages.slice(renamed.length)] }
}
