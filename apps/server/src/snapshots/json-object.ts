/** The members of a JSON object in a text; empty for anything else. Names that reach into prototypes are dropped. */
export function jsonMembers(text: string): readonly (readonly [string, unknown])[] {
  if (text.trim() === '') return []
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // It was checked when it was stored; what an older release left behind counts as not set.
    return []
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).filter(([name]) => !DROPPED_NAMES.has(name))
}

const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(jsonMembers(text))
}
