import { problem } from '@tollgate/problems/problem'
import { isRecord, type JsonObject } from '../json.ts'
import type { Raw } from './raw.ts'

/**
 * Helpers that read callers' bodies: `null` means "not set", and a member of the wrong type is the caller's
 * error.
 */

function member<Value>(
  body: JsonObject,
  param: string,
  isExpected: (value: unknown) => value is Value,
): Value | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || isExpected(value)) return value
  throw problem('member_invalid', { param })
}

export function numberOf(body: JsonObject, param: string): number | undefined {
  return member(body, param, isFiniteNumber)
}

function isFiniteNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

export function recordOf(body: JsonObject, param: string): JsonObject | undefined {
  return member(body, param, isRecord)
}

/** Reads a list of objects; any other item in it is the caller's error. */
export function recordsOf(body: JsonObject, param: string): readonly JsonObject[] {
  return member(body, param, (value) => Array.isArray(value) && value.every(isRecord)) ?? []
}

/** Reads one text, or a list of texts. */
export function textsOf(body: JsonObject, param: string): readonly string[] {
  const value = body[param] ?? undefined
  if (value === undefined) return []
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw problem('member_invalid', { param })
}

export function flag(body: JsonObject, param: string): boolean | undefined {
  return member(body, param, (value) => typeof value === 'boolean')
}

export function textOf(body: JsonObject, param: string): string | undefined {
  return member(body, param, (value) => typeof value === 'string') || undefined
}

export function wholeNumber(
  body: JsonObject,
  param: string,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  const value = member(body, param, (given) => typeof given === 'number')
  if (value === undefined) return undefined
  if (!Number.isInteger(value) || value < bounds.min || value > bounds.max) {
    throw problem('member_out_of_range', { param, ...bounds })
  }
  return value
}

export function listAtMost(body: JsonObject, param: string, max: number): readonly unknown[] | undefined {
  const value = member(body, param, (given) => Array.isArray(given))
  if (value !== undefined && value.length > max) throw problem('member_too_long', { param, max })
  return value
}

/** Member names, written as words between white space. */
export function memberNames(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}

/** Collects the members that no reader knows, for the dialect they came in; `undefined` if there are none. */
export function unknownMembers(
  object: JsonObject,
  known: ReadonlySet<string>,
  dialect: Raw['dialect'],
): Raw<JsonObject> | undefined {
  const rest = Object.entries(object).filter(([name]) => !known.has(name))
  return rest.length === 0 ? undefined : { dialect, value: Object.fromEntries(rest) }
}
