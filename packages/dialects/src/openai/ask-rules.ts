import { problem } from '@tollgate/problems/problem'
import type { JsonObject } from '../json.ts'

/** In all readers here `null` means "not set", as it does for the vendors. */
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
