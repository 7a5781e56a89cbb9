import { editedAsk } from '@tollgate/dialects/ask-edit'
import type { Ask } from '@tollgate/dialects/dialect'
import { isRecord } from '@tollgate/dialects/json'

/** What an upstream knows of a message; consoles of the family add ids and times of their own, which some refuse. */
const OF_A_MESSAGE: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'reasoning_content',
])

/** A call of a playground without the members that are the console's own. */
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
