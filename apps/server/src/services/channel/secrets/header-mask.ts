import type { JsonObject } from '@tollgate/kit/json'
import { type FieldMask, isTemplate, mapMembers, MASK, rejectUnknownMask } from './mask.ts'

/** Header names are shown; their values are masked unless they consist of a template. */
export const headerMask: FieldMask = {
  hide: (stored) => mapMembers(stored, (value, name) => (isHidden(name, value) ? MASK : value)),
  restore: (sent, stored) =>
    mapMembers(sent, (value, name) => (value === MASK ? storedValue(name, stored) : value)),
}

/** `*` and `re:…` are rules that forward headers of the caller; their values have no meaning. */
function isHidden(name: string, value: unknown): boolean {
  if (name === '*' || name.startsWith('re:') || value === '' || value === null) return false
  return typeof value !== 'string' || !isTemplate(value)
}

/** Header names are case-insensitive. */
function storedValue(name: string, stored: JsonObject): unknown {
  const same = Object.hasOwn(stored, name)
    ? name
    : Object.keys(stored).find((other) => other.toLowerCase() === name.toLowerCase())
  return same === undefined ? rejectUnknownMask(name) : stored[same]
}
