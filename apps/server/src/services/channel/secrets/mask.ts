import type { JsonObject } from '@tollgate/kit/json'
import { problem } from '@tollgate/problems/problem'

/**
 * Stands for a stored value in responses. If a client sends the mask back in the same place, the stored value
 * is kept.
 */
export const MASK = '***'

/** Decides which values of a JSON field are secret, and restores them when the masked field is sent back. */
export interface FieldMask {
  hide(stored: JsonObject): JsonObject
  /** Throws `channel_masked_value` if nothing is stored for a mask. */
  restore(sent: JsonObject, stored: JsonObject): JsonObject
}

/** `field` is the name that the operator sees: a header name, or `proxy`. */
export function rejectUnknownMask(field: string): never {
  throw problem('channel_masked_value', { field: field.slice(0, 100) })
}

export function mapMembers(
  object: JsonObject,
  change: (value: unknown, name: string) => unknown,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}

const TEMPLATE = /^(?:[A-Za-z][\w-]{0,20} )?\{(?:api_key|client_header:[^{}]*)\}$/

/** `Bearer {api_key}` describes the value that is sent but contains no secret itself. */
export function isTemplate(text: string): boolean {
  return TEMPLATE.test(text)
}
