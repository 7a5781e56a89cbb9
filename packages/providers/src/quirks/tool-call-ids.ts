import { createHash } from 'node:crypto'
import { isRecord } from '@tollgate/dialects/json'
import type { RequestQuirk } from '../provider.ts'
import { onMessages } from './messages.ts'

const ACCEPTED = /^[a-zA-Z0-9]{9}$/

/**
 * The vendor accepts only ids of nine letters and digits. Other ids are replaced, in calls and results alike.
 */
export const shortToolCallIds: RequestQuirk = onMessages((message) => {
  const result = shortened(message, 'tool_call_id')
  const calls: unknown = message['tool_calls']
  if (!Array.isArray(calls)) return result
  const changed = calls.map((call: unknown) => (isRecord(call) ? shortened(call, 'id') : call))
  return changed.some((call, index) => call !== calls[index]) ? { ...result, tool_calls: changed } : result
})

function shortened(
  object: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const id = object[name]
  if (typeof id !== 'string' || ACCEPTED.test(id)) return object
  return { ...object, [name]: createHash('sha256').update(id).digest('hex').slice(0, 9) }
}
