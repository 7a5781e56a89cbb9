import { isRecord, type JsonObject } from '@tollgate/kit/json'

export { isRecord, type JsonObject, parseObject } from '@tollgate/kit/json'

export function recordAt(object: JsonObject, name: string): Record<string, unknown> | undefined {
  const value = object[name]
  return isRecord(value) ? value : undefined
}

const NONE: readonly Record<string, unknown>[] = []

/** Returns the objects of a list; items of other types are left out. */
export function recordsAt(object: JsonObject, name: string): readonly Record<string, unknown>[] {
  const value = object[name]
  return Array.isArray(value) ? value.filter(isRecord) : NONE
}

/** Returns a list whatever its items; an empty one for anything else. */
export function listAt(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name]
  return Array.isArray(value) ? value : NONE
}

/** Returns a member that is a non-empty string. */
export function textAt(object: JsonObject, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A character as the escape sequence of a JSON string. */
export function escapedCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
