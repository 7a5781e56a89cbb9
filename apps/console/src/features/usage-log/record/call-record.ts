import type { LogRow } from '@tollgate/contract/log'
import { parseObject } from '@tollgate/kit/json'
import * as z from 'zod/mini'
import {
  loose,
  looseContent,
  looseCount,
  looseDecimal,
  looseFlag,
  looseIds,
  looseNumber,
  looseText,
  looseTexts,
} from './fields.ts'
import { frozenPriceSchema, partsSchema, usageSchema } from './frozen-fields.ts'

export const settleFlags = [
  'estimated',
  'partial',
  'client_gone',
  'cut',
  'recovered',
  'late',
  'waived',
  'served_other',
  'usage_mended',
] as const
export type SettleFlag = (typeof settleFlags)[number]

/** Price factors that applied because of the call's length. */
const contextTierSchema = loose(
  z.object({ above: z.number(), input: z.number(), output: z.number(), cache: z.number() }),
)

const attemptSchema = z.object({
  channel: z.int(),
  /** Index of the channel's key, from 0. */
  key: looseCount,
  /** `ok`, or the error code. */
  outcome: z.catch(z.string(), ''),
  /** HTTP status of the upstream; 0 if there was no response. */
  status: z.catch(z.int(), 0),
  /** Present only if it differs from the group in which the call was charged. */
  group: loose(z.string()),
  /** The request was sent twice, because the upstream had closed the first connection. */
  resent: looseFlag,
  /** The vendor's id of the request. */
  upstream_id: loose(z.string()),
  /** Duration of the attempt in milliseconds. */
  ms: z.catch(z.number().check(z.nonnegative()), 0),
})
export type Attempt = z.output<typeof attemptSchema>

const attempts = z.catch(
  z.pipe(
    z.array(loose(attemptSchema)),
    z.transform((list) => list.filter((attempt) => attempt !== undefined)),
  ),
  [],
)

const receiptSchema = loose(
  z.object({
    price: frozenPriceSchema,
    price_version: looseNumber,
    quota_per_unit: looseDecimal,
    usage: usageSchema,
    parts: partsSchema,
    held: looseDecimal,
    ceiling: looseDecimal,
    hold_ms: looseNumber,
    attempts,
  }),
)

const keptSchema = loose(z.object({ redacted: looseCount, is_cut: looseFlag }))
/** How the conversation of a call was stored. */
export type StoredTextNote = NonNullable<z.output<typeof keptSchema>>

const otherSchema = z.object({
  // Fields that new-api and its forks write too.
  frt: looseNumber,
  model_ratio: looseDecimal,
  completion_ratio: looseDecimal,
  group_ratio: looseDecimal,
  user_group_ratio: looseDecimal,
  model_price: looseDecimal,
  cache_tokens: looseCount,
  cache_ratio: looseDecimal,
  cache_creation_tokens: looseCount,
  cache_creation_ratio: looseDecimal,
  cache_creation_ratio_1h: looseDecimal,
  image_ratio: looseDecimal,
  claude: looseFlag,
  ws: looseFlag,
  audio: looseFlag,
  audio_input: looseCount,
  audio_output: looseCount,
  text_input: looseCount,
  text_output: looseCount,
  audio_ratio: looseDecimal,
  audio_completion_ratio: looseDecimal,
  is_model_mapped: looseFlag,
  /** The id of the answer, as the upstream sent it. */
  answer_id: looseText,
  upstream_model_name: looseText,
  reasoning_effort: looseText,
  service_tier: looseText,
  service_tier_ratio: looseNumber,
  context_tier: contextTierSchema,
  is_system_prompt_overwritten: looseFlag,
  po: looseTexts,
  system_prompt: looseContent,
  context: looseContent,
  input_content: looseContent,
  output_content: looseContent,
  admin_info: z.catch(
    z.object({
      use_channel: looseIds,
      attempts,
      detail: looseText,
      affinity_rule: looseText,
      affinity_session: looseText,
      /** The model that the upstream named instead of the one that was sent. */
      served_model: looseText,
      /** Counts of the usage report that the gateway does not know. */
      unknown_usage: looseTexts,
      /** In dollars, as the vendor told it. */
      told_cost: looseNumber,
      is_cost_doubted: looseFlag,
    }),
    { use_channel: [], attempts: [], detail: undefined, unknown_usage: [], is_cost_doubted: false },
  ),
  // Fields that only this gateway writes.
  receipt: receiptSchema,
  text_kept: keptSchema,
  /** Members of the request that were not sent to the upstream. */
  dropped: looseTexts,
  /** What a conversion or a repair changed in the request. */
  repairs: looseTexts,
  /** Changes to the request that were made because the upstream had refused the original form before. */
  lessons: looseTexts,
  flags: z.pipe(
    looseTexts,
    z.transform((list) => settleFlags.filter((flag) => list.includes(flag))),
  ),
  /** When the caller left, in milliseconds from the call's arrival. */
  left_ms: looseCount,
  /** Why the gateway ended the call after that; absent where the vendor ended it. */
  left_end: loose(z.enum(['displaced', 'unsent'])),
  /** What session affinity did for the call. */
  affinity: loose(z.enum(['bound', 'moved', 'new'])),
  /** Fields of charges and refunds of drawings, songs and videos. */
  task_id: looseText,
  action: looseText,
  platform: looseText,
  reason: looseText,
  error_code: looseText,
  status_code: looseNumber,
})

/** The `other` JSON of a log row, written by any gateway. */
export type CallRecord = z.output<typeof otherSchema>

/**
 * All attempts of the call. In a row that only operators may read completely, they are in `admin_info` beside
 * the channels.
 */
export function attemptsOf(record: CallRecord): readonly Attempt[] {
  const { attempts: hidden } = record.admin_info
  return hidden.length > 0 ? hidden : (record.receipt?.attempts ?? [])
}

export function readCallRecord(row: Pick<LogRow, 'other'>): CallRecord {
  return otherSchema.parse(parseObject(row.other) ?? {})
}
