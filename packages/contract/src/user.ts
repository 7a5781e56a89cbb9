import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { quotaSchema } from './envelope.ts'
import { CONSOLE_BODY_BYTES_MAX, defineRoute, nothing, ownReading, ownWriting } from './route.ts'

/** A user's own account. New-api's members are kept; the secret ones among them are always empty. */
export const selfSchema = z.object({
  id: z.int(),
  username: z.string(),
  password: z.literal(''),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  oidc_id: z.string(),
  wechat_id: z.string(),
  telegram_id: z.string(),
  linux_do_id: z.string(),
  verification_code: z.literal(''),
  /** Only a hash is stored: the token is shown once, when it is created. */
  access_token: z.null(),
  has_access_token: z.boolean(),
  /** Tollgate only: a user who came from a sign-in provider may have no password. */
  has_password: z.boolean(),
  /**
   * Tollgate only: the account has the publicly known default password. Until it is changed, the user can do
   * nothing else.
   */
  has_default_password: z.boolean(),
  /** Remaining quota minus debt. */
  quota: quotaSchema,
  used_quota: quotaSchema,
  /**
   * Tollgate only: the user has paid for quota, or counts as trusted like administrators and, in self-use
   * mode, everyone. Calls of other users may never cost more than their balance, so their holds are strict.
   */
  has_paid: z.boolean(),
  request_count: z.int(),
  group: z.string(),
  aff_code: z.string(),
  aff_count: z.int(),
  aff_quota: quotaSchema,
  aff_history_quota: quotaSchema,
  inviter_id: z.int(),
  DeletedAt: z.null(),
  /** JSON text of the notification settings, without their secret. */
  setting: z.string(),
  last_check_in_time: z.string().nullable(),
})
export type Self = z.output<typeof selfSchema>

/**
 * An empty text means "keep". A new password requires the current one or a fresh sign-in with it. The first
 * password of an account requires a fresh sign-in, and replacing the default password of old releases
 * requires neither.
 */
export const selfUpdateSchema = z.object({
  username: formTextSchema.default(''),
  display_name: formTextSchema.default(''),
  password: formTextSchema.default(''),
  original_password: formTextSchema.default(''),
})

const accessTokenData = z.string()

export const userRoutes = {
  readSelf: defineRoute({
    ...ownReading,
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    path: '/api/user/self',
    isOpenToDefaultPassword: true,
    summary: 'The caller’s own account and balance',
    data: selfSchema,
  }),
  updateSelf: defineRoute({
    ...ownWriting,
    method: 'PUT',
    path: '/api/user/self',
    isOpenToDefaultPassword: true,
    rate: 'critical',
    guardedWhen: {
      condition: 'it sets a password, unless the old one is the public default',
      signIn: 'fresh',
      orSecretAgain: true,
    },
    summary:
      'Changes the caller’s name or password; a new password ends the access token and all other sessions',
    body: selfUpdateSchema,
    data: z.null(),
  }),
  resetAccessToken: defineRoute({
    ...ownWriting,
    signIn: 'recent',
    method: 'POST',
    path: '/api/user/token',
    rate: 'reveal',
    summary: 'Creates an access token for this API and revokes the old one; shown once',
    body: nothing,
    data: accessTokenData,
  }),
  /** New-api's form of the same route. */
  resetAccessTokenByGet: defineRoute({
    ...ownReading,
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    signIn: 'recent',
    path: '/api/user/token',
    rate: 'reveal',
    changesState: true,
    summary: 'Same as `POST /api/user/token`, for consoles of the new-api family',
    data: accessTokenData,
  }),
}
