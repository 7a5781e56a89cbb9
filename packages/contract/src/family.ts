import { z } from 'zod'
import { accountRoutes } from './account.ts'
import { channelKeyRoutes } from './channel-key.ts'
import { channelRoutes } from './channel.ts'
import { text } from './channel-fields.ts'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { PAGES_MAX } from './query.ts'
import { redemptionRoutes } from './redemption.ts'
import { queryTime } from './reports.ts'
import { defineRoute, nothing, siteReading } from './route.ts'
import { topUpRoutes } from './top-up.ts'
import { usageRoutes } from './usage.ts'

/**
 * Routes of new-api since July 2025 that do the same as one of ours under another path and in another format.
 * Consoles and scripts written for new-api use them; our own console does not. Each is spread from the route
 * it corresponds to, so that both have the same access rules.
 */

export const MULTI_KEY_ACTIONS = [
  'get_key_status',
  'disable_key',
  'enable_key',
  'delete_key',
  'enable_all_keys',
  'disable_all_keys',
  'delete_disabled_keys',
] as const
export const MULTI_KEY_ROWS_DEFAULT = 50

const multiKeyRequestSchema = z.object({
  channel_id: z.int().positive(),
  action: z.enum(MULTI_KEY_ACTIONS),
  /** Position of the key, counted from 0; for actions on a single key. */
  key_index: z.int().min(0).nullish(),
  /** Counted from 1. */
  page: z.int().min(0).max(PAGES_MAX).nullish(),
  page_size: z.int().min(0).nullish(),
  /** Only keys with this status. */
  status: z.int().nullish(),
})
export type MultiKeyRequest = z.output<typeof multiKeyRequestSchema>

const multiKeyStatusSchema = z.object({
  keys: z.array(
    z.object({
      index: z.int(),
      /** 1 enabled, 2 disabled by an operator, 3 disabled automatically. */
      status: z.int(),
      /** This and `reason` are present only for disabled keys. */
      disabled_time: unixSecondsSchema.optional(),
      reason: z.string().optional(),
      key_preview: z.string(),
    }),
  ),
  total: z.int(),
  page: z.int(),
  page_size: z.int(),
  total_pages: z.int(),
  enabled_count: z.int(),
  manual_disabled_count: z.int(),
  auto_disabled_count: z.int(),
})
export type MultiKeyStatus = z.output<typeof multiKeyStatusSchema>

const checkInSchema = z.object({
  enabled: z.boolean(),
  min_quota: quotaSchema,
  max_quota: quotaSchema,
  stats: z.object({
    /** All-time totals. */
    total_quota: quotaSchema,
    total_checkins: z.int(),
    /** Check-ins of the requested month; its records come newest first. */
    checkin_count: z.int(),
    checked_in_today: z.boolean(),
    records: z.array(z.object({ checkin_date: z.string(), quota_awarded: quotaSchema })),
  }),
})

const topUpInfoSchema = z.object({
  enable_online_topup: z.boolean(),
  enable_stripe_topup: z.boolean(),
  enable_creem_topup: z.boolean(),
  enable_redemption: z.boolean(),
  pay_methods: z.array(z.object({ name: z.string(), type: z.string(), color: z.string() })),
  min_topup: z.number(),
  stripe_min_topup: z.number(),
  /** JSON array as text. */
  creem_products: z.string(),
  amount_options: z.array(z.number()),
  discount: z.record(z.string(), z.number()),
  topup_link: z.string(),
})

export const familyRoutes = {
  copyChannel: defineRoute({
    ...channelRoutes.copy,
    path: '/api/channel/copy/:id',
    summary:
      'Same as `POST /api/channel/:id/copy`: the copy is disabled, and its balance and usage start at zero',
    query: z.object({ suffix: text(64).optional() }),
    body: nothing,
  }),
  manageKeys: defineRoute({
    ...channelKeyRoutes.setStatus,
    method: 'POST',
    path: '/api/channel/multi_key/manage',
    summary:
      'Lists, disables, enables or deletes keys of a channel by their index, like `/api/channel/:id/keys`',
    params: nothing,
    body: multiKeyRequestSchema,
    data: z.union([multiKeyStatusSchema, z.int()]),
  }),
  modelsOfTag: defineRoute({
    ...siteReading,
    path: '/api/channel/tag/models',
    summary: 'The longest comma-separated model list among the channels of a tag',
    query: z.object({ tag: text(64).default('') }),
    data: z.string(),
  }),
  removeInvalidCodes: defineRoute({
    ...redemptionRoutes.removeDisabled,
    path: '/api/redemption/invalid',
    summary: 'Deletes all used, disabled and expired codes; returns their number',
  }),
  checkInStatus: defineRoute({
    ...accountRoutes.checkInCalendar,
    path: '/api/user/checkin',
    summary: 'The caller’s check-in rewards, in total and in a month',
    data: checkInSchema,
  }),
  checkIn: defineRoute({
    ...accountRoutes.checkIn,
    path: '/api/user/checkin',
    summary: 'Same as `POST /api/user/check_in`: credits the daily reward, once per day of the site',
    data: z.object({ quota_awarded: quotaSchema, checkin_date: z.string() }),
  }),
  topUpInfo: defineRoute({
    ...topUpRoutes.listOwn,
    path: '/api/user/topup/info',
    summary: 'Payment methods and amounts for top-ups',
    query: nothing,
    data: topUpInfoSchema,
  }),
  hoursOfUsers: defineRoute({
    ...usageRoutes.hours,
    path: '/api/data/users',
    summary: 'Usage by hour and user, of the hundred users with the highest spending in the range',
    query: z.object({ start_timestamp: queryTime(), end_timestamp: queryTime() }),
  }),
} as const
