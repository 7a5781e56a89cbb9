import { parseObject } from '@tollgate/kit/json'

/**
 * The members of a JSON object in a text; empty for anything else. `__proto__`, `constructor` and `prototype`
 * are dropped.
 */
export function jsonMembers(text: string): readonly (readonly [string, unknown])[] {
  // The text was validated when it was stored; invalid text left by an older release counts as not set.
  return Object.entries(parseObject(text) ?? {}).filter(([name]) => !DROPPED_NAMES.has(name))
}

const DROPPED_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(jsonMembers(text))
}
