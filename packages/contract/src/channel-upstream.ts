import { z } from 'zod'
import { writableFields } from './channel-fields.ts'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { idParams, queryTerm } from './query.ts'
import { defineRoute, siteReading, siteWriting } from './route.ts'

/** The providers that a channel can have, and requests to the upstream of a channel. */

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

export const channelUpstreamRoutes = {
  types: defineRoute({
    ...siteReading,
    path: '/api/channel/types',
    summary: 'Channel types, for the channel form',
    data: z.array(channelTypeSchema),
  }),
  models: defineRoute({
    ...siteReading,
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
    ...siteReading,
    path: '/api/channel/models_enabled',
    summary: 'Models of all enabled channels',
    data: z.array(z.string()),
  }),
  fetchModels: defineRoute({
    ...siteReading,
    rate: 'probe',
    path: '/api/channel/fetch_models/:id',
    summary: "The upstream's model list, requested through a stored channel",
    params: idParams,
    data: z.array(z.string()),
  }),
  fetchModelsByForm: defineRoute({
    ...siteWriting,
    rate: 'probe',
    method: 'POST',
    path: '/api/channel/fetch_models',
    badBodyStatus: 400,
    summary: "The upstream's model list, requested with the values of a form",
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
    ...siteReading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/test/:id',
    summary: 'Tests a channel with one small call; `time` in seconds',
    params: idParams,
    query: z.object({ model: queryTerm(255) }),
    data: channelTestSchema,
    /** A failed test is also a normal response: `success: false` with its duration. */
    extra: z.object({ success: z.boolean(), time: z.number() }),
  }),
  testAll: defineRoute({
    ...siteReading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/test',
    summary: 'Starts a test of every channel; the job `test-channels` reports the progress',
    data: z.null(),
  }),
  updateBalance: defineRoute({
    ...siteReading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/update_balance/:id',
    summary: "Requests the balance of a channel's account from the upstream",
    params: idParams,
    data: z.null(),
    extra: z.object({ balance: z.number(), currency: z.string() }),
  }),
  updateBalances: defineRoute({
    ...siteReading,
    changesState: true,
    rate: 'probe',
    path: '/api/channel/update_balance',
    summary: 'Starts the job `update-balances`, which requests the balance of every enabled channel',
    data: z.null(),
  }),
} as const
