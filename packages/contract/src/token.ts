import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { z } from 'zod'
import { batchOutcomeSchema } from './batch.ts'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import {
  idParams,
  pageRows,
  PAGE_ROWS_MAX,
  queryTerm,
  selectedIds,
  totalExtra,
  zeroBasedPage,
} from './query.ts'
import { defineRoute, nothing, ownBodyless, ownReading, ownWriting } from './route.ts'
import { nameText } from './text.ts'

/**
 * A user's own API tokens. The complete key leaves the server when it is created, and afterwards only for its
 * owner soon after a sign-in.
 */

export const TOKEN_NAME_CHARACTERS_MAX = 50
export const TOKEN_MODELS_CHARACTERS_MAX = 16_384
export const TOKEN_ADDRESSES_CHARACTERS_MAX = 16_384
export const TOKEN_KEY_CHARACTERS = 48
/** 2,000,000,000 in currency at the usual 500,000 units per currency unit. */
export const TOKEN_QUOTA_MAX = 1_000_000_000_000_000
/** The group of tokens that try several groups in order. */
export const AUTO_GROUP = 'auto'
export const TOKEN_GROUPS_MAX = 5
export const TOKEN_RPM_MAX = 1_000_000
export const TOKEN_TPM_MAX = 1_000_000_000
export const TOKEN_PARALLEL_MAX = 100_000
/** Maximum number of keys revealed per request. */
export const TOKEN_KEYS_MAX = 100
/** Maximum number of tokens deleted or switched per request. */
export const TOKEN_IDS_MAX = 1000
export const NEVER_EXPIRES = -1

export const tokenSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  /**
   * The key without `sk-`, masked to its first and last three characters. A session of a console written for
   * new-api (`Veloera-User`, `New-Api-User`) gets the complete key for 12 hours after its sign-in, then
   * `KEY_NEEDS_SIGN_IN`.
   */
  key: z.string(),
  /** 1 enabled, 2 disabled, 3 expired, 4 exhausted. The last two are derived whenever the token is read. */
  status: z.int(),
  name: z.string(),
  created_time: unixSecondsSchema,
  accessed_time: unixSecondsSchema,
  /** -1: never. */
  expired_time: unixSecondsSchema,
  /** Never below 0. */
  remain_quota: quotaSchema,
  /**
   * Tollgate only: what calls cost beyond the quota of the token, because their upstream reported more than was
   * counted before. Quota that is added pays it first; a new `remain_quota` is what remains then.
   */
  overrun_quota: quotaSchema,
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  /** Comma-separated list. */
  model_limits: z.string(),
  /** One address or CIDR range per line. */
  allow_ips: z.string(),
  used_quota: quotaSchema,
  /** "": the owner's group. */
  group: z.string(),
  /**
   * Comma-separated list of the groups that a token of group `auto` tries in this order; "": the site's
   * order.
   */
  group_order: z.string(),
  /** The same as new-api names it: a list, or null for the site's order. */
  auto_groups: z.array(z.string()).nullable(),
  /**
   * True: when every channel of a group fails, the next group is tried. False: the next group is tried only
   * if a group has no channel for the model.
   */
  cross_group_retry: z.boolean(),
  /** Calls per minute; 0: no limit. */
  rpm_limit: z.int(),
  /** Input plus output tokens per minute; 0: no limit. */
  tpm_limit: z.int(),
  /** Concurrent calls; 0: no limit. */
  max_parallel_requests: z.int(),
  /** Calls currently in flight. */
  open_requests: z.int(),
  /** Quota that may be spent per period; effective only with a period. */
  budget_quota: quotaSchema,
  /** "": no budget. Days, weeks (from Monday) and months are in the site's time zone. */
  budget_period: z.enum(['', 'day', 'week', 'month']),
  /** Quota spent or held in the current period. */
  budget_used: quotaSchema,
  /** Start of the next period; 0 without a budget. */
  budget_reset_time: unixSecondsSchema,
  /** Calls refused since midnight at the site, and the code of the most frequent reason ("" without any). */
  refused_today: z.int(),
  refused_reason: z.string(),
  DeletedAt: z.null(),
})
export type Token = z.infer<typeof tokenSchema>

const tokenFields = {
  name: nameText(1000),
  expired_time: unixSecondsSchema,
  remain_quota: quotaSchema,
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string().max(TOKEN_MODELS_CHARACTERS_MAX),
  allow_ips: z.string().max(TOKEN_ADDRESSES_CHARACTERS_MAX).nullable(),
  group: z.string().max(64),
  group_order: z.string().max(255),
  auto_groups: z.array(z.string().max(64)).max(100).nullable(),
  cross_group_retry: z.boolean(),
  rpm_limit: z.int().min(0).max(TOKEN_RPM_MAX),
  tpm_limit: z.int().min(0).max(TOKEN_TPM_MAX),
  max_parallel_requests: z.int().min(0).max(TOKEN_PARALLEL_MAX),
  budget_quota: quotaSchema.min(0).max(TOKEN_QUOTA_MAX),
  budget_period: tokenSchema.shape.budget_period,
}

