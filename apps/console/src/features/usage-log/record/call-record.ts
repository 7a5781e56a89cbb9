import type { LogRow } from '@tollgate/contract/log'
import { z } from 'zod'
import {
  looseContent,
  looseCount,
  looseDecimal,
  looseFlag,
  looseIds,
  looseNumber,
  looseText,
  parseObject,
} from './fields.ts'
import { frozenPriceSchema, usageSchema } from './frozen-fields.ts'

export const settleFlags = [
  'estimated',
  'partial',
  'client_gone',
  'cut',
  'recovered',
  'late',
  'waived',
] as const
export type SettleFlag = (typeof settleFlags)[number]

/** What the length of the call made of its price, as factors. */
const contextTierSchema = z
  .object({ above: z.number(), input: z.number(), output: z.number(), cache: z.number() })
  .optional()
  .catch(undefined)

const attemptSchema = z.object({
  channel: z.int(),
  /** Which of the channel's keys, counted from 0. */
  key: z.int().nonnegative().catch(0),
  /** `ok`, or the code of the failure. */
  outcome: z.string().catch(''),
  /** HTTP status of the upstream; 0 when there was no answer. */
  status: z.int().catch(0),
  /** Told where it is not the group that the call was charged in. */
  group: z.string().optional().catch(undefined),
  /** How long the attempt took, in milliseconds. */
  ms: z.number().nonnegative().catch(0),
})
export type Attempt = z.output<typeof attemptSchema>

const attempts = z
  .array(attemptSchema.optional().catch(undefined))
  .transform((list) => list.filter((attempt) => attempt !== undefined))
  .catch([])

const receiptSchema = z
  .object({
    price: frozenPriceSchema,
    price_version: looseNumber,
    quota_per_unit: looseDecimal,
    usage: usageSchema,
    held: looseDecimal,
    ceiling: looseDecimal,
    hold_ms: looseNumber,
    attempts,
  })
  .optional()
  .catch(undefined)

const keptSchema = z
  .object({ redacted: z.int().nonnegative().catch(0), is_cut: z.boolean().catch(false) })
  .optional()
  .catch(undefined)
/** How the texts of a call were kept. */
export type KeptNote = NonNullable<z.output<typeof keptSchema>>

const otherSchema = z.object({
  // Every gateway of the family.
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
  upstream_model_name: looseText,
  reasoning_effort: looseText,
  service_tier: looseText,
  service_tier_ratio: looseNumber,
  context_tier: contextTierSchema,
  is_system_prompt_overwritten: looseFlag,
  po: z.array(z.string()).catch([]),
  system_prompt: looseContent,
  context: looseContent,
  input_content: looseContent,
  output_content: looseContent,
  admin_info: z
    .object({ use_channel: looseIds, attempts, detail: looseText })
    .catch({ use_channel: [], attempts: [], detail: undefined }),
  // This gateway.
  receipt: receiptSchema,
  text_kept: keptSchema,
  flags: z
    .array(z.string())
    .transform((list) => settleFlags.filter((flag) => list.includes(flag)))
    .catch([]),
  error_code: looseText,
  status_code: looseNumber,
})

/** What a log row says of a call beyond its columns, whoever wrote it. */
export type CallRecord = z.output<typeof otherSchema>

/** Every try of the call; a row that only an operator may read whole keeps them beside the channels. */
export function attemptsOf(record: CallRecord): readonly Attempt[] {
  const { attempts: hidden } = record.admin_info
  return hidden.length > 0 ? hidden : (record.receipt?.attempts ?? [])
}

export function readCallRecord(row: Pick<LogRow, 'other'>): CallRecord {
  return otherSchema.parse(parseObject(row.other))
}
