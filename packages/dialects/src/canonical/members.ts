import { problem } from '@tollgate/kit/problem'
import { isRecord, type JsonObject } from '../json.ts'
import type { Raw } from './raw.ts'

/** How callers' bodies are read: `null` means "not told", and a member of another type is the caller's mistake. */

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

/** The objects of a list; anything else in it is the caller's mistake. */
export function recordsOf(body: JsonObject, param: string): readonly JsonObject[] {
  const value = body[param] ?? undefined
  if (value === undefined) return []
  if (Array.isArray(value) && value.every(isRecord)) return value
  throw problem('member_invalid', { param })
}

/** One text, or a list of texts. */
export function textsOf(body: JsonObject, param: string): readonly string[] {
  const value = body[param] ?? undefined
  if (value === undefined) return []
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw problem('member_invalid', { param })
}

/** The members nobody has read, for the dialect they came in; `undefined` when there are none. */
export function unknownMembers(
  object: JsonObject,
  known: ReadonlySet<string>,
  dialect: Raw['dialect'],
): Raw<JsonObject> | undefined {
  const rest = Object.entries(object).filter(([name]) => !known.has(name))
  return rest.length === 0 ? undefined : { dialect, value: Object.fromEntries(rest) }
}
