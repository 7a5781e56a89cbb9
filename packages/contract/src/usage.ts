import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { queryFilterId, queryInteger, queryTerm } from './query.ts'
import { NAME_CHARACTERS_MAX, queryTime } from './reports.ts'
import { defineRoute, ownReading, siteReading } from './route.ts'

/** Usage over time in hourly sums, for the charts of the dashboard. */

/** The largest offset of a time zone from UTC, in minutes. */
const OFFSET_MINUTES_MAX = 840

/** Maximum number of points of one curve; a longer range needs a longer step. */
export const USAGE_STEPS_MAX = 400
/** Number of keys shown separately; the others are combined into one. */
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
  /** Offset of the reader's time zone from UTC: days and weeks start at their midnight. */
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
  /** A name, or an id as digits. */
  key: z.string(),
  /** The current name of the key's object; for names the key itself. */
  label: z.string(),
  /** True for the combined rest. */
  is_rest: z.boolean(),
  /** Calls that were charged. */
  calls: z.int(),
  errors: z.int(),
  /** Charges minus the refunds of tasks in this step, so it may be negative. */
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Total over the charged calls. */
  duration_ms: z.int(),
  /** Total over the calls with a first byte. */
  first_byte_ms: z.int(),
  first_bytes: z.int(),
  /** Input tokens that upstreams read from their caches; part of `prompt_tokens`. */
  cached_tokens: z.int(),
  /** What these calls would have cost more without a cache. */
  cache_saved: quotaSchema,
})
const pointSchema = ownPointSchema.extend({
  /** Upstream cost of the calls for whose channel a cost ratio was set. */
  cost: quotaSchema,
  /** Charges of those same calls. Both are reduced by refunds of tasks, so they may be negative. */
  costed_quota: quotaSchema,
})
export type UsagePoint = z.infer<typeof pointSchema>
export type OwnUsagePoint = z.infer<typeof ownPointSchema>

const ownSeriesSchema = z.object({ step_seconds: z.int(), points: z.array(ownPointSchema) })
const seriesSchema = z.object({ step_seconds: z.int(), points: z.array(pointSchema) })

/**
 * Calls that were interrupted by a crash. They were charged at most up to their last checkpoint, many of them
 * nothing. Calls corrected since are left out.
 */
const interruptedSchema = z.object({ calls: z.int() })

/** Amounts by which calls cost more than their ceiling and which were not charged; largest first. */
export const WAIVED_ROWS_MAX = 100
const waivedRowSchema = z.object({
  /** 0 when the channel is unknown. */
  channel: z.int(),
  /** "" for a deleted channel. */
  channel_name: z.string(),
  model: z.string(),
  calls: z.int(),
  quota: quotaSchema,
})
export type WaivedRow = z.infer<typeof waivedRowSchema>
const waivedSchema = z.object({
  /** Totals over all channels and models, including those that are not among the rows. */
  calls: z.int(),
  quota: quotaSchema,
  rows: z.array(waivedRowSchema),
})

/** Rows in the format of new-api's consoles; one per hour and model. */
const hourRowSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  model_name: z.string(),
  created_at: unixSecondsSchema,
  token_used: z.int(),
  count: z.int(),
  /** Reduced by refunds of tasks within the hour. */
  quota: quotaSchema,
})
export type UsageHourRow = z.infer<typeof hourRowSchema>

export const usageRoutes = {
  series: defineRoute({
    ...siteReading,
    path: '/api/usage',
    summary: 'Usage of all users over time, by one dimension (model, token, group, …)',
    query: allSeries,
    data: seriesSchema,
  }),
  seriesOwn: defineRoute({
    ...ownReading,
    path: '/api/usage/self',
    summary: 'The caller’s usage over time, by one dimension (model, token, group, …)',
    query: ownSeries,
    data: ownSeriesSchema,
  }),
  interrupted: defineRoute({
    ...siteReading,
    path: '/api/usage/interrupted',
    summary: 'Calls interrupted by a crash of the gateway, by hour',
    query: range,
    data: interruptedSchema,
  }),
  waived: defineRoute({
    ...siteReading,
    path: '/api/usage/waived',
    summary: 'Amounts above the ceiling of calls that were not charged, by channel, model and hour',
    query: range,
    data: waivedSchema,
  }),
  hours: defineRoute({
    ...siteReading,
    path: '/api/data',
    summary: 'Usage by hour and model, of one user or of all users together',
    query: range.extend({ username: queryTerm(NAME_CHARACTERS_MAX) }),
    data: z.array(hourRowSchema),
  }),
  hoursOwn: defineRoute({
    ...ownReading,
    path: '/api/data/self',
    summary: 'The caller’s usage by hour and model',
    query: range,
    data: z.array(hourRowSchema),
  }),
} as const
