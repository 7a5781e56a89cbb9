import { withJoinedTexts } from '@tollgate/dialects/openai/chat/joined-texts'
import { withSystemPlaces } from '@tollgate/dialects/openai/chat/system-places'
import { isRecord, type JsonObject } from '@tollgate/dialects/json'
import type { ModelTraits } from '@tollgate/dialects/traits/model-traits'
import type { Outgoing } from '../provider.ts'
import { omit, type Body } from '../quirks/body.ts'
import { otherLimit } from './lesson-effect.ts'

/** Only OpenAI itself is known to take system messages anywhere; for others a conversion places them. */
export function placedBy(traits: ModelTraits, address: string): ModelTraits {
  if (traits.systemMessages !== undefined) return traits
  return { ...traits, systemMessages: isOpenAi(address) ? 'anywhere' : 'reminders' }
}

const OPENAI = /(?:^|\.)(?:api\.openai|openai\.azure|cognitiveservices\.azure)\.com$/

function isOpenAi(address: string): boolean {
  return URL.canParse(address) && OPENAI.test(new URL(address).hostname)
}

/** The messages of a caller of chat completions in the form that its channel asks for; bytes stay unless it does. */
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
 * A body without what its model was found to refuse, whatever its provider knows of the model. The bound on output keeps
 * its value under the other name.
 */
export function withoutLearned(outgoing: Outgoing, learned: ModelTraits): Outgoing {
  const { refuses = [], outputLimit, systemRole } = learned
  const omitted = omit(outgoing.body, ...refuses, ...(refuses.includes('logprobs') ? ['top_logprobs'] : []))
  const named =
    outgoing.operation === 'chat' ? withRole(withLimit(omitted, outputLimit), systemRole) : omitted
  return named === outgoing.body ? outgoing : { ...outgoing, body: named }
}

function withLimit(body: Body, name: ModelTraits['outputLimit']): Body {
  if (name === undefined) return body
  const other = otherLimit(name)
  if ((body[other] ?? undefined) === undefined) return body
  return { ...omit(body, other), [name]: smallerOf(body[name] ?? body[other], body[other]) }
}

/** The hold counts with the smaller of two bounds. */
function smallerOf(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? Math.min(left, right) : left
}

function withRole(body: Body, role: ModelTraits['systemRole']): Body {
  const given: unknown = body['messages']
  if (role !== 'system' || !Array.isArray(given)) return body
  const messages = given.map((message: unknown) =>
    isRecord(message) && message['role'] === 'developer' ? { ...message, role } : message,
  )
  return messages.every((each, at) => each === given[at]) ? body : { ...body, messages }
}
