import { z } from 'zod'
import {
  channelCreateBody,
  channelUpdateSchema,
  weightSchema,
  text,
  writableFields,
} from './channel-fields.ts'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import {
  idParams,
  pageRows,
  PAGE_ROWS_MAX,
  queryFilterId,
  queryFlag,
  queryTerm,
  selectedIds,
  totalExtra,
  zeroBasedPage,
} from './query.ts'
import {
  ANONYMOUS_BODY_BYTES_MAX,
  CONSOLE_BODY_BYTES_MAX,
  defineRoute,
  nothing,
  usualReading,
  usualWriting,
} from './route.ts'

/** Configured upstreams. Their keys are write-only: responses contain `key: ""` and a preview. */

const CHANNEL_IDS_MAX = 1000

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

export const channelTestSchema = z
  .object({ model: z.string(), prompt_tokens: z.int(), completion_tokens: z.int(), quota: quotaSchema })
  .partial()

/** The facts about a provider that the channel form needs. */
export const channelTypeSchema = z.object({
  type: z.int(),
  id: z.string(),
  label: z.string(),
  /** "" when the channel must set an address. */
  base_url: z.string(),
  /** Explanation and example of a base address for this provider. */
  address: z.object({ help: z.object({ en: z.string(), zh: z.string() }), example: z.string() }),
  key_hint: z.string(),
  /** Meaning of the field `other`; absent if it is unused. */
  other: z
    .object({
      label: z.object({ en: z.string(), zh: z.string() }),
      /** Stored when the field is left empty. */
      usual: z.string(),
      /** Whether it may be a JSON object of texts by model, with `default` for the others. */
      is_by_model: z.boolean(),
      /** Whether changes never send the key to another origin, so that they do not require the key again. */
      stays_at_origin: z.boolean(),
    })
    .optional(),
  models: z.array(z.string()),
  can_list_models: z.boolean(),
  can_tell_balance: z.boolean(),
  /**
   * Whether keys are renewed automatically. Such a key can belong to one channel only, so copies are made
   * without it.
   */
  renews_keys: z.boolean(),
})
export type ChannelType = z.infer<typeof channelTypeSchema>

const ids = selectedIds({ idsMax: CHANNEL_IDS_MAX, noneProblem: 'channel_ids_missing' })
const tag = z.object({ tag: text(64) })

const whose = { access: 'admin', owner: 'site' } as const
const reading = { ...usualReading, ...whose } as const
const writing = { ...usualWriting, ...whose } as const
/** Enough for a form with ten thousand keys. */
const FORM_BYTES_MAX = 6 * CONSOLE_BODY_BYTES_MAX
const removing = {
  ...writing,
  method: 'DELETE',
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  body: nothing,
} as const

