/** A parsed JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses the object in `bytes`; `undefined` for anything else. */
export function parseObject(bytes: Buffer | string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

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
