import { withSystemPlaces } from '@tollgate/dialects/openai/chat/system-places'
import { withJoinedTexts } from '@tollgate/dialects/openai/chat/joined-texts'
import { isRecord, recordsAt, type JsonObject } from '@tollgate/dialects/json'
import { traitsTaught, type LessonName } from '@tollgate/dialects/traits/lessons'
import { withWholeTexts } from '../repair/well-formed.ts'
import { withoutInput } from './extra-inputs.ts'
import { withShortDescriptions } from './tool-descriptions.ts'
import type { RefusableMember, SystemRole } from '@tollgate/dialects/traits/model-traits'

/**
 * Whether applying a lesson (a model restriction learned from an error) would change the refused body. A
 * member counts only if its value is in the documented range: a vendor may refuse `"temperature": 9` because
 * of the value, which says nothing about the model.
 */
export function wouldChange(body: JsonObject, name: LessonName): boolean {
  if (name === 'responses:false') return !namesStored(body)
  if (name === 'tool_description:1024') return withShortDescriptions(body, 1024) !== body
  if (name === 'whole_texts:true') return withWholeTexts(body) !== body
  if (name === 'streams:always') return body['stream'] !== true
  const {
    refuses: [member] = [],
    refusedInputs: [input] = [],
    outputLimit,
    systemRole,
  } = traitsTaught([name])
  if (input !== undefined) return withoutInput(body, input) !== body
  if (member !== undefined) return isOrdinary(body, member)
  if (outputLimit !== undefined) return isCount(body[otherLimit(outputLimit)])
  const messages = recordsAt(body, 'messages')
  if (systemRole !== undefined) return messages.some(({ role }) => role === swapRole(systemRole))
  if (name === 'joined_texts:true') return messages.some((message) => withJoinedTexts(message) !== message)
  return withSystemPlaces(messages, 'reminders') !== messages
}

/**
 * Members of a Responses request, of its input and of its tools that refer to objects stored at the vendor.
 */
const STORED_AT_TOP = ['previous_response_id', 'conversation', 'prompt', 'thread']
const STORED_INSIDE = /"(?:file_id|container|container_id|connector_id)":"|"(?:file_ids|vector_store_ids)":\[/
/**
 * With `store: false`, items may have ids, but only an `item_reference` is looked up. Otherwise every id may
 * refer to a stored item.
 */
const REFERENCE = /"type":"item_reference"/
const ITEM_ID = /"id":"/

/**
 * Vendors also answer 404 when a stored object that the request refers to is missing. Such a 404 does not
 * show that the endpoint is missing.
 */
function namesStored({ input, tools, store, ...rest }: JsonObject): boolean {
  if (STORED_AT_TOP.some((member) => (rest[member] ?? undefined) !== undefined)) return true
  const inside = JSON.stringify([input, tools])
  return STORED_INSIDE.test(inside) || (store === false ? REFERENCE : ITEM_ID).test(inside)
}

export function otherLimit(name: 'max_tokens' | 'max_completion_tokens'): string {
  return name === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
}

export function swapRole(role: SystemRole): SystemRole {
  return role === 'system' ? 'developer' : 'system'
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value > 0
}

const ranges: Readonly<
  Record<Exclude<RefusableMember, 'logit_bias' | 'logprobs'>, readonly [min: number, max: number]>
> = {
  temperature: [0, 1],
  top_p: [0, 1],
  top_k: [1, 1000],
  frequency_penalty: [-2, 2],
  presence_penalty: [-2, 2],
}

function isOrdinary(body: JsonObject, member: RefusableMember): boolean {
  if (member === 'logit_bias') return isRecord(body[member])
  if (member === 'logprobs') return body[member] === true || isCount(body['top_logprobs'])
  const value = body[member]
  const [min, max] = ranges[member]
  return typeof value === 'number' && value >= min && value <= max
}
