import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { z } from 'zod'
import { batchOutcomeSchema } from './batch.ts'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import {
  idParams,
  oneBasedPage,
  pageRows,
  pageSchema,
  queryFilterId,
  queryTerm,
  selectedIds,
} from './query.ts'
import { defineRoute, nothing, ownBodyless, siteReading, siteWriting } from './route.ts'
import { nameText } from './text.ts'

/** Codes that credit quota: created by administrators, redeemed by users. */

export const REDEMPTION_NAME_CHARACTERS_MAX = 20
export const REDEMPTION_KEY_CHARACTERS_MAX = 32
export const REDEMPTION_COUNT_MAX = 100
export const REDEMPTION_QUOTA_MAX = 1_000_000_000_000
export const REDEMPTION_IDS_MAX = 1000
export const UNLIMITED_USES = -1

export const redemptionSchema = z.object({
  id: z.int(),
  /** The creator. */
  user_id: z.int(),
  key: z.string(),
  /** 1 unused, 2 disabled, 3 used. */
  status: z.int(),
  name: z.string(),
  quota: quotaSchema,
  created_time: unixSecondsSchema,
  /** When a single-use code was redeemed; 0 before that, and for gift codes. */
  redeemed_time: unixSecondsSchema,
  /** 0: valid at once. */
  valid_from: unixSecondsSchema,
  /** 0: valid for ever. */
  valid_until: unixSecondsSchema,
  /** The same under the name that new-api gives it. */
  expired_time: unixSecondsSchema,
  /** A request field of new-api; always 0 in responses. */
  count: z.literal(0),
  used_user_id: z.int(),
  /** Tollgate only: name of the user who redeemed it, "" before that. */
  used_username: z.string(),
  is_gift: z.boolean(),
  /** For gift codes; -1: unlimited. */
  max_uses: z.int(),
  used_count: z.int(),
  /** Tollgate only: incremented with every change. */
  version: z.int(),
  DeletedAt: z.null(),
})
export type Redemption = z.output<typeof redemptionSchema>

export const redemptionPageSchema = pageSchema(redemptionSchema)

const fields = {
  name: nameText(1000),
  quota: quotaSchema,
  valid_from: unixSecondsSchema.min(0),
  valid_until: unixSecondsSchema.min(0),
  /** The end as new-api names it. Refused when it says something else than `valid_until`. */
  expired_time: unixSecondsSchema.min(0),
}

/** Filter value of new-api, not a status: unused codes whose end has passed. */
export const ENDED_CODES = 'expired'

/** With `key` exactly one code is created; without it, `count` codes with generated keys. */
export const redemptionCreateSchema = z.object({
  name: fields.name,
  quota: fields.quota,
  count: z.int().optional(),
  key: z.string().max(1000).optional(),
  is_gift: z.boolean().default(false),
  max_uses: z.int().default(UNLIMITED_USES),
  valid_from: fields.valid_from.default(0),
  valid_until: fields.valid_until.optional(),
  expired_time: fields.expired_time.optional(),
})

/** A missing field stays unchanged. */
export const redemptionUpdateSchema = z.object({
  id: z.int().positive(),
  ...z.object(fields).partial().shape,
  /** Read only with `status_only`. */
  status: z.int().optional(),
  /**
   * The version that the form loaded. If sent, the change is refused when the code was changed in between.
   */
  version: z.int().optional(),
})

const page = {
  p: oneBasedPage,
  page_size: pageRows(),
  /** Only codes in this state: 1 can be redeemed or will be, `expired` has ended unused. */
  status: z.union([z.literal(ENDED_CODES), queryFilterId()]).optional(),
}
const nameQuery = z.object({ name: z.string().max(1000).default('') })

export const redemptionRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/redemption',
    summary: 'Redemption codes, newest first',
    query: z.object(page),
    data: redemptionPageSchema,
  }),
  search: defineRoute({
    ...siteReading,
    path: '/api/redemption/search',
    summary: 'Redemption codes by the beginning of their name, by the full code, or by id',
    query: z.object({ ...page, keyword: queryTerm() }),
    data: redemptionPageSchema,
  }),
  countByName: defineRoute({
    ...siteReading,
    path: '/api/redemption/count-by-name',
    summary: 'The number of codes with exactly this name, and how many of them can be deleted by name',
    query: nameQuery,
    data: z.int(),
    extra: z.object({ removable: z.int() }),
  }),
  get: defineRoute({
    ...siteReading,
    path: '/api/redemption/:id',
    summary: 'One redemption code',
    params: idParams,
    data: redemptionSchema,
  }),
  create: defineRoute({
    ...siteWriting,
    method: 'POST',
    isRepeatable: true,
    path: '/api/redemption',
    summary: 'Creates redemption codes, all or none; returns them',
    body: redemptionCreateSchema,
    data: z.array(z.string()),
  }),
  update: defineRoute({
    ...siteWriting,
    method: 'PUT',
    path: '/api/redemption',
    summary: 'Changes an unused code; with `status_only` enables or disables it',
    query: z.object({ status_only: z.string().max(16).optional() }),
    body: redemptionUpdateSchema,
    data: redemptionSchema,
  }),
  disableMany: defineRoute({
    ...siteWriting,
    method: 'PUT',
    path: '/api/redemption/batch-disable',
    summary: 'Disables the unused ones of these codes; returns their number',
    body: z.object({
      ids: selectedIds({ idsMax: REDEMPTION_IDS_MAX, noneProblem: 'redemption_ids_missing' }),
    }),
    data: z.int(),
  }),
  setStatusMany: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/redemption/batch/status',
    summary: 'Enables or disables several codes; lists the used ones, which are not changed',
    body: z.object({
      ids: selectedIds({ idsMax: REDEMPTION_IDS_MAX, noneProblem: 'redemption_ids_missing' }),
      status: z.union([z.literal(REDEMPTION_STATUS.unused), z.literal(REDEMPTION_STATUS.disabled)]),
    }),
    data: batchOutcomeSchema,
  }),
  removeDisabled: defineRoute({
    ...siteWriting,
    method: 'DELETE',
    path: '/api/redemption/delete-disabled',
    summary: 'Deletes all disabled codes; returns their number',
    body: nothing,
    data: z.int(),
  }),
  removeByName: defineRoute({
    ...siteWriting,
    method: 'DELETE',
    path: '/api/redemption/delete-by-name',
    summary: 'Deletes the codes with exactly this name that nobody has redeemed; returns their number',
    query: nameQuery,
    body: nothing,
    data: z.int(),
  }),
  remove: defineRoute({
    ...siteWriting,
    method: 'DELETE',
    path: '/api/redemption/:id',
    summary: 'Deletes a code; its credits stay',
    params: idParams,
    body: nothing,
    data: z.null(),
  }),
  redeem: defineRoute({
    ...ownBodyless,
    method: 'POST',
    path: '/api/user/topup',
    summary: 'Redeems a code for the caller, exactly once',
    body: z.object({ key: z.string().max(256, { error: 'redemption_unknown' }).default('') }),
    data: z.object({ quota: quotaSchema, is_gift: z.boolean() }),
  }),
} as const
