import { problem } from '@tollgate/problems/problem'
import { isRecord, type JsonObject } from '../json.ts'
import type { Raw } from './raw.ts'

/**
 * Helpers that read callers' bodies: `null` means "not set", and a member of the wrong type is the caller's
 * error.
 */

export function numberOf(body: JsonObject, param: string): number | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value
  throw problem('member_invalid', { param })
}

export function recordOf(body: JsonObject, param: string): JsonObject | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || isRecord(value)) return value
  throw problem('member_invalid', { param })
}

/** Reads a list of objects; any other item in it is the caller's error. */
export function recordsOf(body: JsonObject, param: string): readonly JsonObject[] {
  const value = body[param] ?? undefined
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isRecord)) return value
  throw problem('member_invalid', { param })
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
  const value = body[param] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw problem('member_invalid', { param })
}

export function textOf(body: JsonObject, param: string): string | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  throw problem('member_invalid', { param })
}

export function wholeNumber(
  body: JsonObject,
  param: string,
  bounds: { readonly min: number; readonly max: number },
): number | undefined {
  const value = body[param] ?? undefined
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw problem('member_invalid', { param })
  if (!Number.isInteger(value) || value < bounds.min || value > bounds.max) {
    throw problem('member_out_of_range', { param, ...bounds })
  }
  return value
}

export function listAtMost(body: JsonObject, param: string, max: number): readonly unknown[] | undefined {
  const value = body[param] ?? undefined
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw problem('member_invalid', { param })
  if (value.length > max) throw problem('member_too_long', { param, max })
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
