import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { defineRoute, ownReading } from './route.ts'

/**
 * Remaining quota of a token, for a caller who presents its key. Balance tools and chat front-ends use this.
 */

export const tokenUsageSchema = z.object({
  object: z.literal('token_usage'),
  name: z.string(),
  /** In quota units, like all amounts here. */
  total_granted: quotaSchema,
  total_used: quotaSchema,
  /** Never below 0. 0 for an unlimited token: the balance of its owner is not revealed here. */
  total_available: quotaSchema,
  unlimited_quota: z.boolean(),
  /** The allowed models; effective only with `model_limits_enabled`. */
  model_limits: z.record(z.string(), z.boolean()),
  model_limits_enabled: z.boolean(),
  /** 0: never. */
  expires_at: unixSecondsSchema,
})

export const tokenUsageRoutes = {
  read: defineRoute({
    ...ownReading,
    access: 'public',
    byApiToken: true,
    envelope: 'code',
    path: '/api/usage/token',
    summary: 'Granted and remaining quota of the token whose key is in `Authorization`',
    data: tokenUsageSchema,
  }),
} as const
