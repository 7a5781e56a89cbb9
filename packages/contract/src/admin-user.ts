import { USER_STATUS } from '@tollgate/kit/codes'
import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { batchOutcomeSchema } from './batch.ts'
import { REMARK_CHARACTERS_MAX } from './channel-fields.ts'
import { operationKeySchema, quotaSchema, unixSecondsSchema } from './envelope.ts'
import { defineRefusedField } from './family-fields.ts'
import { ledgerEntryPageSchema, ledgerEntryQuery } from './ledger-entry.ts'
import {
  idParams,
  oneBasedPage,
  pageRows,
  pageSchema,
  queryFilterId,
  queryTerm,
  selectedIds,
} from './query.ts'
import { ANONYMOUS_BODY_BYTES_MAX, defineRoute, nothing, usualReading, usualWriting } from './route.ts'
import { tokenSchema } from './token.ts'
import { selfSchema } from './user.ts'
import { nameText } from './text.ts'

/**
 * Users as an administrator sees them. Each row says which actions the administrator may perform on that
 * user.
 */

/** A filter value, not a status: selects deactivated users. */
export const DEACTIVATED_FILTER = 3
/** 2,000,000,000 in currency at the usual 500,000 units per currency unit. */
export const QUOTA_NOTE_CHARACTERS_MAX = 200
export const QUOTA_CHANGE_MAX = 1_000_000_000_000_000

/** The maximum per request. */
export const USER_IDS_MAX = 1000

export const userActions = [
  'view',
  'edit',
  'quota',
  'promote',
  'demote',
  'enable',
  'disable',
  'delete',
] as const
export type UserAction = (typeof userActions)[number]

/**
 * `null`: the caller may perform the action. Otherwise the reason for the refusal in the caller's language.
 */
const permission = z.string().nullable()
export const userPermissionsSchema = z.object({
  view: permission,
  edit: permission,
  quota: permission,
  promote: permission,
  demote: permission,
  enable: permission,
  disable: permission,
  delete: permission,
}) satisfies z.ZodType<Record<UserAction, string | null>>
export type UserPermissions = z.output<typeof userPermissionsSchema>

export const adminUserSchema = selfSchema.extend({
  /** ISO time of the deactivation, or `null`. */
  DeletedAt: z.string().nullable(),
  created_time: unixSecondsSchema,
  /** What operators note about the user, who does not see it. */
  remark: z.string(),
  /** Last activity in a session that is still valid; 0 when there is none. */
  last_seen_time: unixSecondsSchema,
  can: userPermissionsSchema,
})
export type AdminUser = z.output<typeof adminUserSchema>

const filters = {
  keyword: queryTerm(),
  group: queryTerm(),
  role: queryFilterId(),
  /** 1 enabled, 2 disabled, 3 deactivated. */
  status: queryFilterId(),
}
export const adminUserListQuery = z.object({ ...filters, p: oneBasedPage, page_size: pageRows() })

export const adminUserPageSchema = pageSchema(adminUserSchema)

export const adminUserCreateSchema = z.object({
  username: formTextSchema,
  password: formTextSchema,
  display_name: formTextSchema.default(''),
  /**
   * A new user is always an ordinary one. A higher role may be sent but is refused unless it is below the
   * caller's.
   */
  role: z.int().optional(),
})

/**
 * A missing field or an empty password stays unchanged. Administrators cannot change their own password here.
 * Other members of the row may be sent and are ignored.
 */
export const adminUserUpdateSchema = z.object({
  id: z.int().positive(),
  username: formTextSchema.optional(),
  display_name: formTextSchema.optional(),
  password: formTextSchema.optional(),
  group: nameText(64).optional(),
  remark: z.string().max(REMARK_CHARACTERS_MAX).optional(),
  admin_permissions: defineRefusedField(),
  role: z.int().optional(),
  quota: quotaSchema.optional(),
  /**
   * The `quota` that the form loaded. The difference to it is applied; refused when the balance has moved
   * since.
   */
  expected_quota: quotaSchema.optional(),
  operation_key: operationKeySchema,
})