export const channelRoutes = {
  list: defineRoute({
    ...reading,
    path: '/api/channel',
    summary: 'Channels by priority, or by id; with `tag_mode` a page of tags and all channels of each',
    query: channelListQuery,
    data: z.array(channelSchema),
    extra: totalExtra,
  }),
  search: defineRoute({
    ...reading,
    path: '/api/channel/search',
    summary: 'The list again, with a larger page by default',
    query: channelListQuery.extend({ page_size: pageRows(PAGE_ROWS_MAX) }),
    data: z.array(channelSchema),
    extra: totalExtra,
  }),
  get: defineRoute({
    ...reading,
    path: '/api/channel/:id',
    summary: 'One channel, without its key',
    params: idParams,
    data: channelSchema,
  }),
  create: defineRoute({
    ...writing,
    bodyBytesMax: FORM_BYTES_MAX,
    method: 'POST',
    isRepeatable: true,
    path: '/api/channel',
    summary:
      'A new channel; several keys are separated by commas or lines, and with `mode` `batch` are a channel each',
    body: channelCreateBody,
    /** In batch mode `ids` contains the ids of all new channels. */
    data: z.object({ id: z.int(), ids: z.array(z.int()).optional() }),
  }),
  update: defineRoute({
    ...writing,
    bodyBytesMax: FORM_BYTES_MAX,
    method: 'PUT',
    path: '/api/channel',
    summary: 'Changes the fields that are sent; an empty key keeps the stored one',
    guardedWhen: {
      condition:
        'a stored key would go elsewhere: to another type, address, region or proxy, or into another header',
      signIn: 'recent',
      access: 'root',
      orSecretAgain: true,
    },
    body: channelUpdateSchema,
    data: channelSchema,
  }),
  copy: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/channel/:id/copy',
    summary: 'A disabled copy, made on the server, key included unless it is one that is renewed',
    params: idParams,
    body: z.object({ name: text(1000).optional() }),
    data: z.object({ id: z.int() }),
  }),
  reveal: defineRoute({
    ...writing,
    signIn: 'recent',
    access: 'root',
    rate: 'reveal',
    method: 'POST',
    path: '/api/channel/:id/key',
    summary:
      'The stored key, and the texts whose values are masked elsewhere, for the super admin soon after signing in',
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
    ...removing,
    path: '/api/channel/:id',
    summary: 'Deletes a channel; its usage stays in logs and ledger',
    params: idParams,
    data: z.null(),
  }),
  removeDisabled: defineRoute({
    ...removing,
    path: '/api/channel/disabled',
    summary: 'Deletes channels disabled by hand, or automatically more than an hour ago; answers how many',
    data: z.int(),
  }),
  removeBatch: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/channel/batch',
    summary: 'Deletes the channels of a selection; answers how many there were',
    body: z.object({ ids }),
    data: z.int(),
  }),
  enableTag: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/channel/tag/enabled',
    summary: 'Enables every channel of a tag; answers how many',
    body: tag,
    data: z.int(),
  }),
  disableTag: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/channel/tag/disabled',
    summary: 'Disables every channel of a tag; answers how many',
    body: tag,
    data: z.int(),
  }),
  updateTag: defineRoute({
    ...writing,
    method: 'PUT',
    path: '/api/channel/tag',
    summary: 'Changes every channel of a tag; an empty `new_tag` dissolves it; answers how many',
    body: tag.extend({
      new_tag: text(64).nullish(),
      models: writableFields.models.nullish(),
      groups: writableFields.group.nullish(),
      model_mapping: writableFields.model_mapping.optional(),
      priority: writableFields.priority.optional(),
      weight: weightSchema.optional(),
    }),
    data: z.int(),
  }),
  tagBatch: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/channel/batch/tag',
    summary: 'Gives the channels of a selection a tag, or with `null` none; answers how many',
    body: z.object({ ids, tag: text(64).nullish() }),
    data: z.int(),
  }),
  statusBatch: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/channel/batch/status',
    summary: 'Enables or disables the channels of a selection; answers how many',
    body: z.object({ ids, status: z.union([z.literal(1), z.literal(2)]) }),
    data: z.int(),
  }),
  fix: defineRoute({
    ...writing,
    method: 'POST',
    path: '/api/channel/fix',
    summary: 'Makes every process read the channels again; answers how many there are',
    body: nothing,
    data: z.int(),
  }),
  types: defineRoute({
    ...reading,
    path: '/api/channel/types',
    summary: 'The kinds of upstream a channel can be, for the channel form',
    data: z.array(channelTypeSchema),
  }),
  models: defineRoute({
    ...reading,
    path: '/api/channel/models',
    summary: 'Model names of all providers',
    data: z.array(
      z.object({
        id: z.string(),
        object: z.literal('model'),
        created: unixSecondsSchema,
        owned_by: z.string(),
        permission: z.array(z.never()),
        root: z.string(),
        parent: z.null(),
      }),
    ),
  }),
  modelsEnabled: defineRoute({
    ...reading,
    path: '/api/channel/models_enabled',
    summary: 'Models that an enabled channel serves',
    data: z.array(z.string()),
  }),
  fetchModels: defineRoute({
    ...reading,
    rate: 'probe',
    path: '/api/channel/fetch_models/:id',
    summary: "The upstream's own model list, asked with a saved channel",
    params: idParams,
    data: z.array(z.string()),
  }),
  fetchModelsByForm: defineRoute({
    ...writing,
    rate: 'probe',
    method: 'POST',
    path: '/api/channel/fetch_models',
    badBodyStatus: 400,
    summary: "The upstream's own model list, asked with what a form holds",
    body: z.object({
      base_url: writableFields.base_url.optional(),
      type: writableFields.type,
      /**
       * If empty, a stored channel with the same type and address is used instead, and nothing else of the
       * form.
       */
      key: writableFields.key.nullish(),
      other: writableFields.other.optional(),
      /** The request goes through the proxy of this setting. */
      setting: writableFields.setting.optional(),
    }),
    data: z.array(z.string()),
  }),
  test: defineRoute({
    ...reading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/test/:id',
    summary: 'Sends one small call through a channel; `time` in seconds',
    params: idParams,
    query: z.object({ model: queryTerm(255) }),
    data: channelTestSchema,
    /** A failed test is also a normal response: `success: false` with its duration. */
    extra: z.object({ success: z.boolean(), time: z.number() }),
  }),
  testAll: defineRoute({
    ...reading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/test',
    summary: 'Starts a test of every channel; the job `test-channels` tells how far it is',
    data: z.null(),
  }),
  updateBalance: defineRoute({
    ...reading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/update_balance/:id',
    summary: "Asks the upstream what is left on a channel's account",
    params: idParams,
    data: z.null(),
    extra: z.object({ balance: z.number(), currency: z.string() }),
  }),
  updateBalances: defineRoute({
    ...reading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/update_balance',
    summary: 'Starts asking for the balance of every enabled channel, as the job `update-balances`',
    data: z.null(),
  }),
} as const
