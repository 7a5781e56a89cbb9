import { problem } from '@tollgate/kit/problem'

/** Stands for a stored value in answers. Sent back in the same place it keeps what is stored there. */
export const MASK = '***'

export type JsonObject = Readonly<Record<string, unknown>>

/** Which values of one JSON field are secret, and how a masked field that comes back is completed. */
export interface FieldMask {
  hide(stored: JsonObject): JsonObject
  /** Throws `channel_masked_value` for a mask where nothing is stored. */
  restore(sent: JsonObject, stored: JsonObject): JsonObject
}

/** `field` is what the operator sees: the name of a header, `proxy`. */
export function nothingBehind(field: string): never {
  throw problem('channel_masked_value', { field: field.slice(0, 100) })
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    // Not JSON: what an import kept, or what the check of the field refuses.
    return undefined
  }
}

export function mapMembers(
  object: JsonObject,
  change: (value: unknown, name: string) => unknown,
): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))
}

const TEMPLATE = /^(?:[A-Za-z][\w-]{0,20} )?\{(?:api_key|client_header:[^{}]*)\}$/

/** `Bearer {api_key}` says which value is sent, and holds none itself. */
export function isTemplate(text: string): boolean {
  return TEMPLATE.test(text)
}
