import { isRecord, type JsonObject } from '@tollgate/dialects/json'
import type { ChunkAdjustment } from '@tollgate/dialects/openai/transform'
import { mapChoiceMessages } from './choices.ts'

/**
 * Adds the `type` of a tool call, which clients expect and Mistral leaves out.
 * https://docs.mistral.ai/api/#tag/chat
 */
export const typedCalls: ChunkAdjustment = {
  marks: ['"tool_calls"'],
  apply: (answer) => mapChoiceMessages(answer, typed),
}

function typed(message: JsonObject): JsonObject {
  const calls: unknown = message['tool_calls']
  if (!Array.isArray(calls) || calls.every(hasType)) return message
  return {
    ...message,
    tool_calls: calls.map((call: unknown) =>
      isRecord(call) && !hasType(call) ? { ...call, type: 'function' } : call,
    ),
  }
}

/** A later piece of a tool call has no name and needs no type. */
function hasType(call: unknown): boolean {
  if (!isRecord(call) || typeof call['type'] === 'string') return true
  const { function: called } = call
  return !isRecord(called) || typeof called['name'] !== 'string'
}
