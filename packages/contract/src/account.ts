import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { operationKeySchema, quotaSchema, unixSecondsSchema } from './envelope.ts'
import { ledgerEntryPageSchema, ledgerEntryQuery } from './ledger-entry.ts'
import { defineRoute, ownBodyless, ownReading, ownWriting } from './route.ts'

/** Routes for a user's own account, besides reading it and changing name or password (`user.ts`). */

export const NOTIFY_TYPES = ['email', 'webhook'] as const
export const WEBHOOK_URL_CHARACTERS_MAX = 2048
export const WEBHOOK_SECRET_CHARACTERS_MAX = 256
export const NOTIFY_THRESHOLD_MAX = 1_000_000_000_000

/** In whole quota units. Scripts written for new-api may send fractions, which are truncated. */
const threshold = z.number()

export const notifySettingSchema = z.object({
  notify_type: z.string().max(20),
  quota_warning_threshold: threshold,
  webhook_url: z.string().max(4096).default(''),
  /** Empty keeps the stored secret. */
  webhook_secret: z.string().max(4096).default(''),
  notification_email: z.string().max(1024).default(''),
  accept_unset_model_ratio_model: z.boolean().default(false),
  /** Tollgate only: notify when a drawing or a song has succeeded or failed. */
  notify_tasks: z.boolean().default(false),
})

export const affTransferSchema = z.object({
  quota: z.int(),
  operation_key: operationKeySchema,
})

/** `YYYY-MM-DD`, in the site's time zone. */
const day = z.string()
export const checkInStatusSchema = z.object({
  can_check_in: z.boolean(),
  /** Tollgate only: today's date in the site's time zone and the range of the reward. */
  day,
  quota_min: quotaSchema,
  quota_max: quotaSchema,
})
export const checkInCalendarSchema = z.object({
  /** `YYYY-MM`, in the site's time zone. */
  month: z.string(),
  today: day,
  can_check_in: z.boolean(),
  days: z.array(z.object({ day, quota: quotaSchema })),
})

export const ownSessionSchema = z.object({
  /** Identifies the session in this list; it cannot be used to sign in. */
  id: z.string(),
  created_at: unixSecondsSchema,
  seen_at: unixSecondsSchema,
  expires_at: unixSecondsSchema,
  address: z.string(),
  user_agent: z.string(),
  is_current: z.boolean(),
})
export type OwnSession = z.output<typeof ownSessionSchema>

export const accountRoutes = {
  remove: defineRoute({
    ...ownWriting,
    signIn: 'recent',
    method: 'DELETE',
    path: '/api/user/self',
    rate: 'critical',
    summary: 'Deactivates the caller’s own account after a fresh sign-in; ends every session',
    /** The account name as typed; compared if it is sent. */
    body: z.object({ username: formTextSchema.optional() }),
    data: z.null(),
  }),
  prove: defineRoute({
    ...ownWriting,
    method: 'POST',
    path: '/api/user/prove',
    rate: 'critical',
    summary: 'Verifies the password again, so that this session can see and change secrets for a while',
    body: z.object({ password: formTextSchema }),
    data: z.object({ recent_until: unixSecondsSchema }),
  }),
  removeAccessToken: defineRoute({
    ...ownBodyless,
    method: 'DELETE',
    path: '/api/user/token',
    summary: 'Revokes the caller’s access token without creating a new one',
    data: z.null(),
  }),
  affCode: defineRoute({
    ...ownReading,
    path: '/api/user/aff',
    changesState: true,
    summary: 'The caller’s invitation code; creates one if there is none',
    data: z.string(),
  }),
  affTransfer: defineRoute({
    ...ownWriting,
    method: 'POST',
    path: '/api/user/aff_transfer',
    summary: 'Moves earnings from invitations to the caller’s balance',
    body: affTransferSchema,
    data: z.null(),
  }),
  updateSetting: defineRoute({
    ...ownWriting,
    method: 'PUT',
    path: '/api/user/setting',
    summary: 'How and when the caller is notified of low quota',
    body: notifySettingSchema,
    data: z.null(),
  }),
  testNotification: defineRoute({
    ...ownBodyless,
    method: 'POST',
    path: '/api/user/setting/test',
    rate: 'probe',
    summary: 'Sends a test notification with the stored settings',
    data: z.null(),
  }),
  checkInStatus: defineRoute({
    ...ownReading,
    path: '/api/user/check_in_status',
    summary: 'Whether the caller can check in today',
    data: checkInStatusSchema,
  }),
  checkIn: defineRoute({
    ...ownBodyless,
    method: 'POST',
    path: '/api/user/check_in',
    summary: 'Credits the daily reward, once per day of the site',
    data: z.object({ quota: quotaSchema }),
  }),
  checkInCalendar: defineRoute({
    ...ownReading,
    path: '/api/user/check_in_calendar',
    summary: 'Days of a month on which the caller checked in',
    query: z.object({
      month: z
        .string()
        .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
        .optional(),
    }),
    data: checkInCalendarSchema,
  }),
  sessions: defineRoute({
    ...ownReading,
    path: '/api/user/sessions',
    summary: 'The caller’s sessions',
    data: z.array(ownSessionSchema),
  }),
  endSession: defineRoute({
    ...ownBodyless,
    method: 'DELETE',
    path: '/api/user/sessions/:session',
    summary: 'Ends one of the caller’s sessions',
    params: z.object({ session: z.string().max(64) }),
    data: z.null(),
  }),
  endSessions: defineRoute({
    ...ownBodyless,
    method: 'DELETE',
    path: '/api/user/sessions',
    summary:
      'Ends all sessions of the caller, including this one unless `keep_current` is set; returns their number',
    query: z.object({
      keep_current: z
        .string()
        .max(8)
        .optional()
        .transform((text) => text === 'true'),
    }),
    data: z.int(),
  }),
  entries: defineRoute({
    ...ownReading,
    path: '/api/user/self/entries',
    summary: 'The caller’s ledger entries, newest first, with the balance after each',
    query: ledgerEntryQuery,
    data: ledgerEntryPageSchema,
  }),
}
