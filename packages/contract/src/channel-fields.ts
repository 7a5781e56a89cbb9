import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { z } from 'zod'
import { nameText } from './text.ts'

/** Input fields of the channel routes: types and outer limits. The service validates their meaning. */

export const CHANNEL_NAME_CHARACTERS_MAX = 100
/** As in new-api, for channels and users alike. */
export const REMARK_CHARACTERS_MAX = 255
export const PRIORITY_MIN = -999
export const PRIORITY_MAX = 1_000_000_000
export const WEIGHT_MAX = 1_000_000
const PRIORITY_INVALID = { error: 'channel_priority_invalid' }
const WEIGHT_INVALID = { error: 'channel_weight_invalid' }

/** A string of at most `charactersMax` characters. */
export const text = (charactersMax: number) => z.string().max(charactersMax)
const JSON_CHARACTERS_MAX = 65_536
/** Enough for more than ten thousand keys. */
const KEY_CHARACTERS_MAX = 4_000_000

export const weightSchema = z.int(WEIGHT_INVALID).min(0, WEIGHT_INVALID).max(WEIGHT_MAX).nullable()

/** What an operator may set a channel or one of its keys to. */
export const switchedStatus = z.union([z.literal(CHANNEL_STATUS.enabled), z.literal(CHANNEL_STATUS.disabled)])

/** Fields that a caller may write. Counters, times, balance and `other_info` are maintained by the server. */
export const writableFields = {
  type: z.int().min(0).max(100_000),
  key: text(KEY_CHARACTERS_MAX),
  name: nameText(1000),
  status: z.int().min(0).max(3),
  base_url: text(1000).nullable(),
  other: text(JSON_CHARACTERS_MAX).nullable(),
  models: text(200_000),
  group: text(4000),
  model_mapping: text(JSON_CHARACTERS_MAX).nullable(),
  status_code_mapping: text(JSON_CHARACTERS_MAX).nullable(),
  param_override: text(JSON_CHARACTERS_MAX).nullable(),
  header_override: text(JSON_CHARACTERS_MAX).nullable(),
  setting: text(JSON_CHARACTERS_MAX)
    .nullable()
    .describe(
      'JSON object. `server_tools` (default true): calls may use tools that the upstream runs, such as search, fetch and ' +
        'code. `stored_context` (default false): calls may name files, caches and responses stored at the upstream, and ' +
        'MCP servers of their own; `"as_before"` is all of that but earlier responses, conversations and prompts. ' +
        '`responses_websocket` (default false; OpenAI, Azure, xAI and Codex): calls that come over the Responses WebSocket ' +
        'reach the vendor over a WebSocket too, and over HTTP for an hour where its server has none. ' +
        '`other_models`: `"never"` takes further models out of calls that name them, such as fallbacks. ' +
        '`trace_context` (default false): requests carry the header `traceparent`, where the gateway traces calls. ' +
        '`charge_served` (default false): a model that the upstream served instead of the requested one is charged at ' +
        'its own price if that is cheaper. ' +
        '`resend_closed` (default false): a request is sent once more if its reused connection was closed up to 250 ms after ' +
        'it was written; work may run twice. ' +
        '`keep_reasoning` (default true): reasoning that the vendor demands back (DeepSeek V4, Kimi) is kept for two hours for ' +
        'clients that do not send it. ' +
        '`account`: a label for the account behind the keys; signatures and encrypted reasoning are sent to channels and ' +
        'keys of the same label only. `key_accounts`: labels of single keys, by the `hash` of the key. ' +
        '`affinity_seconds`: how long a session stays on this channel and key without a call; 0 is not at all. ' +
        '`model_traits`: what its models take, by patterns of names, where it differs from the built-in table.',
    ),
  settings: text(JSON_CHARACTERS_MAX)
    .nullable()
    .describe('The second JSON object of settings of new-api; its members become members of `setting`.'),
  model_prefix: text(64).nullable(),
  openai_organization: text(256).nullable(),
  test_model: text(255).nullable(),
  tag: text(64).nullable(),
  remark: text(REMARK_CHARACTERS_MAX).nullable(),
  priority: z.int(PRIORITY_INVALID).min(PRIORITY_MIN, PRIORITY_INVALID).max(PRIORITY_MAX).nullable(),
  weight: weightSchema,
  auto_ban: z.int().min(0).max(1).nullable(),
}

export const channelCreateSchema = z.object({
  ...z.object(writableFields).partial().shape,
  type: writableFields.type,
})

/** How a list of keys is turned into channels. */
export const CHANNEL_CREATE_MODES = ['single', 'batch', 'multi_to_single'] as const
/** Maximum number of channels in one `batch`. */
export const CHANNEL_BATCH_MAX = 500

/**
 * Either a channel, or, as newer versions of new-api send it, a wrapper with the channel and a mode for its
 * keys.
 */
export const channelCreateBody = z
  .object({
    ...channelCreateSchema.shape,
    type: writableFields.type.optional(),
    /** `batch`: one channel per key; otherwise one channel with all keys. */
    mode: z.enum(CHANNEL_CREATE_MODES).optional(),
    /** In batch mode: append the beginning of the key to the channel's name. */
    batch_add_set_key_prefix_2_name: z.boolean().optional(),
    channel: channelCreateSchema.optional(),
  })
  .superRefine(({ channel, type }, context) => {
    if (channel === undefined && type === undefined)
      context.addIssue({ code: 'invalid_type', expected: 'number', input: type, path: ['type'] })
  })
/** Whether the sent keys are added to the stored ones or replace them. */
export const CHANNEL_KEY_MODES = ['append', 'replace'] as const

export const channelUpdateSchema = z.object({
  id: z.int().positive(),
  version: z.int().optional(),
  /**
   * Required when fewer keys are sent than are stored. If absent otherwise, the sent keys replace the stored
   * ones.
   */
  key_mode: z
    .enum([...CHANNEL_KEY_MODES, ''])
    .nullish()
    .transform((mode) => mode || undefined),
  ...z.object(writableFields).partial().shape,
})
export type ChannelFields = Omit<z.infer<typeof channelUpdateSchema>, 'id' | 'version' | 'key_mode'>
