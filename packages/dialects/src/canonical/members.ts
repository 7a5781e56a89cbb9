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

/** Collects the members that no reader knows, for the dialect they came in; `undefined` if there are none. */
export function unknownMembers(
  object: JsonObject,
  known: ReadonlySet<string>,
  dialect: Raw['dialect'],
): Raw<JsonObject> | undefined {
  const rest = Object.entries(object).filter(([name]) => !known.has(name))
  return rest.length === 0 ? undefined : { dialect, value: Object.fromEntries(rest) }
}
