/**
 * The members of a JSON object in a text; empty for anything else. `__proto__`, `constructor` and `prototype`
 * are dropped.
 */
export function jsonMembers(text: string): readonly (readonly [string, unknown])[] {
  if (text.trim() === '') return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The text was validated when it was stored; invalid text left by an older release counts as not set.
    return []
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).filter(([name]) => !DROPPED_NAMES.has(name))
}

const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(jsonMembers(text))
}
