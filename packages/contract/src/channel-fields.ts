import { z } from 'zod'
import { nameText } from './text.ts'

/** Input of the channel routes: types and outer bounds. What the fields mean is checked by the service. */

export const PRIORITY_MIN = -999
const PRIORITY_MAX = 1_000_000_000
const WEIGHT_MAX = 1_000_000
const PRIORITY_INVALID = { error: 'channel_priority_invalid' }
const WEIGHT_INVALID = { error: 'channel_weight_invalid' }

/** A text of at most so many characters. */
export const text = (charactersMax: number) => z.string().max(charactersMax)
const JSON_CHARACTERS_MAX = 65_536
/** Ten thousand keys and more. */
const KEY_CHARACTERS_MAX = 4_000_000

export const weightSchema = z.int(WEIGHT_INVALID).min(0, WEIGHT_INVALID).max(WEIGHT_MAX).nullable()

/** What a caller may write. Counters, times, balance and `other_info` are the server's. */
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
        'MCP servers of their own; `"as_before"` is all of that but earlier responses, conversations and prompts.',
    ),
  model_prefix: text(64).nullable(),
  openai_organization: text(256).nullable(),
  test_model: text(255).nullable(),
  tag: text(64).nullable(),
  priority: z.int(PRIORITY_INVALID).min(PRIORITY_MIN, PRIORITY_INVALID).max(PRIORITY_MAX).nullable(),
  weight: weightSchema,
  auto_ban: z.int().min(0).max(1).nullable(),
}

export const channelCreateSchema = z.object({
  ...z.object(writableFields).partial().shape,
  type: writableFields.type,
})
export const channelUpdateSchema = z.object({
  id: z.int().positive(),
  version: z.int().optional(),
  ...z.object(writableFields).partial().shape,
})
export type ChannelFields = Omit<z.infer<typeof channelUpdateSchema>, 'id' | 'version'>
