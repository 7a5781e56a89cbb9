import { editedAsk } from '@tollgate/dialects/ask-edit'
import type { Ask } from '@tollgate/dialects/dialect'
import { isRecord } from '@tollgate/dialects/json'

/**
 * The members of a message that upstreams know. Consoles written for new-api add ids and times of their own,
 * which some upstreams refuse.
 */
const OF_A_MESSAGE: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'reasoning_content',
])

/** Removes from a playground request the members that are only meant for the console. */
export function playgroundAsk(ask: Ask): Ask {
  const { group, messages } = ask.body
  const isForeign = Array.isArray(messages) && messages.some(hasForeign)
  if (group === undefined && !isForeign) return ask
  return editedAsk(ask, { set: isForeign ? { messages: messages.map(known) } : {}, remove: ['group'] })
}

function hasForeign(message: unknown): boolean {
  return isRecord(message) && Object.keys(message).some((name) => !OF_A_MESSAGE.has(name))
}

function known(message: unknown): unknown {
  if (!isRecord(message)) return message
  return Object.fromEntries(Object.entries(message).filter(([name]) => OF_A_MESSAGE.has(name)))
}
