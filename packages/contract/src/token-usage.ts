import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { defineRoute, usualReading } from './route.ts'

/** What is left of a token, for whoever holds its key: balance tools and chat front ends ask for it. */

export const tokenUsageSchema = z.object({
  object: z.literal('token_usage'),
  name: z.string(),
  /** Quota units, as in all of these. */
  total_granted: quotaSchema,
  total_used: quotaSchema,
  /** 0 of an unlimited token: its owner's balance is not told here. */
  total_available: quotaSchema,
  unlimited_quota: z.boolean(),
  /** Each model that is allowed; read only with `model_limits_enabled`. */
  model_limits: z.record(z.string(), z.boolean()),
  model_limits_enabled: z.boolean(),
  /** 0 never. */
  expires_at: unixSecondsSchema,
})

export const tokenUsageRoutes = {
  read: defineRoute({
    ...usualReading,
    access: 'public',
    owner: 'self',
    byApiToken: true,
    envelope: 'code',
    path: '/api/usage/token',
    summary: 'What was granted to the token whose key is in `Authorization`, and what is left of it',
    data: tokenUsageSchema,
  }),
} as const
