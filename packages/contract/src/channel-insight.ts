import { z } from 'zod'
import { text } from './channel-fields.ts'
import { unixSecondsSchema } from './envelope.ts'
import { defineRoute, siteReading, siteWriting } from './route.ts'

/** Health of channels in real traffic, and a simulation of which channel would serve a call. */

const CHANNELS_MAX = 100

export const channelHealthSchema = z.object({
  channel_id: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  /** Milliseconds to the first byte; absent without traffic. */
  first_byte_p50: z.int().optional(),
  first_byte_p95: z.int().optional(),
  /** Counts per time slice, oldest first; both are 0 in a slice without traffic. */
  slices: z.array(z.object({ succeeded: z.int(), failed: z.int() })),
  /** Latest first. */
  errors: z.array(
    z.object({ time: unixSecondsSchema, status: z.int(), code: z.string(), detail: z.string() }),
  ),
  /** Whether every enabled key is cooling down, in the process that responds. */
  is_resting: z.boolean(),
})
export type ChannelHealth = z.infer<typeof channelHealthSchema>

export const explainedChannelSchema = z.object({
  channel_id: z.int(),
  name: z.string(),
  type: z.int(),
  priority: z.int(),
  weight: z.int(),
  standing: z.enum([
    'candidate',
    'resting',
    'disabled',
    'withdrawn',
    'no-key',
    'other-group',
    'no-model',
    'prefixed-away',
    'no-operation',
  ]),
  /** Counted from 1; absent when the channel is not a candidate. */
  tier: z.int().optional(),
  /** Probability within its tier, from 0 to 1. */
  share: z.number(),
  keys: z.int(),
  keys_ready: z.int(),
})
export type ExplainedChannel = z.infer<typeof explainedChannelSchema>

export const OPERATIONS = [
  'chat',
  'completions',
  'embeddings',
  'moderations',
  'responses',
  'messages',
  'generate',
] as const

export const channelInsightRoutes = {
  health: defineRoute({
    ...siteReading,
    path: '/api/channel/health',
    summary: 'Traffic and errors of several channels in the last hour; `ids` are comma-separated',
    query: z.object({
      ids: z
        .string()
        .max(2000)
        .transform((list) => list.split(',').map(Number).filter(Number.isSafeInteger).slice(0, CHANNELS_MAX)),
    }),
    data: z.array(channelHealthSchema),
  }),
  explain: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/explain',
    summary: 'Explains which channels would serve a call, with a dry run of the selection; sends nothing',
    body: z
      .object({
        model: text(255).min(1),
        /**
         * The group is that of the token if one is given, else `group` if given, else that of the user, else
         * `default`.
         */
        token_id: z.int().positive().nullish(),
        user_id: z.int().positive().nullish(),
        group: text(64).optional(),
        operation: z.enum(OPERATIONS).default('chat'),
        /** Number of retries; the site setting when absent. */
        retries: z.int().min(0).max(20).optional(),
        /** Channels to treat as failing in the simulation. */
        failing: z.array(z.int().positive()).max(CHANNELS_MAX).default([]),
        draws: z.int().min(1).max(10_000).default(1000),
        /** The session of the call, as the usage log has it. */
        session: text(64).optional(),
        /** A rule of the site for session affinity, instead of `session`. */
        affinity_rule: text(128).optional(),
        /** What the rule finds in the call; empty where the token or user alone decides it. */
        affinity_value: text(255).optional(),
      })
      .refine(isAboutSomebody, { path: ['affinity_rule'] }),
    data: z.object({
      group: z.string(),
      /** Without a channel prefix. */
      model: z.string(),
      retries: z.int(),
      draws: z.int(),
      /** The error that would refuse the call before routing; "" if there is none. */
      refusal: z.string(),
      channels: z.array(explainedChannelSchema),
      /** For each attempt, how often each channel was drawn. */
      attempts: z.array(z.array(z.object({ channel_id: z.int(), count: z.int() }))),
      unserved: z.int(),
      /** What affinity would do for the session; absent without one. */
      affinity: z
        .object({
          result: z.enum(['bound', 'moved', 'new', 'none']),
          /**
           * Why there is no affinity: it is switched off, there is no such rule, or the rule does not take the model
           * or the value.
           */
          reason: z.enum(['off', 'rule', 'model', 'value']).optional(),
          rule: z.string().optional(),
          /** When the channel of the session fails, no other is tried. */
          stays_on_failure: z.boolean().optional(),
          /** The channel and the key, counted from 0, to which the session is bound. */
          channel_id: z.int().optional(),
          key: z.int().optional(),
        })
        .optional(),
      /** Names of the rules for session affinity that take calls of the model, in the order in which they are tried. */
      affinity_rules: z.array(z.string()),
    }),
  }),
} as const

/** The session of a rule belongs to an owner. */
function isAboutSomebody(body: {
  affinity_rule?: string | undefined
  token_id?: number | null | undefined
  user_id?: number | null | undefined
}): boolean {
  return !body.affinity_rule || typeof body.token_id === 'number' || typeof body.user_id === 'number'
}
