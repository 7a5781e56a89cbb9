import { z } from 'zod'
import { channelBatchRoutes } from './channel-batch.ts'
import { channelCreateBody, channelUpdateSchema, text } from './channel-fields.ts'
import { channelUpstreamRoutes } from './channel-upstream.ts'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import {
  PAGE_ROWS_MAX,
  idParams,
  pageRows,
  queryFilterId,
  queryFlag,
  queryTerm,
  totalExtra,
  zeroBasedPage,
} from './query.ts'
import {
  CONSOLE_BODY_BYTES_MAX,
  defineRoute,
  nothing,
  siteBodyless,
  siteReading,
  siteWriting,
} from './route.ts'

/** Configured upstreams. Their keys are write-only: responses contain `key: ""` and a preview. */

export const channelSchema = z.object({
  id: z.int(),
  type: z.int(),
  /** Always empty; `key_preview` shows which key is stored. */
  key: z.literal(''),
  key_preview: z.string(),
  key_count: z.int(),
  openai_organization: z.string(),
  test_model: z.string(),
  /** 1 enabled, 2 disabled by an operator, 3 disabled automatically. */
  status: z.int(),
  name: z.string(),
  weight: z.int(),
  priority: z.int(),
  created_time: unixSecondsSchema,
  test_time: unixSecondsSchema,
  /** Milliseconds of the last test; 0 = never tested. */
  response_time: z.int(),
  /** Result of the last test; "" before the first one. */
  test_outcome: z.enum(['', 'ok', 'failed']),
  /** HTTP status of the upstream's response to the last test; 0 when there was none. */
  test_status: z.int(),
  /** Why the last test failed, shortened and without secrets. */
  test_message: z.string(),
  /** The model of the last test. */
  tested_model: z.string(),
  base_url: z.string(),
  other: z.string(),
  balance: z.number(),
  /** Currency of the balance: `USD`, `CNY` …; "" when it is unknown. */
  balance_currency: z.string(),
  balance_updated_time: unixSecondsSchema,
  /** Comma-separated list. */
  models: z.string(),
  /** Comma-separated list. */
  group: z.string(),
  used_quota: quotaSchema,
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  auto_ban: z.int(),
  /** JSON text `{status_reason, status_time}` after an automatic change, or "". */
  other_info: z.string(),
  tag: z.string(),
  /** What operators note about the channel. */
  remark: z.string(),
  /**
   * JSON object or "". In this and the next two fields, values that may be credentials are shown as `***`;
   * sent back unchanged, they are kept.
   */
  setting: z.string(),
  param_override: z.string(),
  /** Headers that are added to every call. */
  header_override: z.string(),
  model_prefix: z.string(),
  /** Send it back with a change; the change is refused when the channel was changed in between. */
  version: z.int(),
})
export type Channel = z.infer<typeof channelSchema>

/** Sort keys of the channel list, besides priority and id. Unknown values come last. */
export const channelSorts = ['used', 'balance', 'response'] as const

export const channelListQuery = z.object({
  p: zeroBasedPage,
  page_size: pageRows(),
  id_sort: queryFlag(),
  tag_mode: queryFlag(),
  keyword: queryTerm(),
  group: queryTerm(),
  model: queryTerm(255),
  status: queryFilterId(),
  type: queryFilterId(),
  /** Tollgate only: replaces `id_sort`; not available with `tag_mode`. */
  sort: z
    .enum(['', ...channelSorts])
    .optional()
    .transform((sort) => sort || undefined),
  descending: queryFlag(),
  /** Only channels whose last test had this result. */
  test_outcome: z
    .enum(['', 'ok', 'failed'])
    .optional()
    .transform((outcome) => outcome || undefined),
})

/** Enough for a form with ten thousand keys. */
const FORM_BYTES_MAX = 6 * CONSOLE_BODY_BYTES_MAX

export const channelRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/channel',
    summary: 'Channels by priority or id; with `tag_mode` a page of tags with all their channels',
    query: channelListQuery,
    data: z.array(channelSchema),
    extra: totalExtra,
  }),
  search: defineRoute({
    ...siteReading,
    path: '/api/channel/search',
    summary: 'The same list with a larger default page size',
    query: channelListQuery.extend({ page_size: pageRows(PAGE_ROWS_MAX) }),
    data: z.array(channelSchema),
    extra: totalExtra,
  }),
  get: defineRoute({
    ...siteReading,
    path: '/api/channel/:id',
    summary: 'One channel, without its key',
    params: idParams,
    data: channelSchema,
  }),
  create: defineRoute({
    ...siteWriting,
    bodyBytesMax: FORM_BYTES_MAX,
    method: 'POST',
    isRepeatable: true,
    path: '/api/channel',
    summary:
      'Creates a channel; several keys are separated by commas or lines, and with `mode` `batch` each key becomes a channel',
    body: channelCreateBody,
    /** In batch mode `ids` contains the ids of all new channels. */
    data: z.object({ id: z.int(), ids: z.array(z.int()).optional() }),
  }),
  update: defineRoute({
    ...siteWriting,
    bodyBytesMax: FORM_BYTES_MAX,
    method: 'PUT',
    path: '/api/channel',
    summary: 'Changes the fields that are sent; an empty key keeps the stored one',
    guardedWhen: {
      condition:
        'the destination of a stored key changes: type, URL, region, proxy, or a header with the key',
      signIn: 'recent',
      access: 'root',
      orSecretAgain: true,
    },
    body: channelUpdateSchema,
    data: channelSchema,
  }),
  copy: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/channel/:id/copy',
    summary: 'Copies a channel as a disabled one, including its key unless that is an expiring credential',
    params: idParams,
    body: z.object({ name: text(1000).optional() }),
    data: z.object({ id: z.int() }),
  }),
  reveal: defineRoute({
    ...siteWriting,
    signIn: 'recent',
    access: 'root',
    rate: 'reveal',
    method: 'POST',
    path: '/api/channel/:id/key',
    summary: 'The stored key and the unmasked settings, for the super admin after a recent sign-in',
    params: idParams,
    body: nothing,
    data: z.object({
      id: z.int(),
      key: z.string(),
      header_override: z.string(),
      param_override: z.string(),
      setting: z.string(),
    }),
  }),
  remove: defineRoute({
    ...siteBodyless,
    method: 'DELETE',
    path: '/api/channel/:id',
    summary: 'Deletes a channel; logs and ledger keep its usage',
    params: idParams,
    data: z.null(),
  }),
  removeDisabled: defineRoute({
    ...siteBodyless,
    method: 'DELETE',
    path: '/api/channel/disabled',
    summary:
      'Deletes channels disabled by hand, or automatically more than an hour ago; returns their number',
    data: z.int(),
  }),
  ...channelBatchRoutes,
  ...channelUpstreamRoutes,
} as const
