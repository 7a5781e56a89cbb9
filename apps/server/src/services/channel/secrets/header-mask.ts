import { type FieldMask, isTemplate, type JsonObject, mapMembers, MASK, nothingBehind } from './mask.ts'

/** Header names stay visible, their values do not, unless they are templates alone. */
export const headerMask: FieldMask = {
  hide: (stored) => mapMembers(stored, (value, name) => (isHidden(name, value) ? MASK : value)),
  restore: (sent, stored) =>
    mapMembers(sent, (value, name) => (value === MASK ? storedValue(name, stored) : value)),
}

/** `*` and `re:…` are rules which headers of the caller go on; their values mean nothing. */
function isHidden(name: string, value: unknown): boolean {
  if (name === '*' || name.startsWith('re:') || value === '' || value === null) return false
  return typeof value !== 'string' || !isTemplate(value)
}

/** Names of headers mean the same in any case. */
function storedValue(name: string, stored: JsonObject): unknown {
  const same = Object.hasOwn(stored, name)
    ? name
    : Object.keys(stored).find((other) => other.toLowerCase() === name.toLowerCase())
  return same === undefined ? nothingBehind(name) : stored[same]
}