export const quotaChangeSchema = z.object({
  delta: z.int().min(-QUOTA_CHANGE_MAX).max(QUOTA_CHANGE_MAX),
  expected_quota: quotaSchema.optional(),
  note: z.string().max(QUOTA_NOTE_CHARACTERS_MAX).default(''),
  operation_key: operationKeySchema,
})
export const quotaChangedSchema = z.object({ before: quotaSchema, after: quotaSchema })

export const manageActions = ['promote', 'demote', 'enable', 'disable', 'delete'] as const
export const manageSchema = z.object({ id: z.int().positive(), action: z.enum(manageActions) })

/** The key as callers write it: with `sk-` before it and possibly a channel id after it. */
const TOKEN_KEY_TEXT_MAX = 128
const keyOwnerSchema = z.object({
  user_id: z.int(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
})

const whose = { access: 'admin', owner: 'manage' } as const
const reading = { ...usualReading, ...whose } as const
const writing = { ...usualWriting, ...whose } as const

export const adminUserRoutes = {
  list: defineRoute({
    ...reading,
    path: '/api/user',
    summary: 'Users, newest first, including deactivated ones',
    query: adminUserListQuery,
    data: adminUserPageSchema,
  }),
  search: defineRoute({
    ...reading,
    path: '/api/user/search',
    summary: 'Users by part of a name or e-mail address, or by id, and by group',
    query: adminUserListQuery,
    data: adminUserPageSchema,
  }),
  ownerOfKey: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/user/by-key',
    bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
    summary:
      'The owner of the token with this key; null if there is none. The key is in the body, so that no log contains it',
    body: z.object({ key: z.string().max(TOKEN_KEY_TEXT_MAX) }),
    data: keyOwnerSchema.nullable(),
  }),
  export: defineRoute({
    ...reading,
    path: '/api/user/export',
    rate: 'reveal',
    summary: 'All users as CSV, including deactivated ones',
    query: z.object(filters),
    data: nothing,
    files: ['text/csv'],
  }),
  get: defineRoute({
    ...reading,
    path: '/api/user/:id',
    summary: 'One user whom the caller can manage',
    params: idParams,
    data: adminUserSchema,
  }),
  create: defineRoute({
    ...writing,
    method: 'POST',
    isRepeatable: true,
    path: '/api/user',
    summary: 'Creates a user with the default quota',
    body: adminUserCreateSchema,
    data: z.object({ id: z.int() }),
  }),
  update: defineRoute({
    ...writing,
    method: 'PUT',
    path: '/api/user',
    guardedWhen: { condition: 'it sets a password', signIn: 'recent' },
    summary:
      'Changes the fields that are sent; the quota by its difference to the value that the form loaded',
    body: adminUserUpdateSchema,
    data: adminUserSchema,
  }),
  changeQuota: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/user/:id/quota',
    summary: 'Adds to or subtracts from a balance; returns the old and the new balance',
    params: idParams,
    body: quotaChangeSchema,
    data: quotaChangedSchema,
  }),
  manage: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/user/manage',
    summary: 'Promotes, demotes, enables, disables or deactivates a user; returns the new row',
    body: manageSchema,
    data: adminUserSchema,
  }),
  setStatusMany: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/user/batch/status',
    summary: 'Enables or disables several users; lists those whom the caller cannot change',
    body: z.object({
      ids: selectedIds({ idsMax: USER_IDS_MAX, noneProblem: 'user_ids_missing' }),
      status: z.union([z.literal(USER_STATUS.enabled), z.literal(USER_STATUS.disabled)]),
    }),
    data: batchOutcomeSchema,
  }),
  remove: defineRoute({
    ...writing,
    method: 'DELETE',
    path: '/api/user/:id',
    bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
    summary: 'Deactivates a user, like the action `delete`; name, log and ledger are kept',
    params: idParams,
    body: nothing,
    data: z.null(),
  }),
  tokens: defineRoute({
    ...reading,
    path: '/api/user/:id/tokens',
    summary: 'The tokens of a user, with masked keys',
    params: idParams,
    query: z.object({ p: oneBasedPage, page_size: pageRows() }),
    data: pageSchema(tokenSchema),
  }),
  entries: defineRoute({
    ...reading,
    path: '/api/user/:id/entries',
    summary: 'The ledger entries of a user, newest first, with the balance after each',
    params: idParams,
    query: ledgerEntryQuery,
    data: ledgerEntryPageSchema,
  }),
}
