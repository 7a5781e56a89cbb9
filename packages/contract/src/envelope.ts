import { z } from 'zod'

/**
 * The response format of every `/api` route. A business failure is HTTP 200 with `success: false`, unless its
 * problem defines another status.
 */
export interface Success<Data> {
  readonly success: true
  readonly message: string
  readonly data: Data
}

export interface Failure {
  readonly success: false
  readonly message: string
  /** Tollgate only: problem code, independent of the language, as listed in the error reference. */
  readonly code: string
}

export const failureSchema = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string().optional(),
})

/** `{success, message, data}` plus the extra top-level members that some routes have. */
export function successSchema(data: z.ZodType, extra?: z.ZodObject): z.ZodObject {
  return z.object({ success: z.literal(true), message: z.string(), data, ...extra?.shape })
}

/** The two responses of routes whose envelope has `success` or `error` as its `message`. */
export function wordSchemas(data: z.ZodType, extra?: z.ZodObject): readonly [z.ZodObject, z.ZodObject] {
  return [
    z.object({ message: z.literal('success'), data, ...extra?.shape }),
    z.object({ message: z.literal('error'), data: z.string(), code: z.string().optional() }),
  ]
}

/** Quota units in JSON: an integer, exact up to 2^53. Negative only while a debt is open. */
export const quotaSchema = z.int()
/**
 * The last second of the year 9999. A larger date is most likely in milliseconds by mistake and would never
 * be reached.
 */
export const UNIX_SECONDS_MAX = 253_402_300_799
/** Whole seconds since the epoch. */
export const unixSecondsSchema = z.int()

/** Idempotency key chosen by the caller: the same key with the same change is one change. */
export const operationKeySchema = z
  .string()
  .min(8)
  .max(64)
  .regex(/^[\w-]+$/)
  .optional()
