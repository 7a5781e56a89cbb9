import { z } from 'zod'

/** What every `/api` route answers. A business failure is HTTP 200 with `success: false`, unless its problem says otherwise. */
export interface Success<Data> {
  readonly success: true
  readonly message: string
  readonly data: Data
}

export interface Failure {
  readonly success: false
  readonly message: string
  /** Ours: names the problem in every language, as listed in the reference of errors. */
  readonly code: string
}

export const failureSchema = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string().optional(),
})

/** `{success, message, data}` plus the top-level keys of a route that has some. */
export function successSchema(data: z.ZodType, extra?: z.ZodObject): z.ZodObject {
  return z.object({ success: z.literal(true), message: z.string(), data, ...extra?.shape })
}

/** The two answers of routes whose envelope says in words how it went. */
export function wordSchemas(data: z.ZodType, extra?: z.ZodObject): readonly [z.ZodObject, z.ZodObject] {
  return [
    z.object({ message: z.literal('success'), data, ...extra?.shape }),
    z.object({ message: z.literal('error'), data: z.string(), code: z.string().optional() }),
  ]
}

/** Quota units on the wire: an integer, exact up to 2^53. Negative only while a debt is open. */
export const quotaSchema = z.int()
/** The last second of the year 9999: a larger date that somebody chose is milliseconds by mistake, and would never come. */
export const UNIX_SECONDS_MAX = 253_402_300_799
/** Whole seconds since the epoch. */
export const unixSecondsSchema = z.int()
