import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { quotaSchema } from './envelope.ts'
import { CONSOLE_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'

/** A user as shown to themselves. The family's keys are kept; the secret ones among them are always empty. */
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
  /** Only a hash is kept: the token is shown once, when it is made. */
  access_token: z.null(),
  has_access_token: z.boolean(),
  /** Ours: who came in through somebody else may have none. */
  has_password: z.boolean(),
  /** Ours: everybody knows the password. Until there is another, only it can be changed. */
  has_default_password: z.boolean(),
  /** What remains, minus debt. */
  quota: quotaSchema,
  used_quota: quotaSchema,
  /** Ours: something was paid for the quota, or the account counts as one that has. Calls of others are held for strictly. */
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
 * An empty text means "keep". A new password needs the current one or a fresh sign-in with it; the first, a fresh sign-in;
 * the one after the password of old releases, neither.
 */
export const selfUpdateSchema = z.object({
  username: formTextSchema.default(''),
  display_name: formTextSchema.default(''),
  password: formTextSchema.default(''),
  original_password: formTextSchema.default(''),
})

const own = {
  access: 'user',
  owner: 'self',
  rate: 'api',
  bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
  isBillable: false,
  signIn: 'any',
  params: nothing,
  query: nothing,
} as const

const accessTokenData = z.string()

export const userRoutes = {
  readSelf: defineRoute({
    ...own,
    method: 'GET',
    path: '/api/user/self',
    isOpenToDefaultPassword: true,
    changesState: false,
    summary: 'The caller’s own account and balance',
    body: nothing,
    data: selfSchema,
  }),
  updateSelf: defineRoute({
    ...own,
    method: 'PUT',
    path: '/api/user/self',
    isOpenToDefaultPassword: true,
    rate: 'critical',
    changesState: true,
    guardedWhen: {
      condition: 'it sets a password, unless everybody knows the old one',
      signIn: 'fresh',
      orSecretAgain: true,
    },
    summary: 'Changes the caller’s name or password; a new password ends the access token and other sessions',
    body: selfUpdateSchema,
    data: z.null(),
  }),
  resetAccessToken: defineRoute({
    ...own,
    signIn: 'recent',
    method: 'POST',
    path: '/api/user/token',
    rate: 'reveal',
    changesState: true,
    summary: 'A new access token for this API; the old one ends. Shown once',
    body: nothing,
    data: accessTokenData,
  }),
  /** The family's spelling of the same. */
  resetAccessTokenByGet: defineRoute({
    ...own,
    signIn: 'recent',
    method: 'GET',
    path: '/api/user/token',
    rate: 'reveal',
    changesState: true,
    summary: 'As POST /api/user/token; kept for consoles of this family',
    body: nothing,
    data: accessTokenData,
  }),
}
