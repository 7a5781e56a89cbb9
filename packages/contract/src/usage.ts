import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { queryFilterId, queryInteger, queryTerm } from './query.ts'
import { NAME_CHARACTERS_MAX, ofEverybody, ofOneself, queryTime } from './reports.ts'
import { defineRoute } from './route.ts'

/** Usage over time, summed by the hour: what the dashboard draws. */

/** Minutes that a place on earth is away from UTC. */
const OFFSET_MINUTES_MAX = 840

/** Points of one curve; a longer range wants a longer step. */
export const USAGE_STEPS_MAX = 400
/** What is told apart; everything else comes as one more. */
export const USAGE_KEYS_MAX = 10

export const USAGE_STEPS = ['hour', 'day', 'week'] as const
export type UsageStepName = (typeof USAGE_STEPS)[number]
export const OWN_USAGE_KEYS = ['model', 'token', 'group'] as const
export const USAGE_KEYS = [...OWN_USAGE_KEYS, 'channel', 'user'] as const
export type UsageKeyName = (typeof USAGE_KEYS)[number]

const range = z.object({
  start_timestamp: queryTime(),
  end_timestamp: queryTime(),
})

const ownSeries = range.extend({
  step: z.enum(USAGE_STEPS).catch('hour'),
  by: z.enum(OWN_USAGE_KEYS).catch('model'),
  /** Of the reader's clock from UTC: days and weeks begin at their midnight. */
  offset_minutes: queryInteger({ fallback: 0, min: -OFFSET_MINUTES_MAX, max: OFFSET_MINUTES_MAX }),
  token_name: queryTerm(NAME_CHARACTERS_MAX),
  model_name: queryTerm(NAME_CHARACTERS_MAX),
  group: queryTerm(NAME_CHARACTERS_MAX),
})
const allSeries = ownSeries.extend({
  by: z.enum(USAGE_KEYS).catch('model'),
  username: queryTerm(NAME_CHARACTERS_MAX),
  channel: queryFilterId(),
})

const ownPointSchema = z.object({
  /** First second of the step. */
  at: unixSecondsSchema,
  /** A name, or an id in digits. */
  key: z.string(),
  /** What it is called now; the key itself for names. */
  label: z.string(),
  /** Everything that is not among the largest. */
  is_rest: z.boolean(),
  /** Calls that were charged. */
  calls: z.int(),
  errors: z.int(),
  /** What they were charged less what tasks gave back in this step, so that it may be negative. */
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Of the charged calls together. */
  duration_ms: z.int(),
  /** Of those that had a first byte. */
  first_byte_ms: z.int(),
  first_bytes: z.int(),
})
const pointSchema = ownPointSchema.extend({
  /** What the calls cost the operator whose channel's cost ratio was known, */
  cost: quotaSchema,
  /** and what those calls were charged; both less what tasks gave back, so that they may be negative. */
  costed_quota: quotaSchema,
})
export type UsagePoint = z.infer<typeof pointSchema>
export type OwnUsagePoint = z.infer<typeof ownPointSchema>

const ownSeriesSchema = z.object({ step_seconds: z.int(), points: z.array(ownPointSchema) })
const seriesSchema = z.object({ step_seconds: z.int(), points: z.array(pointSchema) })

/** They were charged at most their last checkpoint, many of them nothing; those corrected since are left out. */
const interruptedSchema = z.object({ calls: z.int() })

/** What calls cost above their ceiling, and was not charged; the largest first. */
export const WAIVED_ROWS_MAX = 100
const waivedRowSchema = z.object({
  /** 0 where no channel is known. */
  channel: z.int(),
  /** "" for one that is gone. */
  channel_name: z.string(),
  model: z.string(),
  calls: z.int(),
  quota: quotaSchema,
})
export type WaivedRow = z.infer<typeof waivedRowSchema>
const waivedSchema = z.object({
  /** Of all channels and models, also of those that are not among the rows. */
  calls: z.int(),
  quota: quotaSchema,
  rows: z.array(waivedRowSchema),
})

/** Rows as the family's consoles read them; one for an hour and a model. */
const hourRowSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  created_at: unixSecondsSchema,
  token_used: z.int(),
  count: z.int(),
  /** Less what tasks gave back within the hour. */
  quota: quotaSchema,
})
export type UsageHourRow = z.infer<typeof hourRowSchema>

export const usageRoutes = {
  series: defineRoute({
    ...ofEverybody,
    path: '/api/usage',
    summary: 'Usage of everybody over time, by one thing that calls differ in',
    query: allSeries,
    data: seriesSchema,
  }),
  seriesOwn: defineRoute({
    ...ofOneself,
    path: '/api/usage/self',
    summary: 'Own usage over time, by one thing that calls differ in',
    query: ownSeries,
    data: ownSeriesSchema,
  }),
  interrupted: defineRoute({
    ...ofEverybody,
    path: '/api/usage/interrupted',
    summary: 'Calls that a crash of the gateway interrupted, by whole hours',
    query: range,
    data: interruptedSchema,
  }),
  waived: defineRoute({
    ...ofEverybody,
    path: '/api/usage/waived',
    summary: 'What calls cost above their ceiling and was not charged, by channel and model, by whole hours',
    query: range,
    data: waivedSchema,
  }),
  hours: defineRoute({
    ...ofEverybody,
    path: '/api/data',
    summary: 'Usage by hour and model: of one user, or of everybody together',
    query: range.extend({ username: queryTerm(NAME_CHARACTERS_MAX) }),
    data: z.array(hourRowSchema),
  }),
  hoursOwn: defineRoute({
    ...ofOneself,
    path: '/api/data/self',
    summary: 'Own usage by hour and model',
    query: range,
    data: z.array(hourRowSchema),
  }),
} as const