/**
 * A missing field gets its default: never expires, no quota, all models, all addresses, the owner's group, no
 * limits.
 */
export const tokenCreateSchema = z.object({
  ...z.object(tokenFields).partial().shape,
  name: tokenFields.name,
})

/** A missing field stays unchanged. */
export const tokenUpdateSchema = z.object({
  id: z.int().positive(),
  ...z.object(tokenFields).partial().shape,
  /** Read only with `status_only`. */
  status: z.int().optional(),
  /**
   * The `remain_quota` that the form loaded. Our console sends it; the change is refused when the value has
   * changed since.
   */
  expected_remain_quota: quotaSchema.optional(),
})

/**
 * Shown instead of a key that a console written for new-api would copy: tells the user what to do when they
 * paste it.
 */
export const KEY_NEEDS_SIGN_IN = 'sign-in-again-to-copy'

export const tokenKeySchema = z.object({ id: z.int(), key: z.string() })

const shownWhen = {
  condition: 'a console of the new-api family reads them in a session and the site allows it',
  signIn: 'recent',
} as const
/** Requirements of the routes that return complete keys. */
const revealing = {
  ...ownWriting,
  guardedWhen: {
    condition: 'the caller is not a script that the site allows to read keys',
    signIn: 'recent',
  },
  method: 'POST',
} as const

export const tokenRoutes = {
  list: defineRoute({
    ...ownReading,
    shownWhen,
    path: '/api/token',
    summary: 'The caller’s tokens, newest first',
    query: z.object({ p: zeroBasedPage, size: pageRows() }),
    data: z.array(tokenSchema),
    extra: totalExtra,
  }),
  search: defineRoute({
    ...ownReading,
    shownWhen,
    path: '/api/token/search',
    summary:
      'Searches the caller’s tokens: `keyword` is part of the name, a full key or its preview; `token` a full key or its visible part',
    query: z.object({
      keyword: queryTerm(),
      token: queryTerm(),
      p: zeroBasedPage,
      size: pageRows(PAGE_ROWS_MAX),
    }),
    data: z.array(tokenSchema),
    extra: totalExtra,
  }),
  get: defineRoute({
    ...ownReading,
    shownWhen,
    path: '/api/token/:id',
    summary: 'One token of the caller, with a masked key',
    params: idParams,
    data: tokenSchema,
  }),
  create: defineRoute({
    ...ownWriting,
    method: 'POST',
    isRepeatable: true,
    path: '/api/token',
    summary: 'Creates a token; the response contains its key',
    body: tokenCreateSchema,
    data: tokenKeySchema,
  }),
  update: defineRoute({
    ...ownWriting,
    shownWhen,
    method: 'PUT',
    path: '/api/token',
    summary: 'Changes a token, or only its status with `status_only`',
    query: z.object({ status_only: z.string().max(16).optional() }),
    body: tokenUpdateSchema,
    data: tokenSchema,
  }),
  remove: defineRoute({
    ...ownBodyless,
    method: 'DELETE',
    path: '/api/token/:id',
    summary: 'Deletes a token; calls with its key are rejected',
    params: idParams,
    data: z.null(),
  }),
  removeMany: defineRoute({
    ...ownWriting,
    method: 'POST',
    path: '/api/token/batch',
    summary: 'Deletes several tokens of the caller; returns their number',
    body: z.object({ ids: selectedIds({ idsMax: TOKEN_IDS_MAX, noneProblem: 'token_ids_missing' }) }),
    data: z.int(),
  }),
  setStatusMany: defineRoute({
    ...ownWriting,
    method: 'POST',
    path: '/api/token/batch/status',
    summary: 'Enables or disables several tokens of the caller; lists those that cannot be enabled',
    body: z.object({
      ids: selectedIds({ idsMax: TOKEN_IDS_MAX, noneProblem: 'token_ids_missing' }),
      status: z.union([z.literal(TOKEN_STATUS.enabled), z.literal(TOKEN_STATUS.disabled)]),
    }),
    data: batchOutcomeSchema,
  }),
  reveal: defineRoute({
    ...revealing,
    rate: 'reveal',
    path: '/api/token/:id/key',
    summary: 'The full key, for its owner after a recent sign-in',
    params: idParams,
    body: nothing,
    data: tokenKeySchema,
  }),
  revealMany: defineRoute({
    ...revealing,
    path: '/api/token/batch/keys',
    summary: 'The full keys of several tokens of the caller, after a recent sign-in; unknown ids are skipped',
    body: z.object({
      ids: z
        .array(idParams.shape.id, { error: 'token_ids_missing' })
        .min(1, { error: 'token_ids_missing' })
        .max(TOKEN_KEYS_MAX),
    }),
    /** Keys by token id. */
    data: z.object({ keys: z.record(z.string(), z.string()) }),
  }),
} as const
